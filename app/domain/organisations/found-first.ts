import slugify from "@sindresorhus/slugify";
import type { Db } from "~/db.server";
import { anyOrganisation, insertOrganisation, lockSlugs } from "./store";

/**
 * Creates the operator's own organisation, whose payers are billing-exempt, unless there is an organisation already: then
 * null. `db` must be a transaction; of several at once, one creates and the others wait for its end.
 */
export async function foundFirstOrganisation(db: Db, name: string): Promise<{ id: number } | null> {
  if (await anyOrganisation(db)) return null;
  await lockSlugs(db);
  if (await anyOrganisation(db)) return null;
  return insertOrganisation(db, { name, slug: slugOf(name), billingExempt: true });
}

const MAX_SLUG_LENGTH = 60;

/** A name as part of an address: lower-case letters, digits and hyphens, "organisation" where nothing is left of it. */
export function slugOf(name: string): string {
  const slug = slugify(name, { decamelize: false }).slice(0, MAX_SLUG_LENGTH);
  return slug.replace(/-$/, "") || "organisation";
}
