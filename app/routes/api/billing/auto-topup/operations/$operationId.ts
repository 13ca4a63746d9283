import { z } from "zod";
import { portalEndpoint } from "~/access/portal/endpoint.server";
import { db } from "~/connection/db.server";
import { readAutoTopupOperation } from "~/domain/billing/index.server";

/** State of one of the caller's auto top-ups, from gw's records. */
const operation = portalEndpoint({
  allow: "viewer",
  params: z.object({ operationId: z.uuid() }),
  GET: async ({ actor, params }) => {
    const found = await readAutoTopupOperation(db(), actor, params.operationId);
    return {
      id: found.id,
      state: found.state,
      settings_version: found.settingsVersion,
      amount: found.amountNanoUsd,
      fee: found.feeNanoUsd,
      confirmed: found.confirmed,
      failure: found.failure,
      action_url: found.actionUrl,
      created_at: found.createdAt,
      submitted_at: found.submittedAt,
      ended_at: found.endedAt,
    };
  },
});

export const loader = operation;
export const action = operation;
