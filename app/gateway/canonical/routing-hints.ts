/** Hints for routing from a request's content. Read only if there is a choice of routes. */
export type RoutingHints = {
  tools: boolean;
  images: boolean;
  /** The autorouter algorithm that the body requests. */
  autorouter: string | null;
  /** The client's own cache key. */
  cacheKey: string | null;
  /** Beginning of the conversation, equal in all of its turns; null if it is unknown. */
  opening: string | null;
  /** The conversation contains an answer already. */
  continued: boolean;
};

export const NO_HINTS: RoutingHints = Object.freeze({
  tools: false,
  images: false,
  autorouter: null,
  cacheKey: null,
  opening: null,
  continued: false,
});

/** Maximum characters compared of each text at a conversation's beginning. */
const OPENING_CHARACTERS = 512;

type Turn = { role?: unknown; content?: unknown };

/** Reads the hints of a chat, messages or native body, which differ only in field names. Never throws. */
export function hintsOf(body: Readonly<Record<string, unknown>>): RoutingHints {
  const turns = (Array.isArray(body.messages) ? body.messages : Array.isArray(body.input) ? body.input : []) as Turn[];
  const metadata = body.metadata as { autorouter?: unknown } | null | undefined;
  return {
    tools: isFilled(body.tools) || isFilled(body.functions),
    images: turns.some((turn) => hasImage(turn?.content)),
    autorouter: text(metadata?.autorouter),
    cacheKey: text(body.prompt_cache_key),
    opening: openingOf(body, turns),
    continued: turns.some((turn) => turn?.role === "assistant"),
  };
}

/** Returns the system text, from any of its locations, and the first text of the user. */
function openingOf(body: Readonly<Record<string, unknown>>, turns: readonly Turn[]): string | null {
  const firstUser = turns.find((turn) => turn?.role === "user");
  if (firstUser === undefined) return null;
  const firstTurn = turns[0] !== firstUser ? turns[0] : undefined;
  return [body.system, body.instructions, firstTurn?.content, firstUser.content].map(beginning).join("\n");
}

function beginning(content: unknown): string {
  if (typeof content === "string") return content.slice(0, OPENING_CHARACTERS);
  if (!Array.isArray(content)) return "";
  for (const part of content) {
    const words = (part as { text?: unknown } | null)?.text;
    if (typeof words === "string") return words.slice(0, OPENING_CHARACTERS);
  }
  return "";
}

/** Whether the content has an image part of any dialect, also inside tool results. */
function hasImage(content: unknown): boolean {
  if (!Array.isArray(content)) return false;
  return content.some((part: { type?: unknown; content?: unknown } | null) => {
    const type = part?.type;
    if (type === "image" || type === "image_url" || type === "input_image") return true;
    return type === "tool_result" && hasImage(part?.content);
  });
}

const isFilled = (list: unknown) => Array.isArray(list) && list.length > 0;
const text = (value: unknown) => (typeof value === "string" && value !== "" ? value.slice(0, 256) : null);
