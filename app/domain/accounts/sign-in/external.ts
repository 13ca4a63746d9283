import type { Db } from "~/connection/db.server";
import { recordAuditEvent } from "~/domain/activity/index.server";
import { apiError } from "~/errors/app-error";
import {
  type Account,
  confirmAddress,
  findAccountByEmail,
  findAccountById,
  findAccountByIdentity,
  insertIdentity,
  markIdentityUsed,
} from "../account-store";
import type { ExternalClaims } from "../shared";

export type ExternalOutcome =
  | { kind: "ready"; account: Account }
  | { kind: "closed"; status: "suspended" | "archived" }
  /** An account has this address, and the provider's claim alone does not open it. */
  | { kind: "taken"; account: Account }
  /** The account may not be used in this portal. */
  | { kind: "elsewhere" }
  /** The provider has not verified the address, so the claim proves nothing. */
  | { kind: "unproven" }
  /** No account has this identity or this address. */
  | { kind: "new" };

/**
 * Finds the account that an identity at a provider opens. Only the pair of issuer and subject counts; an equal address
 * opens nothing. `mayUse` decides which accounts may be used in this portal.
 */
export async function accountOfIdentity(
  db: Db,
  claims: ExternalClaims,
  mayUse: (account: Account) => Promise<boolean>,
): Promise<ExternalOutcome> {
  const { issuer, subject, email } = claims;
  const account = await findAccountByIdentity(db, issuer, subject);
  if (account === null) {
    if (!claims.emailVerified) return { kind: "unproven" };
    const taken = await findAccountByEmail(db, email);
    return taken === null ? { kind: "new" } : { kind: "taken", account: taken };
  }
  if (!(await mayUse(account))) return { kind: "elsewhere" };
  if (account.status !== "active") {
    return { kind: "closed", status: account.status === "suspended" ? "suspended" : "archived" };
  }
  await markIdentityUsed(db, issuer, subject, email);
  return { kind: "ready", account };
}

/**
 * Links an identity at a provider to an account. The caller has verified that both belong to the person at this
 * browser. If the provider has verified the account's own address, the address is confirmed here too. Safe to repeat.
 * Returns whether the link is new.
 * @throws AppError conflict when the identity already belongs to another account.
 */
export async function linkIdentity(
  tx: Db,
  person: { userId: number; address: string },
  claims: ExternalClaims,
): Promise<boolean> {
  const { provider, issuer, subject, email } = claims;
  const account = await findAccountById(tx, person.userId);
  if (account === null) throw apiError("user_not_found");
  const before = await findAccountByIdentity(tx, issuer, subject);
  if (!(await insertIdentity(tx, { userId: account.id, provider, issuer, subject, email }))) {
    throw apiError("conflict", { key: "problems:linkedElsewhere" });
  }
  if (claims.emailVerified && email === account.email) await confirmAddress(tx, account.id);
  if (before !== null) return false;
  await recordAuditEvent(tx, {
    by: { userId: account.id, label: account.email, address: person.address },
    action: "user.link",
    target: { kind: "user", id: account.id, label: account.email },
    organisationId: account.organisationId,
    subjectUserId: account.id,
    after: { provider, email },
  });
  return true;
}
