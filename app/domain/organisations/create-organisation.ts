import type { Db } from "~/connection/db.server";
import { openWallet } from "~/domain/accounting/index.server";
import { findSlugsLike } from "./organisation-store";
import { slugOf } from "./slug";
import { insertOrganisation, lockSlugs } from "./store";

/**
 * Creates an organisation with its wallet, for a sign-up or an administrator. `db` must be a transaction. The slug
 * follows the name, with a number if it is taken. `billingExempt`: its payers are not charged; only owners and platform
 * admins set this.
 */
export async function createOrganisation(
  db: Db,
  organisation: { name: string; billingExempt: boolean; slug?: string; resellerId?: number | null },
): Promise<{ id: number; slug: string }> {
  const { name, billingExempt, resellerId } = organisation;
  // Concurrent organisations of the same name would choose the same slug.
  await lockSlugs(db);
  const slug = freeSlug(organisation.slug ?? slugOf(name), await findSlugsLike(db, organisation.slug ?? slugOf(name)));
  const { id } = await insertOrganisation(db, { name, slug, billingExempt, resellerId });
  await openWallet(db, { kind: "organisation", id, organisationId: id }, { exempt: billingExempt });
  return { id, slug };
}

/** Returns the first free slug of `acme`, `acme-2`, `acme-3`, … */
function freeSlug(preferred: string, existing: readonly string[]): string {
  const known = new Set(existing);
  if (!known.has(preferred)) return preferred;
  for (let number = 2; ; number += 1) {
    const candidate = `${preferred.slice(0, 54)}-${number}`;
    if (!known.has(candidate)) return candidate;
  }
}
