import type { Db } from "~/connection/db.server";
import { type Account, createFirstMember } from "~/domain/accounts/index.server";
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
 * Opens the account of a person with a confirmed address: an organisation with its wallet, the person as its
 * administrator, and its root admin key, whose secret is returned only here. `tx` must be a transaction, so that all or
 * nothing is created.
 * @throws AppError email_taken
 */
export async function openAccount(
  tx: Db,
  firstMember: FirstMember,
): Promise<{ account: Account; rootAdminKey: string }> {
  const { email, name, passwordHash, language, address, resellerId } = firstMember;
  const organisation = await createOrganisation(tx, {
    name: firstMember.organisation || name || email,
    // The organisation spends only its own payments and credit from the operator.
    billingExempt: false,
    resellerId,
  });
  const organisationId = organisation.id;
  const account = await createFirstMember(tx, { email, name, organisationId, passwordHash, language, address });
  // The first member sees the secret, so the key is revoked with them unless another person has rotated it.
  const by = { userId: account.id, label: email, address };
  const key = await issueKey(tx, { organisationId, kind: "admin", name: "root admin key" }, by);
  return { account, rootAdminKey: key.secret };
}
