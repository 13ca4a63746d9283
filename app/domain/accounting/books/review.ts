import { apiError } from "~/errors/app-error";
import { log } from "~/observe/log.server";
import { isAmount, notAnAmount } from "../amount";
import { finishedText, settleValues } from "../call-text";
import type { SqlValue } from "../link/one-text-query";
import type { SqlLink } from "../link/sql-link";
import { problemOf } from "../link/sql-problem";
import type { Receipt, ReviewHold, ReviewResolution, Settlement } from "../shared";
import { HOLD_STATE, REVIEWS, SETTLE } from "../store";
import { readSettleExceptions } from "../turns/verdict";

const WITHIN_MS = 4_000;
const MAX_REPEATS = 3;

/** A person's decision about a call in review, with the person and the reason. */
export type ReviewToResolve = { callId: string; resolution: ReviewResolution; actor: string; reason: string };

/** Holds in review, oldest first, at most 500. */
export async function listReviews(link: SqlLink): Promise<ReviewHold[]> {
  return readReviews(await link.ask(REVIEWS, [null, null], WITHIN_MS));
}

export function readReviews(json: string): ReviewHold[] {
  type Row = Omit<ReviewHold, "amountNanoUsd" | "checkpointCostNanoUsd" | "admittedAt" | "leaseUntil"> &
    Record<"amountNanoUsd" | "admittedAt" | "leaseUntil", string> & { checkpointCostNanoUsd: string | null };
  return (JSON.parse(json) as Row[]).map((row) => ({
    ...row,
    amountNanoUsd: BigInt(row.amountNanoUsd),
    checkpointCostNanoUsd: row.checkpointCostNanoUsd === null ? null : BigInt(row.checkpointCostNanoUsd),
    admittedAt: new Date(row.admittedAt),
    leaseUntil: new Date(row.leaseUntil),
  }));
}

/** Ends a review with a person's decision. See the face. */
export async function resolveReview(
  link: SqlLink,
  { callId, resolution, actor, reason }: ReviewToResolve,
): Promise<Receipt> {
  const costNanoUsd = resolution.kind === "settle" ? resolution.costNanoUsd : 0n;
  if (!isAmount(costNanoUsd)) throw notAnAmount(costNanoUsd);
  const [hold] = readReviews(await link.ask(REVIEWS, [null, callId], WITHIN_MS));
  if (hold === undefined) {
    const state = await link.ask(HOLD_STATE, [callId], WITHIN_MS);
    throw state === ""
      ? apiError("not_found", { key: "rejections:noCall" })
      : apiError("conflict", { key: "rejections:notInReview", values: { state } });
  }
  const outcome = resolution.kind === "settle" ? "recovered" : "not_executed";
  return recordReview(
    link,
    { ...settlementOf(hold, costNanoUsd), outcome, tokenSource: "estimated" },
    `${actor}: ${reason}`.slice(0, 400),
  );
}

/** Settles holds that have been in review for `reviewMs` and have a checkpoint with a price. The others wait for a person. */
export async function settleAtCheckpoints(link: SqlLink, reviewMs: number): Promise<number> {
  const due = readReviews(await link.ask(REVIEWS, [reviewMs, null], WITHIN_MS));
  for (const hold of due) {
    await recordReview(
      link,
      settlementOf(hold, hold.checkpointCostNanoUsd ?? 0n),
      "recovery: settled at the last checkpoint",
    );
  }
  if (due.length > 0) log.warn({ holds: due.length }, "holds in review were settled at their last checkpoint");
  return due.length;
}

async function recordReview(link: SqlLink, settlement: Settlement, actor: string): Promise<Receipt> {
  const exception = readSettleExceptions(await settledOnce(link, settleValues([finishedText(settlement)], actor))).get(
    0,
  );
  if (exception?.kind === "refused")
    throw apiError("conflict", { key: "rejections:cannotSettle", values: { problem: exception.problem } });
  return {
    chargedNanoUsd: exception?.chargedNanoUsd ?? settlement.costNanoUsd,
    repeated: exception?.kind === "repeated",
    durable: "database",
  };
}

/** Tried again behind a deadlock or a broken connection: a settlement that was carried out after all is only told again. */
async function settledOnce(link: SqlLink, values: SqlValue[]): Promise<string> {
  for (let left = MAX_REPEATS; ; left -= 1) {
    try {
      return await link.ask(SETTLE, values, WITHIN_MS);
    } catch (problem) {
      const { kind } = problemOf(problem as Error);
      if (left === 0 || (kind !== "again" && kind !== "lost")) throw problem;
    }
  }
}

/** The settlement of a call with an unknown outcome. */
function settlementOf(hold: ReviewHold, costNanoUsd: bigint): Settlement {
  const { callId, keyId, userId, departmentId, projectId, organisationId, walletId, exempt } = hold;
  return {
    callId,
    keyId,
    userId,
    departmentId,
    projectId,
    organisationId,
    walletId,
    exempt,
    held: true,
    endpoint: "",
    requestedModel: hold.model,
    model: hold.model,
    supplier: hold.supplier,
    region: hold.region,
    stream: false,
    sessionId: null,
    inputTokens: hold.inputTokens ?? 0,
    cachedInputTokens: 0,
    cacheWriteTokens: 0,
    outputTokens: hold.outputTokens ?? 0,
    reasoningTokens: 0,
    tokenSource: "checkpoint",
    costNanoUsd,
    priceVersion: hold.priceVersion,
    outcome: "recovered",
    status: 0,
    errorCode: hold.reason === "" ? null : hold.reason,
    attempts: [],
    startedAt: hold.admittedAt,
    firstByteMs: null,
    latencyMs: Math.max(0, hold.leaseUntil.getTime() - hold.admittedAt.getTime()),
    routing: hold.batchId === null ? null : { batchId: hold.batchId },
  };
}
