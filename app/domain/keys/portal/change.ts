import { inTransaction } from "~/connection/bus.server";
import type { Db } from "~/connection/db.server";
import { type Actor, atLeast, authorOf } from "~/domain/accounts/shared";
import { readAuditEvents } from "~/domain/activity/index.server";
import { apiError } from "~/errors/app-error";
import { revokeKey, updateKey } from "../change";
import type { IssuedKey } from "../issue";
import type { BudgetChange } from "../key-budget";
import { rotateKey } from "../rotate";
import type { KeyChange } from "../store";
import { requireProject } from "./create";
import { visibleKey } from "./read";
import { limitsAreFixed, mayNotChange, rightsOn } from "./rights";
import type { PortalKey } from "./shared";
import type { NamedKeyRow } from "./store";
import { portalViewsOf } from "./view";

/** New settings; undefined: unchanged. */
export type ActorKeyChange = Omit<KeyChange, "status"> & { budget?: BudgetChange };

/**
 * Changes the settings of a key within the actor's scope, with an audit event. Takes effect everywhere within a second.
 * @throws AppError not_found; forbidden; conflict for a revoked key and for the last usable admin key.
 */
export function updateActorKey(db: Db, actor: Actor, id: number, change: ActorKeyChange): Promise<PortalKey> {
  const { name, metadata, ...limits } = change;
  const touchesLimits = Object.values(limits).some((value) => value !== undefined);
  return inTransaction(db, async (tx) => {
    const key = await changeable(tx, actor, id, touchesLimits ? "limits" : "change");
    if (change.projectId != null && change.projectId !== key.projectId) {
      await requireProject(tx, actor, key.organisationId, change.projectId);
    }
    await updateKey(tx, key, { id }, change, authorOf(actor));
    return reread(tx, actor, id);
  });
}

/** Suspends a key until it is resumed. Repeating it changes nothing. Throws like `updateActorKey`. */
export function suspendActorKey(db: Db, actor: Actor, id: number): Promise<PortalKey> {
  return inTransaction(db, async (tx) => {
    const key = await changeable(tx, actor, id, "change");
    await updateKey(tx, key, { id }, { status: "suspended" }, authorOf(actor));
    return reread(tx, actor, id);
  });
}

/**
 * Resumes a suspended key. Below org_admin, the owner of a key can resume it only if they suspended it themselves.
 * Throws like `updateActorKey`.
 */
export function resumeActorKey(db: Db, actor: Actor, id: number): Promise<PortalKey> {
  return inTransaction(db, async (tx) => {
    const key = await changeable(tx, actor, id, "change");
    const governs = atLeast(actor.role, "org_admin") || (key.userId !== actor.userId && actor.adminMode);
    if (key.status === "suspended" && !governs && !(await didSuspend(tx, actor, id))) {
      throw apiError("forbidden", { key: "rejections:suspendedByAdmin" });
    }
    await updateKey(tx, key, { id }, { status: "active" }, authorOf(actor));
    return reread(tx, actor, id);
  });
}

/** Revokes a key permanently. Repeating it changes nothing. Throws like `updateActorKey`. */
export function revokeActorKey(db: Db, actor: Actor, id: number): Promise<PortalKey> {
  return inTransaction(db, async (tx) => {
    const key = await changeable(tx, actor, id, "change");
    await revokeKey(tx, key, { id }, authorOf(actor));
    return reread(tx, actor, id);
  });
}

/**
 * Gives a key a new secret, which is returned only once. The previous secret works for `overlapSeconds` more. Throws
 * like `updateActorKey`.
 */
export function rotateActorKey(
  db: Db,
  actor: Actor,
  id: number,
  overlap: { overlapSeconds: number },
): Promise<IssuedKey & { previousValidUntil: Date }> {
  return inTransaction(db, async (tx) => {
    const key = await changeable(tx, actor, id, "change");
    return rotateKey(tx, key, { id }, overlap, authorOf(actor));
  });
}

async function changeable(db: Db, actor: Actor, id: number, what: "change" | "limits"): Promise<NamedKeyRow> {
  const key = await visibleKey(db, actor, id);
  const rights = rightsOn(actor, key);
  if (!rights.change) throw mayNotChange();
  if (what === "limits" && !rights.limits) throw limitsAreFixed();
  return key;
}

async function didSuspend(db: Db, actor: Actor, id: number): Promise<boolean> {
  const [last] = await readAuditEvents(db, {
    targetKind: "key",
    targetId: String(id),
    action: "key.suspend",
    limit: 1,
  });
  return last?.actorId === actor.userId;
}

async function reread(db: Db, actor: Actor, id: number): Promise<PortalKey> {
  const [view] = await portalViewsOf(db, [await visibleKey(db, actor, id)]);
  return view!;
}
