import { publish } from "~/connection/bus.server";
import type { Db } from "~/connection/db.server";
import { type Actor, authorOf, type Role } from "~/domain/accounts/shared";
import { recordAuditEvent } from "~/domain/activity/index.server";
import { deleteMemberships, removeKeysFromProject } from "./project-keys-store";

/**
 * Removes a person's keys from projects that paid for them through a membership or rank that has just ended: from one
 * project, or from all that `role` does not open to them. Runs in the caller's transaction. The keys continue to work,
 * and the person's payer outside of projects pays for calls that begin after the commit; calls in flight settle against
 * the wallet that has their hold. Each key gets an audit event, and every process is notified. Returns the number of
 * keys.
 */
export async function withdrawProjectKeys(
  tx: Db,
  actor: Actor,
  userId: number,
  from: { projectId: number } | { role: Role },
): Promise<number> {
  const removed = await removeKeysFromProject(tx, userId, from);
  for (const key of removed) {
    await recordAuditEvent(tx, {
      by: authorOf(actor),
      action: "key.update",
      target: { kind: "key", id: key.id, label: key.name },
      organisationId: key.organisationId,
      departmentId: key.departmentId,
      subjectUserId: userId,
      before: { project_id: key.projectId },
      after: { project_id: null },
    });
    await publish(tx, "keys", String(key.id));
  }
  return removed.length;
}

/** Ends every membership of a person and removes their keys from the projects, in the caller's transaction. */
export async function leaveProjects(tx: Db, actor: Actor, userId: number): Promise<void> {
  await deleteMemberships(tx, userId);
  await withdrawProjectKeys(tx, actor, userId, { role: "member" });
}
