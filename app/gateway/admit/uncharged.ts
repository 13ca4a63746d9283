import { db } from "~/connection/db.server";
import * as accounting from "~/domain/accounting/index.server";
import type { Caller } from "~/domain/keys/shared";
import { AppError, apiError } from "~/errors/app-error";
import type { CallContext } from "../call-context";

/** Smallest possible hold: tests whether there is any money. */
const MIN_NANO_USD = 1n;

/**
 * Admits a request that costs its payer nothing but uses a supplier. Counts it against the key's rate limit and returns
 * whether the payer could pay for a call now. No hold stays.
 * @throws AppError rate_limit_exceeded; billing_unavailable while the database is unreachable
 */
export async function admitUncharged({ call, caller }: Pick<CallContext, "call" | "caller">): Promise<boolean> {
  if (!caller.limited && caller.exempt) return true;
  await countAgainstRate(caller);
  const { keyId, userId, departmentId, projectId, organisationId, walletId, exempt } = caller;
  const parties = { keyId, userId, departmentId, projectId, organisationId, walletId, exempt };
  const request = { ...parties, callId: call.id, amountNanoUsd: MIN_NANO_USD, rateLimitRpm: null, priceVersion: 0 };
  const { kind } = await accounting.admit({ ...request, isPatient: false }, call);
  if (kind === "held") await accounting.freeHolds([call.id], "not_charged");
  return kind === "held";
}

async function countAgainstRate({ keyId, rateLimitRpm }: Caller): Promise<void> {
  if (rateLimitRpm === null) return;
  let retryAfterSeconds: number;
  try {
    retryAfterSeconds = await accounting.countRequest(db(), keyId, rateLimitRpm);
  } catch (cause) {
    throw cause instanceof AppError ? cause : apiError("billing_unavailable", { cause });
  }
  if (retryAfterSeconds > 0) throw apiError("rate_limit_exceeded", { retryAfterSeconds });
}
