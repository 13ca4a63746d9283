import { inTransaction } from "~/bus.server";
import type { Db } from "~/db.server";
import { recordAct } from "~/domain/activity/index.server";
import { refusal } from "~/errors/app-error";
import type { MessageKey } from "~/errors/message";
import { type Objection, OPERATIONS, type Operation, objectionTo, reachOf } from "./administer-rules";
import { countOtherOwners, findTarget, lockOwners, lockPerson, type TargetRow } from "./administer-store";
import { type Actor, atLeast, authorOf, type Role } from "./shared";

/** A person whom somebody may act on, as the database keeps them while they do. */
export type Target = Omit<TargetRow, "role"> & { role: Role };

/**
 * Finds a person in the actor's reach and keeps them as they are while `work` acts on them, in one transaction.
 * @throws AppError forbidden below the operation's role, or when the person does not stand below the actor; not_found, the
 *   same for somebody out of reach and for nobody.
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
    const seen = await reached(tx, actor, userId);
    // Owners are locked together, so that of two who end each other's one stays.
    if (seen.role === "owner") await lockOwners(tx);
    await lockPerson(tx, userId);
    const target = await reached(tx, actor, userId);
    const objection = objectionTo(actor, operation, target);
    if (objection !== null) throw objected(objection);
    return work(tx, target);
  });
}

/** @throws AppError forbidden */
export function requireOperation(actor: Actor, operation: Operation): void {
  if (!atLeast(actor.role, OPERATIONS[operation])) throw refusal("forbidden");
}

export async function reached(db: Db, actor: Actor, userId: number): Promise<Target> {
  const reach = reachOf(actor);
  const row = reach === null ? null : await findTarget(db, reach, userId);
  if (row === null) throw noSuchPerson();
  return { ...row, role: row.role as Role };
}

/** @throws AppError conflict when nobody else could act as the owner. */
export async function keepOneOwner(tx: Db, target: Target): Promise<void> {
  if (target.role !== "owner" || target.status !== "active" || (await countOtherOwners(tx, target.id)) > 0) return;
  throw refusal("conflict", { key: "rejections:lastOwner" });
}

/** Writes one line about a person into the audit trail. */
export function recordAbout(
  tx: Db,
  actor: Actor,
  target: Target,
  act: { action: string; before: Record<string, unknown>; after: Record<string, unknown> },
): Promise<void> {
  return recordAct(tx, {
    by: authorOf(actor),
    action: act.action,
    target: { kind: "user", id: target.id, label: target.email },
    organisationId: target.organisationId,
    departmentId: target.departmentId,
    subjectUserId: target.id,
    before: act.before,
    after: act.after,
  });
}

export const noSuchPerson = () => refusal("not_found", { key: "rejections:noPerson" });

function objected(objection: Objection) {
  const keys: Record<Objection, MessageKey> = {
    below_role: "rejections:roleDoesNotAllow",
    not_below_you: "rejections:onlyBelowYours",
    yourself: "rejections:notYourself",
    gone: "rejections:accountDeleted",
  };
  return refusal(objection === "gone" ? "conflict" : "forbidden", { key: keys[objection] });
}
