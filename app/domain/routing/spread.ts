/** A well-mixed number from 0 to 1 (both excluded) that is the same for the same text in every process (cyrb53). */
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
 * Weighted rendezvous hashing (Thaler & Ravishankar 1998, with logarithmic weights): of several choices the same one for
 * the same name in every process, each as often as its weight says. A choice that disappears moves only the names that
 * had it. undefined only for no choices.
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
