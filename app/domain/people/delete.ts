import { publish } from "~/connection/bus.server";
import type { Db } from "~/connection/db.server";
import { mergeWallets, openWallet, readBalances } from "~/domain/accounting/index.server";
import { recordAbout } from "~/domain/accounts/index.server";
import type { Actor } from "~/domain/accounts/shared";
import { endNomination } from "~/domain/payers/index.server";
import { apiError } from "~/errors/app-error";
import { type RevokedAccess, revokedAuditFields, revokeExcessAccess } from "./orphaned-access";
import { leaveProjects } from "./project-keys";
import { refusePayer } from "./status";
import { endSessions, erasePerson, revokeKeysOf } from "./store";
import { requireOtherOwner, type Target, withTarget } from "./target";

/**
 * Erases a person permanently. Their spending and audit events remain under a pseudonym. Their address, name, password
 * and identities are deleted, their keys are revoked, their sessions end, and their open invitations are revoked. Admin
 * keys whose secret they saw are revoked too, unless `revokeAdminKeys` is false. Money left in their own wallet moves
 * to their organisation. `confirm` is the person's e-mail address, typed by the administrator.
 * @throws AppError forbidden, not_found; invalid_input when the address is not theirs; conflict for the last owner, for
 *   a person who pays for others, and for a person who is already deleted.
 */
export function hardDelete(
  db: Db,
  actor: Actor,
  userId: number,
  confirm: string,
  { revokeAdminKeys = true } = {},
): Promise<RevokedAccess> {
  return withTarget(db, actor, "hard-delete", userId, async (tx, target) => {
    if (confirm.trim().toLowerCase() !== target.email) {
      throw apiError("invalid_input", { key: "rejections:typeEmailToConfirm", param: "confirm" });
    }
    await requireOtherOwner(tx, target);
    await refusePayer(tx, userId);
    await endNomination(tx, actor, userId);
    const { count: keysRevoked } = await revokeKeysOf(tx, userId, new Date());
    await endSessions(tx, userId);
    await leaveProjects(tx, actor, userId);
    const pseudonym = `Person ${userId}`;
    const { email, name } = target;
    await erasePerson(tx, { id: userId, email, name, pseudonym, address: `person-${userId}@deleted.invalid` });
    const withdrawn = await revokeExcessAccess(tx, actor, userId, { revokeAdminKeys });
    const moved = await emptyWallet(tx, actor, target);
    await publish(tx, "keys");
    await recordAbout(
      tx,
      actor,
      { ...target, email: pseudonym, departmentId: null },
      {
        action: "user.delete",
        before: { role: target.role, status: target.status },
        after: { status: "deleted", keysRevoked, movedNanoUsd: moved, ...revokedAuditFields(withdrawn) },
      },
    );
    return withdrawn;
  });
}

/** Moves the wallet's money to the organisation. Money that in-flight calls leave over follows when they end. */
async function emptyWallet(tx: Db, actor: Actor, target: Target): Promise<bigint> {
  const wallet = (await readBalances(tx, "user", [target.id])).get(target.id);
  if (wallet === undefined) return 0n;
  const { organisationId } = target;
  const toId = await openWallet(
    tx,
    { kind: "organisation", id: organisationId, organisationId },
    { exempt: target.organisation.billingExempt },
  );
  return mergeWallets(tx, { fromId: wallet.walletId, toId, withCredit: false, actor: `user:${actor.userId}` });
}
