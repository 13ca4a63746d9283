import type { Db } from "~/connection/db.server";
import { lockPerson } from "~/domain/accounts/index.server";
import type { Actor } from "~/domain/accounts/shared";
import { type Done, doTogether, undo } from "~/domain/activity/index.server";
import { apiError } from "~/errors/app-error";
import { setDepartment } from "./place";
import { setStatus } from "./status";
import { requireAccessible } from "./target";

/** An act on several people. */
type PeopleAct = { intent: "suspend" | "reinstate" } | { intent: "move"; departmentId: number | null };

/**
 * Does one act on several people in the actor's scope: on all of them or, if one is refused, on none. Each change has
 * an audit event. `isFinal`: more ended with it than undoing would restore, such as admin keys and invitations.
 * @throws AppError like the same act on a single person; not_found for a foreign person.
 */
export async function changePeople(
  db: Db,
  actor: Actor,
  ids: readonly number[],
  act: PeopleAct,
): Promise<{ done: Done; isFinal: boolean }> {
  let isFinal = false;
  const done = await doTogether(db, {
    kind: "user",
    ids,
    act: async (tx, id) => {
      const { adminKeysRevoked, invitesRevoked } =
        act.intent === "move"
          ? await setDepartment(tx, actor, id, act.departmentId)
          : await setStatus(tx, actor, id, act.intent === "suspend" ? "suspended" : "active");
      isFinal ||= adminKeysRevoked + invitesRevoked > 0;
    },
  });
  return { done, isFinal };
}

/**
 * Undoes an act on people that the actor has just done.
 * @throws AppError conflict if a person has been changed since, and for an act that cannot be undone.
 */
export const undoPeople = (db: Db, actor: Actor, done: Done): Promise<void> =>
  undo(
    db,
    { kind: "user", done },
    {
      lock: async (tx, id) => {
        await requireAccessible(tx, actor, id);
        await lockPerson(tx, id);
      },
      revert: async (tx, id, { action, before }) => {
        const { status, departmentId } = before as { status?: string; departmentId?: number | null };
        if (action === "user.status" && (status === "active" || status === "suspended"))
          return setStatus(tx, actor, id, status);
        if (action === "user.department" && departmentId !== undefined)
          return setDepartment(tx, actor, id, departmentId);
        throw apiError("conflict", { key: "rejections:notUndone" });
      },
    },
  );
