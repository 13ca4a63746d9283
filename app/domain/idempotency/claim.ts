import type { Db } from "~/connection/db.server";
import { readSettlementLine, settle } from "~/domain/accounting/index.server";
import { seal, unseal } from "~/sealing/sealing.server";
import { deleteManaged, deleteOldManaged } from "./managed-store";
import { type ClaimRequest, type ClaimResult, KEPT_HOURS, type StoredAnswer } from "./shared";
import {
  type ClaimRow,
  deleteAnswers,
  deleteClaim,
  deleteOld,
  insertClaim,
  listUnbooked,
  moveClaim,
  putAnswer,
} from "./store";

/** Age in seconds after which a call without a hold will not get one: admission gives up long before. */
const ADMITTED_WITHIN_SECONDS = 60;
const MAX_TURNS = 5;
const MAX_RECORDED = 100;

/**
 * Claims an Idempotency-Key for a call, before a hold is placed. Safe under any concurrency: of all requests with the
 * key one gets it, and the others get the state of that one. A key whose call was not executed goes to the next
 * request.
 */
export async function claimKey(db: Db, claim: ClaimRequest): Promise<ClaimResult> {
  for (let turn = 0; turn < MAX_TURNS; turn += 1) {
    const row = await insertClaim(db, claim);
    if (row === null) continue;
    if (row.mine) return { kind: "claimed" };
    const result = resultOf(row, claim);
    if (result !== "free") return result;
    if (await moveClaim(db, claim, row.callId)) return { kind: "claimed" };
  }
  return { kind: "inProgress", unknown: false };
}

/**
 * Stores the answer of a claimed call, sealed, with the settlement of the call. Does nothing when another call has the
 * claim by then.
 */
export function storeAnswer(db: Db, claim: ClaimRequest, answer: StoredAnswer, settlement: string): Promise<void> {
  return putAnswer(db, claim, seal(JSON.stringify(answer), associatedData(claim)), settlement);
}

/** Releases a key whose call was not executed, so that the next request with it runs. Safe to repeat. */
export function releaseKey(db: Db, claim: ClaimRequest): Promise<void> {
  return deleteClaim(db, claim);
}

/** Deletes answers after their retention, at most `maximum` at once. Returns their number. */
export async function purgeOldAnswers(db: Db, maximum = 5_000): Promise<number> {
  const calls = await deleteOld(db, KEPT_HOURS, maximum);
  return calls + (await deleteOldManaged(db, KEPT_HOURS, maximum - calls));
}

/** Deletes the stored answers of an organisation, or of one of its API keys, at once. Returns their number. */
export async function purgeAnswers(db: Db, organisationId: number, keyId: number | null = null): Promise<number> {
  return (await deleteAnswers(db, organisationId, keyId)) + (await deleteManaged(db, organisationId, keyId));
}

/**
 * Settles calls that were answered but not settled because their process crashed in between: their cost is known. Safe
 * to repeat. Returns their number.
 */
export async function bookAnswered(db: Db): Promise<number> {
  const lines = await listUnbooked(db, MAX_RECORDED);
  const settlements = lines.map(readSettlementLine).filter((settlement) => settlement !== null);
  await Promise.all(settlements.map((settlement) => settle(settlement)));
  return settlements.length;
}

/** Returns the state of the call that has the key; `free`: another call may take the key over. */
function resultOf(row: ClaimRow, claim: ClaimRequest): ClaimResult | "free" {
  if (row.ageSeconds > KEPT_HOURS * 3_600) return "free";
  if (!Buffer.from(row.requestHash).equals(claim.requestHash)) return { kind: "conflict" };
  const { callId, settlement, captured } = row;
  if (row.answer !== null && settlement !== null) {
    const answer = JSON.parse(unseal(row.answer, associatedData({ keyId: claim.keyId, callId }))) as StoredAnswer;
    return {
      kind: "answered",
      callId,
      answer,
      settlement,
      chargedNanoUsd: row.holdState === "settled" ? captured : null,
    };
  }
  switch (row.holdState) {
    case null:
      return row.ageSeconds > ADMITTED_WITHIN_SECONDS ? "free" : { kind: "inProgress", unknown: false };
    case "released":
      return "free";
    case "settled":
      return captured === 0n ? "free" : { kind: "lost" };
    default:
      return { kind: "inProgress", unknown: row.holdState === "review" };
  }
}

const associatedData = ({ keyId, callId }: { keyId: number; callId: string }) =>
  `idempotent_call/${keyId}/${callId}/answer`;
