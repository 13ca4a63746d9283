const QUOTE = 34;
const COLON = 58;
const BACKSLASH = 92;
/** Deeper members are not counted: what is nested so deeply is refused anyway. */
const MAX_DEPTH = 500;

/** How many members the objects in a JSON text have that JSON.parse accepts, in all depths, those of one name counted each. */
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
 * How many members the objects in a parsed value have. Fewer than in its text: in some object a name stands twice, of which JSON.parse
 * keeps the last and other parsers the first.
 */
export function membersInValue(value: unknown, depth = 0): number {
  if (typeof value !== "object" || value === null || depth > MAX_DEPTH) return 0;
  const members = Object.values(value);
  let count = Array.isArray(value) ? 0 : members.length;
  for (const member of members) count += membersInValue(member, depth + 1);
  return count;
}
