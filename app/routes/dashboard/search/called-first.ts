/**
 * Things in the order in which a person means them by a text: whose name begins with it, whose name holds it, then those that are
 * found by something else, such as their owner's address. Else as they were.
 */
export function calledFirst<Thing extends { label: string }>(things: readonly Thing[], text: string): Thing[] {
  const wanted = text.trim().toLowerCase();
  const rank = ({ label }: Thing) => {
    const at = label.toLowerCase().indexOf(wanted);
    return at === 0 ? 0 : at > 0 ? 1 : 2;
  };
  return things.toSorted((one, other) => rank(one) - rank(other));
}
