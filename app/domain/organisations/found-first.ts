import type { Db } from "~/db.server";
import { anyOrganisation, insertOrganisation, lockFoundation } from "./store";

/** Whether the first organisation was founded by this call, by another process at the same moment, or long before. */
export type Foundation = { by: "us"; id: number } | { by: "another" } | { by: "earlier" };

/**
 * Founds the operator's own organisation, whose payers are billing-exempt, unless there is an organisation already.
 * `db` must be a transaction; of several at once, one founds and the others wait for its end.
 */
export async function foundFirstOrganisation(db: Db, name: string): Promise<Foundation> {
  if (await anyOrganisation(db)) return { by: "earlier" };
  await lockFoundation(db);
  if (await anyOrganisation(db)) return { by: "another" };
  const { id } = await insertOrganisation(db, { name, slug: slugOf(name), billingExempt: true });
  return { by: "us", id };
}

/** A name as part of an address: lower-case letters, digits and hyphens. */
export function slugOf(name: string): string {
  const plain = name.normalize("NFKD").toLowerCase();
  return (
    plain
      .replace(/[^a-z0-9]+/g, "-")
      .replace(/^-+|-+$/g, "")
      .slice(0, 60) || "organisation"
  );
}
