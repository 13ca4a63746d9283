export type Turn = { role: "user" | "assistant"; content: string };

/** A request for the form of the playground. `turns` are those before `message`. */
type Prompt = { system: string; message: string; turns: readonly Turn[] };

/** The maximum of turns that the form accepts. */
const MAX_TURNS = 40;
/** Maximum places at which the tools could begin. */
const MAX_TRIES = 50;

/**
 * Parses the stored text of a request: a JSON array of chat messages followed by the tools, or plain text. A text that
 * was cut off when it was stored counts as plain text.
 */
export function promptOf(stored: string): Prompt {
  const messages = messagesOf(stored);
  const last = messages.findLastIndex(({ role }) => role === "user");
  if (last < 0) return { system: "", message: stored, turns: [] };
  const isTurn = (message: Message): message is Turn => message.role === "user" || message.role === "assistant";
  return {
    system: messages
      .filter(({ role }) => role === "system" || role === "developer")
      .map(({ content }) => content)
      .join("\n\n"),
    message: messages[last]!.content,
    turns: messages
      .slice(0, last)
      .filter(isTurn)
      .filter(({ content }) => content !== "")
      .slice(-MAX_TURNS),
  };
}

type Message = { role: string; content: string };

function messagesOf(stored: string): Message[] {
  let end = stored.startsWith("[") ? stored.length : 0;
  for (let tries = 0; tries < MAX_TRIES && end > 1; tries += 1) {
    const list = parsed(stored.slice(0, end));
    if (Array.isArray(list)) return list.flatMap(messageOf);
    end = stored.lastIndexOf("][", end - 2) + 1;
  }
  return [];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function messageOf(message: unknown): Message[] {
  const { role, content } = (message ?? {}) as { role?: unknown; content?: unknown };
  return typeof role === "string" ? [{ role, content: textOf(content) }] : [];
}

/** The texts of a message's parts; pictures, files and sounds are not stored. */
function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content
    .map((part) => (part as { text?: unknown } | null)?.text)
    .filter((text) => typeof text === "string")
    .join("\n");
}
