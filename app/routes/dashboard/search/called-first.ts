/**
 * Sorts matches by relevance to a text: names that start with it, names that contain it, then matches by other fields,
 * such as the owner's address. Otherwise keeps the order.
 */
export function calledFirst<Thing extends { label: string }>(things: readonly Thing[], text: string): Thing[] {
  const needle = text.trim().toLowerCase();
  const rank = ({ label }: Thing) => {
    const at = label.toLowerCase().indexOf(needle);
    return at === 0 ? 0 : at > 0 ? 1 : 2;
  };
  return things.toSorted((one, other) => rank(one) - rank(other));
}
