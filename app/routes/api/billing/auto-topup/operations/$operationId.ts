import { z } from "zod";
import { portalEndpoint } from "~/access/portal/endpoint.server";
import { db } from "~/connection/db.server";
import { readAutoTopupOperation } from "~/domain/billing/index.server";

/** State of one of the caller's auto top-ups, from gw's records. */
const operation = portalEndpoint({
  allow: "viewer",
  params: z.object({ operationId: z.uuid() }),
  GET: async ({ actor, params }) => {
    const match = await readAutoTopupOperation(db(), actor, params.operationId);
    return {
      id: match.id,
      state: match.state,
      settings_version: match.settingsVersion,
      amount: match.amountNanoUsd,
      fee: match.feeNanoUsd,
      confirmed: match.confirmed,
      failure: match.failure,
      action_url: match.actionUrl,
      created_at: match.createdAt,
      submitted_at: match.submittedAt,
      ended_at: match.endedAt,
    };
  },
});

export const loader = operation;
export const action = operation;
