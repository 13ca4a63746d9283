import type { Db } from "../connection/db.server";
import { SEALED_PREFIX, seal, unseal } from "./sealing.server";

/** A migration of the first release that can read sealed addresses. */
const READABLE_SINCE = "20261128040000_sealed_addresses";

/**
 * Whether addresses may be sealed: no process of a release that cannot read sealed addresses may still run. True a day
 * after the upgrade, and in a new installation from the beginning.
 */
export async function mayBeSealed(db: Db): Promise<boolean> {
  const [row] = await db.$queryRaw<{ sealed: boolean }[]>`
    SELECT m.finished_at < now() - interval '24 hours' OR m.finished_at < first.at + interval '1 hour' AS sealed
      FROM _prisma_migrations m, (SELECT min(finished_at) AS at FROM _prisma_migrations) first
     WHERE m.migration_name = ${READABLE_SINCE} AND m.finished_at IS NOT NULL`;
  return row?.sealed ?? false;
}

/** Whether a stored address is sealed. No URL begins like a sealed text, because its scheme ends with a colon. */
export const isSealed = (stored: string): boolean => stored.startsWith(SEALED_PREFIX);

/** Seals an address, which may contain the receiver's password, for its place of storage. */
export const sealAddress = (url: string, location: string): string => seal(url, `${location}:url`);

/**
 * Returns an address that `sealAddress` has sealed, or that an earlier release has stored unsealed.
 * @throws CannotOpen
 */
export const openAddress = (stored: string, location: string): string =>
  isSealed(stored) ? unseal(stored, `${location}:url`) : stored;
