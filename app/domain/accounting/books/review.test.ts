import { expect, test } from "vitest";
import type { SqlLink } from "../link/sql-link";
import { LinkLost } from "../link/sql-problem";
import { SETTLE } from "../store";
import { resolveReview } from "./review";

const hold = {
  ...{ callId: "0191a1b2-0000-7000-8000-000000000001", organisationId: 1, keyId: 1, userId: null, departmentId: null },
  ...{ projectId: null, walletId: "1", exempt: false, priceVersion: 1, model: "m", supplier: "s", region: "eu" },
  ...{ amountNanoUsd: "500", admittedAt: 0, leaseUntil: 0, inputTokens: null, outputTokens: null },
  ...{ checkpointCostNanoUsd: null, owner: "gateway", reason: "lease_expired", batchId: null },
};

/** A database link whose settlements fail with these errors in order, and then succeed. */
function linkWith(...failures: Error[]) {
  const settlements: unknown[][] = [];
  const ask = async (text: string, values: unknown[]) => {
    if (text !== SETTLE) return JSON.stringify([hold]);
    settlements.push(values);
    const failure = failures.shift();
    if (failure) throw failure;
    return "";
  };
  return { link: { ask } as unknown as SqlLink, settlements };
}

const resolved = (link: SqlLink) =>
  resolveReview(link, {
    callId: hold.callId,
    resolution: { kind: "settle", costNanoUsd: 7n },
    actor: "ann@example.com",
    reason: "the invoice says so",
  });

test("a deadlock or a connection that breaks is tried again, with the same settlement", async () => {
  const deadlock = Object.assign(new Error("deadlock detected"), { code: "40P01" });
  const { link, settlements } = linkWith(deadlock, new LinkLost("no answer in time"));
  expect(await resolved(link)).toMatchObject({ chargedNanoUsd: 7n, repeated: false });
  expect(settlements).toHaveLength(3);
  expect(settlements[2]).toEqual(settlements[0]);
});

test("what will always fail is told at once", async () => {
  const impossible = Object.assign(new Error("hold is final"), { code: "23514" });
  const { link, settlements } = linkWith(impossible);
  await expect(resolved(link)).rejects.toBe(impossible);
  expect(settlements).toHaveLength(1);
});
