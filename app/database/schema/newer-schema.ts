import type pg from "pg";
import { ConfigError } from "~/config/error";
import { log } from "~/observe/log.server";
import { readBookkeeping } from "./bookkeeping";

/**
 * Checks whether a newer version has migrated the database. During an upgrade, a process of the older version may
 * restart beside the newer one, as long as no migration has removed anything it needs. `schema_floor` names the newest
 * migration that a program must know.
 * @throws ConfigError, with a one-line message, when this version does not know that migration.
 */
export async function requireOldEnough(
  client: pg.Client,
  { known, applied }: { known: readonly string[]; applied: readonly string[] },
): Promise<void> {
  const unknown = applied.filter((name) => !known.includes(name)).toSorted();
  if (unknown.length === 0) return;
  const newest = known.at(-1) ?? "";
  const floors = await readBookkeeping<{ floor: string }>(
    client,
    "schema_floor",
    "SELECT migration AS floor FROM schema_floor",
  );
  const [{ floor } = { floor: null }] = floors;
  if (floor !== null && floor <= newest)
    return log.warn({ newest: unknown.at(-1) }, "a newer version has migrated the database; this one works beside it");
  throw new ConfigError(
    `a newer version has migrated the database (${unknown.at(-1)}), and this one is too old for it${floor === null ? "" : `: it has to know ${floor}`}; start the newer version, or restore a backup from before the upgrade`,
  );
}
