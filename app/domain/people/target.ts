import { inTransaction } from "~/connection/bus.server";
import type { Db } from "~/connection/db.server";
import { lockPerson } from "~/domain/accounts/index.server";
import { type Actor, atLeast, type Role } from "~/domain/accounts/shared";
import { apiError } from "~/errors/app-error";
import type { MessageKey } from "~/errors/message";
import { accessScopeOf, type DenialReason, denialReason, OPERATIONS, type Operation } from "./rules";
import { countOtherOwners, findTarget, lockOwners, type TargetRow } from "./store";

/** The person of an administrative operation, as locked in the database while it runs. */
export type Target = Omit<TargetRow, "role"> & { role: Role };

/**
 * Finds a person in the actor's access scope and locks their row while `work` runs, in one transaction.
 * @throws AppError forbidden below the operation's role, or when the person does not rank below the actor; not_found,
 *   the same for a person outside the scope and for an unknown id.
 */
export async function withTarget<Result>(
  db: Db,
  actor: Actor,
  operation: Operation,
  userId: number,
  work: (tx: Db, target: Target) => Promise<Result>,
): Promise<Result> {
  requireOperation(actor, operation);
  return inTransaction(db, async (tx) => {
    const before = await requireAccessible(tx, actor, userId);
    // All owners are locked together, so that two owners who remove each other at once leave one owner.
    if (before.role === "owner") await lockOwners(tx);
    await lockPerson(tx, userId);
    const target = await requireAccessible(tx, actor, userId);
    const reason = denialReason(actor, operation, target);
    if (reason !== null) throw denied(reason);
    return work(tx, target);
  });
}

/** @throws AppError forbidden */
export function requireOperation(actor: Actor, operation: Operation): void {
  if (!atLeast(actor.role, OPERATIONS[operation])) throw apiError("forbidden");
}

export async function requireAccessible(db: Db, actor: Actor, userId: number): Promise<Target> {
  const accessScope = accessScopeOf(actor);
  const row = accessScope === null ? null : await findTarget(db, accessScope, userId);
  if (row === null) throw noSuchPerson();
  return { ...row, role: row.role as Role };
}

/** @throws AppError conflict when there is no other active owner. */
export async function requireOtherOwner(tx: Db, target: Target): Promise<void> {
  if (target.role !== "owner" || target.status !== "active" || (await countOtherOwners(tx, target.id)) > 0) return;
  throw apiError("conflict", { key: "rejections:lastOwner" });
}

export const noSuchPerson = () => apiError("not_found", { key: "rejections:noPerson" });

function denied(reason: DenialReason) {
  const keys: Record<DenialReason, MessageKey> = {
    below_role: "rejections:roleDoesNotAllow",
    not_below_you: "rejections:onlyBelowYours",
    yourself: "rejections:notYourself",
    gone: "rejections:accountDeleted",
  };
  return apiError(reason === "gone" ? "conflict" : "forbidden", { key: keys[reason] });
}
