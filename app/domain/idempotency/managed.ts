import { inTransaction } from "~/connection/bus.server";
import type { Db } from "~/connection/db.server";
import { seal, unseal } from "~/sealing/sealing.server";
import { countTaken, putManagedAnswer, takeKey } from "./managed-store";
import { KEPT_HOURS, type ManagedRequest, type ManagedResult } from "./shared";

/** Maximum stored answers per admin key. */
const MAX_KEPT = 10_000;

/**
 * Runs a change that fits in one transaction, once per Idempotency-Key. `work` gets the transaction and returns the
 * text of the answer, which is stored in it, sealed. A repeated request gets that text; of concurrent requests one runs
 * the work and the others wait for it. When `work` throws or the process crashes, neither its changes nor the key
 * remain, and the next request counts as the first. When the admin key has the maximum number of stored answers, the
 * work does not run (`tooMany`).
 */
export function answerOnce(db: Db, request: ManagedRequest, work: (tx: Db) => Promise<string>): Promise<ManagedResult> {
  return inTransaction(db, async (tx): Promise<ManagedResult> => {
    const row = await takeKey(tx, request);
    if (row === null) return { kind: "inProgress" };
    if (!row.mine && row.answer !== null && row.ageSeconds < KEPT_HOURS * 3_600) {
      if (!Buffer.from(row.requestHash).equals(request.requestHash)) return { kind: "conflict" };
      return { kind: "repeated", answer: unseal(row.answer, associatedData(request)) };
    }
    if ((await countTaken(tx, request.keyId, MAX_KEPT + 1)) > MAX_KEPT) return { kind: "tooMany" };
    const answer = await work(tx);
    await putManagedAnswer(tx, request, seal(answer, associatedData(request)));
    return { kind: "answered", answer };
  });
}

const associatedData = ({ keyId, idempotencyKey }: ManagedRequest) =>
  `managed_request/${keyId}/${idempotencyKey}/answer`;
