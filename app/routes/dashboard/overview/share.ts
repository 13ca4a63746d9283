/** Returns a share of a limit, from 0; a limit of zero is full. */
export function shareOf(part: bigint, limit: bigint | null): number {
  if (limit === null) return 0;
  return limit === 0n ? 1 : Number(part) / Number(limit);
}
