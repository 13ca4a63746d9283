import type { Db } from "~/connection/db.server";
import { slugOf } from "./slug";
import { anyOrganisation, insertOrganisation, lockSlugs } from "./store";

/**
 * Creates the operator's own organisation, whose payers are billing-exempt. Returns null if an organisation exists
 * already. `db` must be a transaction; of concurrent transactions one creates it, and the others wait for it to end.
 */
export async function createFirstOrganisation(db: Db, name: string): Promise<{ id: number } | null> {
  if (await anyOrganisation(db)) return null;
  await lockSlugs(db);
  if (await anyOrganisation(db)) return null;
  return insertOrganisation(db, { name, slug: slugOf(name), billingExempt: true });
}
