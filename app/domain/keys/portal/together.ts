import type { Db } from "~/connection/db.server";
import type { Actor } from "~/domain/accounts/shared";
import { type Done, doTogether, undo } from "~/domain/activity/index.server";
import { apiError } from "~/errors/app-error";
import { parseWrittenUsd } from "~/values/money";
import { lockForChange } from "../change";
import { type ActorKeyChange, resumeActorKey, revokeActorKey, suspendActorKey, updateActorKey } from "./change";
import { visibleKey } from "./read";

/** An act on several keys. */
export type KeyAct =
  | { intent: "suspend" | "resume" | "revoke" }
  | { intent: "move"; projectId: number | null }
  | { intent: "budget"; budget: NonNullable<ActorKeyChange["budget"]> };

/**
 * Does one act on several keys within the actor's scope: all of them or, if one is refused, none. Each change has an
 * audit event. Returns the changed keys; keys that already are as they should be are left out.
 * @throws AppError like the same act on a single key; not_found for a foreign key.
 */
export const changeActorKeys = (db: Db, actor: Actor, ids: readonly number[], act: KeyAct): Promise<Done> =>
  doTogether(db, { kind: "key", ids, act: (tx, id) => changeOne(tx, actor, id, act) });

function changeOne(tx: Db, actor: Actor, id: number, act: KeyAct): Promise<unknown> {
  switch (act.intent) {
    case "suspend":
      return suspendActorKey(tx, actor, id);
    case "resume":
      return resumeActorKey(tx, actor, id);
    case "revoke":
      return revokeActorKey(tx, actor, id);
    case "move":
      return updateActorKey(tx, actor, id, { projectId: act.projectId });
    case "budget":
      return updateActorKey(tx, actor, id, { budget: act.budget });
  }
}

/**
 * Undoes an act on keys that the actor has just done: suspending, resuming, moving to a project, setting a budget. The
 * actor needs the same rights as for the act.
 * @throws AppError conflict if a key has been changed since, and for an act that cannot be undone.
 */
export const undoActorKeys = (db: Db, actor: Actor, done: Done): Promise<void> =>
  undo(
    db,
    { kind: "key", done },
    {
      lock: async (tx, id) => lockForChange(tx, await visibleKey(tx, actor, id), { id }),
      revert: async (tx, id, { action, before }) => {
        if (action === "key.suspend") return resumeActorKey(tx, actor, id);
        if (action === "key.resume") return suspendActorKey(tx, actor, id);
        const change = action === "key.update" ? changeBack(before) : null;
        if (change === null) throw apiError("conflict", { key: "rejections:notUndone" });
        return updateActorKey(tx, actor, id, change);
      },
    },
  );

/** The change that restores what an event says; null: it changed settings that are not restored. */
function changeBack(before: unknown): ActorKeyChange | null {
  const { project_id: projectId, budget_limit: limit, budget_period: period, ...others } = before as Before;
  if (Object.keys(others).length > 0) return null;
  const limitNanoUsd = limit == null ? null : parseWrittenUsd(limit);
  return {
    ...(projectId === undefined ? {} : { projectId }),
    ...(limit === undefined && period === undefined
      ? {}
      : { budget: { ...(limit === undefined ? {} : { limitNanoUsd }), ...(period == null ? {} : { period }) } }),
  };
}

type Before = {
  project_id?: number | null;
  budget_limit?: string | null;
  budget_period?: NonNullable<ActorKeyChange["budget"]>["period"] | null;
};
