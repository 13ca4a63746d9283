import { publish } from "~/connection/bus.server";
import type { Db } from "~/connection/db.server";
import { readBalances } from "~/domain/accounting/index.server";
import { recordAbout } from "~/domain/accounts/index.server";
import type { Actor } from "~/domain/accounts/shared";
import { endNomination } from "~/domain/payers/index.server";
import { apiError } from "~/errors/app-error";
import {
  NOTHING_REVOKED,
  type OrphanedAccess,
  type RevokedAccess,
  readOrphanedAccess,
  revokedAuditFields,
  revokeExcessAccess,
} from "./orphaned-access";
import { leaveProjects } from "./project-keys";
import type { SettableStatus } from "./shared";
import { changePerson, countPaidFor, countWhatStops, endSessions } from "./store";
import { requireAccessible, requireOperation, requireOtherOwner, withTarget } from "./target";

/** What ends when a person is suspended, archived or deleted. */
export type Consequences = {
  activeKeys: number;
  sessions: number;
  projects: number;
  leftBehind: OrphanedAccess;
  /** Number of people for whom their wallet pays. If not zero, archiving and deleting are refused. */
  paysFor: number;
  /** Balance of their own wallet; null: they have none. */
  walletNanoUsd: bigint | null;
  heldNanoUsd: bigint;
};

/**
 * Returns what a change of a person's status would stop, as of now.
 * @throws AppError forbidden, not_found
 */
export async function previewConsequences(db: Db, actor: Actor, userId: number): Promise<Consequences> {
  requireOperation(actor, "status");
  await requireAccessible(db, actor, userId);
  const [stops, leftBehind, paysFor, balances] = await Promise.all([
    countWhatStops(db, userId),
    readOrphanedAccess(db, actor, userId),
    countPaidFor(db, userId),
    readBalances(db, "user", [userId]),
  ]);
  const wallet = balances.get(userId);
  return {
    activeKeys: Number(stops.active_keys),
    sessions: Number(stops.sessions),
    projects: Number(stops.projects),
    leftBehind,
    paysFor,
    walletNanoUsd: wallet?.postedNanoUsd ?? null,
    heldNanoUsd: wallet?.heldNanoUsd ?? 0n,
  };
}

/**
 * Suspends, archives or reactivates a person. After the commit their keys are refused (in other processes within a
 * second) and they are signed out everywhere. Archiving also removes them and their keys from their projects. In-flight
 * calls finish and are paid. Their open invitations are revoked. Admin keys whose secret they saw are revoked too,
 * unless `revokeAdminKeys` is false. Reactivating restores neither. Repeating it changes nothing.
 * @throws AppError forbidden, not_found; conflict for the last owner, and for archiving a person who pays for others.
 */
export function setStatus(
  db: Db,
  actor: Actor,
  userId: number,
  status: SettableStatus,
  { revokeAdminKeys = true } = {},
): Promise<RevokedAccess> {
  return withTarget(db, actor, "status", userId, async (tx, target) => {
    if (target.status === status) return NOTHING_REVOKED;
    if (status !== "active") await requireOtherOwner(tx, target);
    if (status === "archived") {
      await refusePayer(tx, userId);
      await leaveProjects(tx, actor, userId);
    }
    if (status !== "active") await endNomination(tx, actor, userId);
    await changePerson(tx, userId, { status });
    const sessions = status === "active" ? 0 : await endSessions(tx, userId);
    const withdrawn =
      status === "active" ? NOTHING_REVOKED : await revokeExcessAccess(tx, actor, userId, { revokeAdminKeys });
    await publish(tx, "keys");
    await recordAbout(tx, actor, target, {
      action: "user.status",
      before: { status: target.status },
      after: { status, ...(sessions > 0 ? { sessionsEnded: sessions } : {}), ...revokedAuditFields(withdrawn) },
    });
    return withdrawn;
  });
}

/** Rejects a person who pays for others. @throws AppError conflict */
export async function refusePayer(tx: Db, userId: number): Promise<void> {
  const paysFor = await countPaidFor(tx, userId);
  if (paysFor === 0) return;
  throw apiError("conflict", {
    key: "rejections:paysForOthers",
    values: { count: paysFor },
  });
}
