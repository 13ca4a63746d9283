/**
 * What a chat-like request asks for, in no supplier's words: the part that both dialects can say. What a dialect says
 * beyond it is refused when it is read, or named in `leftOut` where it only tunes, so nothing is lost in silence.
 */
export type Conversation = {
  turns: readonly Turn[];
  tools: readonly ToolDefinition[];
  toolChoice: ToolChoice | null;
  /** Whether several calls may come in one answer; null when the client did not say. */
  parallelToolCalls: boolean | null;
  maxOutputTokens: number | null;
  temperature: number | null;
  topP: number | null;
  topK: number | null;
  stopSequences: readonly string[];
  /** The client's name for its own user. */
  endUser: string | null;
  reasoning: Reasoning | null;
  outputFormat: OutputFormat | null;
  /** Fields that only tune an answer and that no other dialect has, by the client's names for them. They are left out. */
  leftOut: readonly string[];
  /** Those of them that the chat dialect has all the same; absent: none. */
  chatHints?: readonly ChatHint[];
};

/** A field that only tunes, by the client's name. `field`: where it stands in a chat request; null: its part has it. */
export type ChatHint = {
  name: string;
  field: "verbosity" | "frequency_penalty" | "presence_penalty" | null;
  value: unknown;
};

/** Consecutive turns of one role may follow each other. Tool results are parts of a user turn. */
export type Turn =
  | { role: "system"; parts: readonly TextPart[] }
  | { role: "user"; parts: readonly UserPart[] }
  | { role: "assistant"; parts: readonly AssistantPart[] };

export type UserPart = TextPart | MediaPart | ToolResultPart;
export type AssistantPart = TextPart | ThinkingPart | ToolCallPart;
export type MediaPart = ImagePart | DocumentPart;

/**
 * `cacheControl` is the messages dialect's mark, carried as it came. `isRefusal`: the model says that it will not answer.
 * `citations`: what an answer refers to.
 */
export type TextPart = {
  kind: "text";
  text: string;
  cacheControl?: unknown;
  isRefusal?: true;
  citations?: readonly Citation[];
};

/** A page that an answer refers to, and where in its text; both places in characters. */
export type Citation = { url: string; title: string; start: number; end: number };

/** `at` is the part's place in the client's body, for messages about it. `detail`: how closely to look; absent: not said. */
export type ImagePart = {
  kind: "image";
  source: { kind: "base64"; mediaType: string; data: string } | { kind: "url"; url: string };
  at: string;
  detail?: string;
  cacheControl?: unknown;
};

export type DocumentPart = {
  kind: "document";
  source:
    | { kind: "base64"; mediaType: string; data: string }
    | { kind: "url"; url: string }
    | { kind: "text"; text: string };
  title: string | null;
  at: string;
  cacheControl?: unknown;
};

export type ToolResultPart = {
  kind: "toolResult";
  callId: string;
  isError: boolean;
  parts: readonly (TextPart | MediaPart)[];
  cacheControl?: unknown;
};

/**
 * A model's own notes. `signature` is its supplier's seal; without one no messages-style supplier takes them back.
 * `isRedacted`: the seal is all there is, the notes are inside.
 */
export type ThinkingPart = { kind: "thinking"; text: string; signature: string | null; isRedacted?: true };

/** `arguments` is JSON text as the model wrote it; it may be empty and it may be broken. */
export type ToolCallPart = { kind: "toolCall"; id: string; name: string; arguments: string; cacheControl?: unknown };

export type ToolDefinition = {
  name: string;
  description: string | null;
  /** A JSON schema, whole. */
  schema: unknown;
  strict: boolean | null;
  cacheControl?: unknown;
};

export type ToolChoice = { kind: "auto" } | { kind: "any" } | { kind: "none" } | { kind: "tool"; name: string };

export type Reasoning =
  | { kind: "off" }
  | { kind: "effort"; effort: string }
  /** The messages dialect's `thinking`, as the client wrote it; `effort`: how hard it says to think, null where it does not. */
  | { kind: "thinking"; config: Readonly<Record<string, unknown>>; effort: string | null };

export type OutputFormat =
  | { kind: "json" }
  | { kind: "schema"; name: string; description?: string; schema: unknown; strict: boolean | null };
