export type JsonObject = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const textOrNull = (value: unknown): string | null => (typeof value === "string" && value !== "" ? value : null);

export const wholeOrNull = (value: unknown): number | null =>
  Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : null;

/** A secret or an address in the form of a catalogue file. `prefix` precedes the name of an environment variable. */
export function keyText(value: unknown, prefix: string): string | null {
  const text = textOrNull(value);
  if (text === null) return null;
  return text.startsWith(prefix) ? `\${${text.slice(prefix.length)}}` : text;
}
