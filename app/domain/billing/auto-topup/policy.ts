import { inTransaction } from "~/connection/bus.server";
import type { Db } from "~/connection/db.server";
import { type Actor, atLeast, authorOf } from "~/domain/accounts/shared";
import { recordAuditEvent } from "~/domain/activity/index.server";
import { apiError } from "~/errors/app-error";
import type { AutoTopupPolicyView } from "../shared";
import { cancelCreated } from "./operation-store";
import { checkAllSoon, findPolicy, insertPolicy } from "./settings-store";

/** Returns the operator's policy; null before the first decision. */
export const readAutoTopupPolicy = (db: Db): Promise<AutoTopupPolicyView | null> => findPolicy(db);

/**
 * Approves auto top-up within limits, or withdraws the approval: nothing is charged from then on, and charges that were
 * not sent to the processor are cancelled. Records an audit event. Returns the policy's version. Amounts are nano-USD.
 * @throws AppError forbidden below platform admins; conflict when there was another decision after `version`.
 */
export async function decideAutoTopupPolicy(
  db: Db,
  actor: Actor,
  decision: {
    version: number;
    approved: boolean;
    maxChargeNanoUsd: bigint;
    maxDayNanoUsd: bigint;
    maxMonthNanoUsd: bigint;
  },
): Promise<number> {
  if (!atLeast(actor.role, "platform_admin")) throw apiError("forbidden");
  return inTransaction(db, async (tx) => {
    const { version: seen, ...policy } = decision;
    const version = await insertPolicy(tx, { ...policy, decidedBy: actor.userId }, seen);
    if (version === null) throw apiError("conflict", { key: "problems:conflict" });
    if (policy.approved) await checkAllSoon(tx);
    else await cancelCreated(tx, null);
    await recordAuditEvent(tx, {
      by: authorOf(actor),
      action: "auto_topup.policy",
      target: { kind: "auto_topup", id: version, label: "policy" },
      organisationId: null,
      after: { version, ...policy },
    });
    return version;
  });
}
