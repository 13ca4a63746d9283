import type { Db } from "./db.server";
import { SEALED_PREFIX, seal, unseal } from "./sealing.server";

/** The migration of the first release that reads sealed addresses. */
const READABLE_SINCE = "20261128040000_sealed_addresses";

/**
 * Whether addresses may be sealed: no process of the release that reads them in the clear only can still be running. That is so
 * a day after the upgrade, and from the beginning in a new installation.
 */
export async function mayBeSealed(db: Db): Promise<boolean> {
  const [row] = await db.$queryRaw<{ sealed: boolean }[]>`
    SELECT m.finished_at < now() - interval '24 hours' OR m.finished_at < first.at + interval '1 hour' AS sealed
      FROM _prisma_migrations m, (SELECT min(finished_at) AS at FROM _prisma_migrations) first
     WHERE m.migration_name = ${READABLE_SINCE} AND m.finished_at IS NOT NULL`;
  return row?.sealed ?? false;
}

/** Whether a stored address is sealed. No URL begins like a sealed text: a colon ends its scheme. */
export const isSealed = (stored: string): boolean => stored.startsWith(SEALED_PREFIX);

/** An address that may hold a password of its receiver's, sealed for the place where it is kept. */
export const sealAddress = (url: string, place: string): string => seal(url, `${place}:url`);

/** An address as `sealAddress` has sealed it, or as earlier releases have stored it. @throws CannotOpen */
export const openAddress = (stored: string, place: string): string =>
  isSealed(stored) ? unseal(stored, `${place}:url`) : stored;
