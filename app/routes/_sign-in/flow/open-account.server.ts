import type { Db } from "~/db.server";
import { type Account, createFirstMember } from "~/domain/identity/index.server";
import { issueKey } from "~/domain/keys/index.server";
import { createOrganisation } from "~/domain/organisations/index.server";

export type FirstMember = {
  email: string;
  name: string;
  organisation: string;
  passwordHash: string | null;
  language: string;
  address: string;
  resellerId: number | null;
};

/**
 * Opens the account of somebody whose address is proven: an organisation with its wallet, the person as its administrator,
 * and its root admin key, whose secret is returned this one time. `tx` is a transaction; nothing of it exists alone.
 * @throws AppError email_taken
 */
export async function openAccount(
  tx: Db,
  firstMember: FirstMember,
): Promise<{ account: Account; rootAdminKey: string }> {
  const { email, name, passwordHash, language, address, resellerId } = firstMember;
  const organisation = await createOrganisation(tx, {
    name: firstMember.organisation || name || email,
    // It spends what it pays for, or what those who run the installation give it.
    billingExempt: false,
    resellerId,
  });
  const organisationId = organisation.id;
  const account = await createFirstMember(tx, { email, name, organisationId, passwordHash, language, address });
  // It is shown to the first member, so it ends with them unless somebody else has rotated it.
  const by = { userId: account.id, label: email, address };
  const key = await issueKey(tx, { organisationId, kind: "admin", name: "root admin key" }, by);
  return { account, rootAdminKey: key.secret };
}
