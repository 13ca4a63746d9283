/** Returns a well-mixed number between 0 and 1 (both excluded), the same for a text in every process (cyrb53). */
export function fractionOf(text: string): number {
  let h1 = 0xdeadbeef;
  let h2 = 0x41c6ce57;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    h1 = Math.imul(h1 ^ code, 2654435761);
    h2 = Math.imul(h2 ^ code, 1597334677);
  }
  h1 = Math.imul(h1 ^ (h1 >>> 16), 2246822507) ^ Math.imul(h2 ^ (h2 >>> 13), 3266489909);
  h2 = Math.imul(h2 ^ (h2 >>> 16), 2246822507) ^ Math.imul(h1 ^ (h1 >>> 13), 3266489909);
  return ((2097151 & h2) * 4294967296 + (h1 >>> 0) + 0.5) / 2 ** 53;
}

/**
 * Weighted rendezvous hashing (Thaler & Ravishankar 1998, with logarithmic weights): makes the same choice for a name
 * in every process, each choice in proportion to its weight. A removed choice moves only its own names. Undefined only
 * without choices.
 */
export function rendezvous<Choice>(
  name: string,
  choices: readonly Choice[],
  { identify, weigh = () => 1 }: { identify: (choice: Choice) => string | number; weigh?: (choice: Choice) => number },
): Choice | undefined {
  let best: Choice | undefined;
  let bestScore = Number.NEGATIVE_INFINITY;
  for (const choice of choices) {
    const weight = weigh(choice);
    const score = weight > 0 ? -weight / Math.log(fractionOf(`${name}\n${identify(choice)}`)) : 0;
    if (score <= bestScore) continue;
    best = choice;
    bestScore = score;
  }
  return best;
}
