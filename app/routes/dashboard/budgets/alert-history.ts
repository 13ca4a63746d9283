import { z } from "zod";
import { portalEndpoint } from "~/access/portal/endpoint.server";
import { db } from "~/connection/db.server";
import { readAlertHistory } from "~/domain/budgets/index.server";
import { AppError, apiError } from "~/errors/app-error";

const Query = z.object({
  before_id: z
    .string()
    .regex(/^[1-9]\d{0,17}$/)
    .transform(BigInt)
    .optional(),
  limit: z.coerce.number().int().min(1).max(100).default(50),
});

/** The caller's alerts, newest first. Changes nothing. */
const alertHistory = portalEndpoint({
  allow: "viewer",
  query: Query,
  GET: async ({ actor, query }) => {
    const { deliveries, nextBeforeId } = await readAlertHistory(db(), actor, {
      beforeId: query.before_id,
      limit: query.limit,
    }).catch((cause: unknown) => {
      throw cause instanceof AppError ? cause : apiError("budget_alert_history_unavailable", { cause });
    });
    return {
      data: deliveries.map((delivery) => ({
        id: Number(delivery.id),
        alert_id: Number(delivery.alertId),
        kind: delivery.kind,
        threshold_percent: delivery.kind === "threshold" ? Number(delivery.threshold) : null,
        threshold_balance: delivery.kind === "low_balance" ? delivery.threshold : null,
        scope: { kind: delivery.scope, id: delivery.scopeId, name: delivery.scopeName },
        period: delivery.period,
        limit: delivery.limitNanoUsd,
        spent: delivery.spentNanoUsd,
        held: delivery.heldNanoUsd,
        available: delivery.availableNanoUsd,
        resets_at: delivery.resetsAt,
        runs_out_at: delivery.runsOutAt,
        created_at: delivery.createdAt,
        channel: delivery.channel,
        state: delivery.state,
        attempts: delivery.attempts,
        next_attempt_at: delivery.nextAttemptAt,
        sent_at: delivery.sentAt,
        error: delivery.error,
      })),
      next_before_id: nextBeforeId === null ? null : Number(nextBeforeId),
    };
  },
});

export const loader = alertHistory;
export const action = alertHistory;
