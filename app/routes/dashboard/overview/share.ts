/** A part of a limit, from 0 on; a limit of nothing is full. */
export function shareOf(part: bigint, limit: bigint | null): number {
  if (limit === null) return 0;
  return limit === 0n ? 1 : Number(part) / Number(limit);
}
