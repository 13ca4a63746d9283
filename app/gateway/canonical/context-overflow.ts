/** How suppliers say that a prompt is too long, with what was asked and the most there is. */
const SAYINGS = [
  // Messages style, and what its coding agents look for.
  /prompt is too long: (?<asked>\d+) tokens > (?<most>\d+) maximum/i,
  // Chat style: the limit first.
  /(?:maximum context length is|configured limit of) (?<most>\d+) tokens\D+(?<asked>\d+)/i,
  /input token count \(?(?<asked>\d+)\)? exceeds the maximum number of tokens allowed \(?(?<most>\d+)/i,
  /prompt contains (?<asked>\d+) tokens.{1,100}? (?<most>\d+) maximum context length/i,
];

/** What a supplier's words say about a prompt that does not fit; null when they say something else. */
export function contextOverflow(message: string): { callContext: string; most: string } | null {
  for (const saying of SAYINGS) {
    const { asked: callContext, most } = saying.exec(message)?.groups ?? {};
    if (callContext !== undefined && most !== undefined) return { callContext, most };
  }
  return null;
}
