import slugify from "@sindresorhus/slugify";
import type { Db } from "~/connection/db.server";
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

const MAX_SLUG_LENGTH = 60;

/** Returns a name as a URL segment: lower-case letters, digits and hyphens; "organisation" if none of these remain. */
export function slugOf(name: string): string {
  const slug = slugify(name, { decamelize: false }).slice(0, MAX_SLUG_LENGTH);
  return slug.replace(/-$/, "") || "organisation";
}
