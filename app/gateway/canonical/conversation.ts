/**
 * A chat-like request, independent of any supplier's format: the part that all dialects can express. Everything else
 * that a dialect allows is rejected when it is read or, if it only tunes the answer, listed in `leftOut`. So nothing is
 * lost silently. See docs/decisions/004.
 */
export type Conversation = {
  turns: readonly Turn[];
  tools: readonly ToolDefinition[];
  toolChoice: ToolChoice | null;
  /** Whether one answer may contain several tool calls; null if the client did not say. */
  parallelToolCalls: boolean | null;
  maxOutputTokens: number | null;
  temperature: number | null;
  topP: number | null;
  topK: number | null;
  stopSequences: readonly string[];
  /** The client's id of its own user. */
  endUser: string | null;
  reasoning: Reasoning | null;
  outputFormat: OutputFormat | null;
  /** Tuning fields that no other dialect has, by the client's names. They are dropped. */
  leftOut: readonly string[];
  /** Those of them that the chat dialect has; absent if there are none. */
  chatHints?: readonly ChatHint[];
};

/** A tuning field, by the client's name. `field`: its name in a chat request; null if it belongs to a part. */
export type ChatHint = {
  name: string;
  field: "verbosity" | "frequency_penalty" | "presence_penalty" | null;
  value: unknown;
};

/** Consecutive turns may have the same role. Tool results are parts of a user turn. */
export type Turn =
  | { role: "system"; parts: readonly TextPart[] }
  | { role: "user"; parts: readonly UserPart[] }
  | { role: "assistant"; parts: readonly AssistantPart[] };

export type UserPart = TextPart | MediaPart | ToolResultPart;
export type AssistantPart = TextPart | ThinkingPart | ToolCallPart;
export type MediaPart = ImagePart | DocumentPart;

/**
 * `cacheControl` is the messages dialect's cache marker, unchanged. `isRefusal`: the text is the model's refusal to
 * answer. `citations`: sources of an answer's text.
 */
export type TextPart = {
  kind: "text";
  text: string;
  cacheControl?: unknown;
  isRefusal?: true;
  citations?: readonly Citation[];
};

/** A page that an answer cites; `start` and `end` are its range in the text, in characters. */
export type Citation = { url: string; title: string; start: number; end: number };

/**
 * `at` is the part's location in the client's body, for error messages. `detail`: resolution of the image; absent if
 * not set.
 */
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
 * A model's reasoning. `signature` is its supplier's signature; messages-style suppliers do not accept reasoning
 * without one. `isRedacted`: the text is empty and the reasoning is encrypted in the signature.
 */
export type ThinkingPart = { kind: "thinking"; text: string; signature: string | null; isRedacted?: true };

/** `arguments` is JSON text as the model wrote it; it may be empty or invalid. */
export type ToolCallPart = { kind: "toolCall"; id: string; name: string; arguments: string; cacheControl?: unknown };

export type ToolDefinition = {
  name: string;
  description: string | null;
  /** A complete JSON schema. */
  schema: unknown;
  strict: boolean | null;
  cacheControl?: unknown;
};

export type ToolChoice = { kind: "auto" } | { kind: "any" } | { kind: "none" } | { kind: "tool"; name: string };

export type Reasoning =
  | { kind: "off" }
  | { kind: "effort"; effort: string }
  /** The messages dialect's `thinking`, unchanged. `effort`: the requested reasoning effort; null if there is none. */
  | { kind: "thinking"; config: Readonly<Record<string, unknown>>; effort: string | null };

export type OutputFormat =
  | { kind: "json" }
  | { kind: "schema"; name: string; description?: string; schema: unknown; strict: boolean | null };
