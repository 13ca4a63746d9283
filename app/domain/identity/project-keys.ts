import { publish } from "~/bus.server";
import type { Db } from "~/db.server";
import { recordAuditEvent } from "~/domain/activity/index.server";
import { deleteMemberships, takeKeysOut } from "./project-keys-store";
import { type Actor, authorOf, type Role } from "./shared";

/**
 * Takes a person's keys out of projects that paid for them by a membership or a rank that has just ended, in the caller's
 * transaction: of one project, or of all that `role` does not open to them. They go on working, and whoever pays for the person
 * elsewhere pays for calls that begin from the commit on; calls in flight settle where their money is held. Each key gets its
 * line in the audit log, and every process hears of it. Returns how many there were.
 */
export async function withdrawProjectKeys(
  tx: Db,
  actor: Actor,
  userId: number,
  from: { projectId: number } | { role: Role },
): Promise<number> {
  const taken = await takeKeysOut(tx, userId, from);
  for (const key of taken) {
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
  return taken.length;
}

/** Ends every membership of a person, and takes their keys along, in the caller's transaction. */
export async function leaveProjects(tx: Db, actor: Actor, userId: number): Promise<void> {
  await deleteMemberships(tx, userId);
  await withdrawProjectKeys(tx, actor, userId, { role: "member" });
}
