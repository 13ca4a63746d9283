import { createHash } from "node:crypto";
import { DatabaseBusy, whileAnswering } from "~/connection/database-patience";
import { db } from "~/connection/db.server";
import * as accounting from "~/domain/accounting/index.server";
import { claimKey, releaseKey } from "~/domain/idempotency/index.server";
import type { ClaimRequest, StoredAnswer } from "~/domain/idempotency/shared";
import type { Caller } from "~/domain/keys/shared";
import { apiError } from "~/errors/app-error";
import { databaseError } from "~/http/database-error";
import { headerOf } from "~/http/server/connection";
import { TimeoutError } from "~/network/with-timeout";
import { log } from "~/observe/log.server";
import { unreachable } from "~/values/unreachable";
import type { Call } from "../call-record";
import type { InferenceRequest } from "../canonical/inference-request";
import { usageHeaders } from "../gateway-headers";
import { Claim } from "./claim";

const KEY = /^[\x21-\x7e]{1,255}$/;
/** Seconds to wait before a retry while it is unknown whether the call was executed. */
const UNKNOWN_RETRY_SECONDS = 60;

export { Claim } from "./claim";

/** Returns a request's Idempotency-Key; null if it has none. @throws AppError invalid_idempotency_key */
export function idempotencyKeyOf(request: Request): string | null {
  const key = headerOf(request, "idempotency-key");
  if (key === null) return null;
  if (!KEY.test(key)) throw apiError("invalid_idempotency_key");
  return key;
}

/** A request with an Idempotency-Key. `body`: its text; null if it is not text. */
export type Claiming = { call: Call; caller: Caller; inference: InferenceRequest; body: string | null };

/**
 * Claims the key for this call, or returns the answer to the first request with it.
 * @throws AppError idempotency_conflict for a different request; operation_in_progress while the first one runs, or
 * while it is unknown whether it was executed; stream_interrupted and result_too_large if its answer is not available
 * any more; service_unavailable, within two seconds, while the database is unreachable; capacity_exceeded if it is
 * overloaded.
 */
export async function claimOrReplay(
  { call, caller, inference, body }: Claiming,
  idempotencyKey: string,
): Promise<Claim | Response> {
  const claim: ClaimRequest = {
    keyId: caller.keyId,
    organisationId: caller.organisationId,
    idempotencyKey,
    requestHash: await hashOf(inference, body),
    callId: call.id,
  };
  const result = await claimed(claim);
  switch (result.kind) {
    case "claimed":
      return new Claim(claim);
    case "conflict":
      throw apiError("idempotency_conflict");
    case "inProgress":
      throw apiError(
        "operation_in_progress",
        result.unknown
          ? {
              userMessage:
                "Nobody knows yet whether the first request with this Idempotency-Key was carried out. Ask again later with the same key.",
              retryAfterSeconds: UNKNOWN_RETRY_SECONDS,
              details: { outcome: "unknown" },
            }
          : {},
      );
    case "lost":
      throw lost();
    case "answered":
      return replay(result);
    default:
      return unreachable(result);
  }
}

async function claimed(claim: ClaimRequest): ReturnType<typeof claimKey> {
  const claiming = claimKey(db(), claim);
  try {
    return await whileAnswering(claiming);
  } catch (problem) {
    const error = databaseError(problem);
    if (error === null) throw problem;
    // A claim that succeeds later must not block a repeated request.
    if (problem instanceof TimeoutError || problem instanceof DatabaseBusy)
      claiming
        .then(({ kind }) => (kind === "claimed" ? releaseKey(db(), claim) : undefined))
        .catch((late) => log.warn({ err: late, call: claim.callId }, "an Idempotency-Key could not be given back"));
    throw error;
  }
}

/** Hashes the identity of a request: its endpoint, the region lock, and every byte of its body. */
async function hashOf(inference: InferenceRequest, body: string | null): Promise<Buffer> {
  const hash = createHash("sha256").update(`${inference.endpoint}\n${inference.region ?? ""}\n`);
  if (body !== null) hash.update(body);
  await inference.digest?.(hash);
  return hash.digest();
}

type Answered = { answer: StoredAnswer; settlement: string; chargedNanoUsd: bigint | null };

/** Returns a stored answer. If the first process did not book it, books it now. */
async function replay({ answer, settlement: line, chargedNanoUsd: booked }: Answered): Promise<Response> {
  const settlement = accounting.readSettlementLine(line);
  if (settlement === null) throw lost();
  const charged = booked ?? (await accounting.settle(settlement)).chargedNanoUsd;
  if (answer.kind === "broken") throw lost();
  if (answer.kind === "too_large")
    throw apiError("result_too_large", {
      userMessage:
        "The first request with this Idempotency-Key was carried out and charged, but its answer was too large to be kept.",
      doNotRepeat: true,
    });
  const bytes = Buffer.from(answer.body, answer.encoding);
  const headers = { ...answer.headers, "idempotent-replayed": "true" };
  if (!answer.stream) Object.assign(headers, usageHeaders(settlement, charged));
  return new Response(bytes as Uint8Array<ArrayBuffer>, { status: answer.status, headers });
}

const lost = () =>
  apiError("stream_interrupted", {
    userMessage:
      "The first request with this Idempotency-Key was carried out and charged, but its answer is lost. Use a new key to ask again.",
    doNotRepeat: true,
  });
