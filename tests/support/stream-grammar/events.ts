/** One event as a client sees it. `data` is parsed JSON, or the text if it is not JSON. */
export type SeenEvent = { name: string; data: unknown };

// biome-ignore lint/suspicious/noExplicitAny: events of any shape; their shape is under test
export type Json = any;

/**
 * Parses the bytes of a whole stream by the rules of server-sent events, without comments. Adds errors of the framing
 * to `violations`.
 */
export function eventsIn(bytes: Buffer | string, violations: string[]): SeenEvent[] {
  const text = (typeof bytes === "string" ? bytes : bytes.toString("utf8")).replace(/\r\n|\r/g, "\n");
  if (text.includes("\uFFFD")) violations.push("a character was cut in two");
  if (text !== "" && !text.endsWith("\n\n")) violations.push("the last event has no blank line");
  return text.split(/\n\n+/).flatMap((block) => eventOf(block));
}

function eventOf(block: string): SeenEvent[] {
  let name = "";
  const data: string[] = [];
  for (const line of block.split("\n")) {
    const [, field, value] = /^([^:]*): ?(.*)$/s.exec(line) ?? [];
    if (field === "event") name = value ?? "";
    if (field === "data") data.push(value ?? "");
  }
  if (data.length === 0) return [];
  const joined = data.join("\n");
  try {
    return [{ name, data: JSON.parse(joined) }];
  } catch {
    return [{ name, data: joined }];
  }
}

export const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0;
