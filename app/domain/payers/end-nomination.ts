import type { Db } from "~/connection/db.server";
import { type Actor, authorOf } from "~/domain/accounts/shared";
import { recordAuditEvent } from "~/domain/activity/index.server";
import { deleteNominationsOf } from "./credit-store";

/**
 * Withdraws the request that a person pay for their organisation, in the caller's transaction: they leave it, stop
 * being active, or lose the role that the request was made to.
 */
export async function endNomination(tx: Db, actor: Actor, userId: number): Promise<void> {
  for (const { organisationId, name } of await deleteNominationsOf(tx, userId)) {
    await recordAuditEvent(tx, {
      by: authorOf(actor),
      action: "organisation.billing_user_end",
      target: { kind: "organisation", id: organisationId, label: name },
      organisationId,
      subjectUserId: userId,
      before: { nominatedUserId: userId },
      after: { nominatedUserId: null },
    });
  }
}
