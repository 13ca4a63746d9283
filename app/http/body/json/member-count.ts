const QUOTE = 34;
const COLON = 58;
const BACKSLASH = 92;
/** Maximum depth of counted members; deeper values are rejected anyway. */
const MAX_DEPTH = 500;

/** Counts the members of all objects in a JSON text, repeated names included. `text` must have passed JSON.parse. */
export function membersInText(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === COLON) count += 1;
    else if (code === QUOTE) at = closingQuote(text, at);
  }
  return count;
}

function closingQuote(text: string, from: number): number {
  for (let at = text.indexOf('"', from + 1); ; at = text.indexOf('"', at + 1)) {
    let before = at;
    while (text.charCodeAt(before - 1) === BACKSLASH) before -= 1;
    if ((at - before) % 2 === 0) return at;
  }
}

/**
 * Counts the members of all objects in a parsed value. Fewer than in its text: some object repeats a name, of which
 * JSON.parse keeps the last member and other parsers the first.
 */
export function membersInValue(value: unknown, depth = 0): number {
  if (typeof value !== "object" || value === null || depth > MAX_DEPTH) return 0;
  const members = Object.values(value);
  let count = Array.isArray(value) ? 0 : members.length;
  for (const member of members) count += membersInValue(member, depth + 1);
  return count;
}
