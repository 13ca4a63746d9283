import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readConfig, setConfig } from "~/config.server";
import { db, sqlPool } from "~/connection/db.server";
import {
  admit,
  markForReview,
  openWallet,
  settle,
  startAccounting,
  stopAccounting,
  writeSettlementLine,
} from "~/domain/accounting/index.server";
import { aHold, aSettlement, someParties } from "../../../tests/support/accounting";
import { openFreshDatabase, type TestDatabase } from "../../../tests/support/database";
import {
  answerOnce,
  bookAnswered,
  claimKey,
  purgeAnswers,
  purgeOldAnswers,
  releaseKey,
  storeAnswer,
} from "./index.server";
import type { ClaimRequest, StoredAnswer } from "./shared";

let database: TestDatabase;
let dataDir: string;
let walletId: number;

beforeAll(async () => {
  database = await openFreshDatabase();
  dataDir = await mkdtemp(join(tmpdir(), "gw-claims-"));
  setConfig(
    readConfig({
      GW_SECRET: "a-secret-for-tests-only-0123456789abcdef",
      DATA_DIR: dataDir,
      DATABASE_URL: "postgresql://x",
    }),
  );
  await startAccounting({ dataDir });
  walletId = await openWallet(db(), { kind: "organisation", id: 1, organisationId: 1 }, { exempt: true });
});
afterAll(async () => {
  await stopAccounting();
  await database.close();
  await rm(dataDir, { recursive: true, force: true });
});

const aClaim = (more: Partial<ClaimRequest> = {}): ClaimRequest => ({
  keyId: 1,
  organisationId: 1,
  idempotencyKey: randomUUID(),
  requestHash: Buffer.alloc(32, 7),
  callId: randomUUID(),
  ...more,
});
const ANSWER: StoredAnswer = {
  kind: "given",
  stream: false,
  status: 200,
  headers: { "content-type": "application/json" },
  body: '{"a":1}',
  encoding: "utf8",
};
const repeated = (claim: ClaimRequest) => claimKey(db(), { ...claim, callId: randomUUID() });
const parties = () => someParties(walletId, { exempt: true });
const hold = async ({ callId }: ClaimRequest) => {
  const held = aHold(parties(), 900n, { callId });
  expect(await admit(held)).toEqual({ kind: "held" });
  return aSettlement(held, 700n);
};
const age = (claim: ClaimRequest, interval: string) =>
  sqlPool().query(
    "UPDATE idempotent_call SET claimed_at = claimed_at - $2::interval, answered_at = answered_at - $2::interval WHERE idem_key = $1",
    [claim.idempotencyKey, interval],
  );

test("of fifty at once one gets the key, and the others learn that it is at work", async () => {
  const claim = aClaim();
  const results = await Promise.all(Array.from({ length: 50 }, () => repeated(claim)));
  expect(results.filter(({ kind }) => kind === "claimed")).toHaveLength(1);
  expect(results.filter(({ kind }) => kind === "inProgress")).toHaveLength(49);
});

test("another request with the key is a conflict at every stage; another API key's is another key", async () => {
  const claim = aClaim();
  const other = { ...claim, requestHash: Buffer.alloc(32, 8), callId: randomUUID() };
  await claimKey(db(), claim);
  expect(await claimKey(db(), other)).toEqual({ kind: "conflict" });
  const booking = await hold(claim);
  await storeAnswer(db(), claim, ANSWER, writeSettlementLine(booking).trimEnd());
  expect(await claimKey(db(), other)).toEqual({ kind: "conflict" });
  await settle(booking);
  expect(await claimKey(db(), other)).toEqual({ kind: "conflict" });
  expect(await claimKey(db(), { ...other, keyId: 2 })).toEqual({ kind: "claimed" });
});

test("an answer is given again with what was charged for it", async () => {
  const claim = aClaim();
  await claimKey(db(), claim);
  const booking = await hold(claim);
  await storeAnswer(db(), claim, ANSWER, writeSettlementLine(booking).trimEnd());
  await settle(booking);
  expect(await repeated(claim)).toMatchObject({
    kind: "answered",
    callId: claim.callId,
    answer: ANSWER,
    chargedNanoUsd: 700n,
  });
});

test("a key whose process died before its hold is free after a minute", async () => {
  const claim = aClaim();
  await claimKey(db(), claim);
  await age(claim, "50 seconds");
  expect(await repeated(claim)).toEqual({ kind: "inProgress", unknown: false });
  await age(claim, "20 seconds");
  expect(await repeated(claim)).toEqual({ kind: "claimed" });
});

test("a key whose call was not executed is free; one whose outcome nobody knows is not", async () => {
  const claim = aClaim();
  await claimKey(db(), claim);
  const booking = await hold(claim);
  expect(await repeated(claim)).toEqual({ kind: "inProgress", unknown: false });
  await markForReview(claim.callId, "timeout");
  await age(claim, "2 hours");
  expect(await repeated(claim)).toEqual({ kind: "inProgress", unknown: true });
  await settle({ ...booking, outcome: "not_executed" });
  expect(await repeated(claim)).toEqual({ kind: "claimed" });
});

test("a call that was charged and whose answer was not stored is not made again", async () => {
  const claim = aClaim();
  await claimKey(db(), claim);
  await settle(await hold(claim));
  expect(await repeated(claim)).toEqual({ kind: "lost" });
});

test("what a dead process has answered and not booked is booked, by the next request or by maintenance, once", async () => {
  const claim = aClaim();
  await claimKey(db(), claim);
  const booking = await hold(claim);
  await storeAnswer(db(), claim, ANSWER, writeSettlementLine(booking).trimEnd());
  expect(await repeated(claim)).toMatchObject({ kind: "answered", chargedNanoUsd: null });
  expect(await bookAnswered(db())).toBe(0);
  await markForReview(claim.callId, "lease_expired");
  expect(await bookAnswered(db())).toBe(1);
  expect(await bookAnswered(db())).toBe(0);
  expect(await repeated(claim)).toMatchObject({ kind: "answered", chargedNanoUsd: 700n });
  const { rows } = await sqlPool().query("SELECT charged::int FROM usage_event WHERE request_id = $1", [claim.callId]);
  expect(rows).toEqual([{ charged: 700 }]);
});

test("a key that was given back can be claimed, and giving back does not take an answer away", async () => {
  const claim = aClaim();
  await claimKey(db(), claim);
  await releaseKey(db(), claim);
  const second = { ...claim, callId: randomUUID() };
  expect(await claimKey(db(), second)).toEqual({ kind: "claimed" });
  // The first call is late: the key no longer belongs to it.
  await releaseKey(db(), claim);
  await storeAnswer(db(), second, ANSWER, writeSettlementLine(await hold(second)).trimEnd());
  await releaseKey(db(), second);
  expect(await repeated(claim)).toMatchObject({ kind: "answered" });
});

test("answers are kept for a day, or until somebody wants them gone", async () => {
  const old = aClaim({ organisationId: 5 });
  await claimKey(db(), old);
  await storeAnswer(db(), old, ANSWER, writeSettlementLine(await hold(old)).trimEnd());
  await age(old, "23 hours");
  await purgeOldAnswers(db());
  expect(await repeated(old)).toMatchObject({ kind: "answered" });
  await age(old, "2 hours");
  expect(await repeated(old)).toEqual({ kind: "claimed" });
  await sqlPool().query("DELETE FROM idempotent_call WHERE idem_key = $1", [old.idempotencyKey]);
  const kept = aClaim({ organisationId: 5, keyId: 9 });
  await claimKey(db(), kept);
  await storeAnswer(db(), kept, ANSWER, writeSettlementLine(await hold(kept)).trimEnd());
  expect(await purgeAnswers(db(), 5, 8)).toBe(0);
  expect(await purgeAnswers(db(), 5)).toBe(1);
});

test("answers of the management API are kept for a day, or until somebody wants them gone", async () => {
  const request = () => ({ ...aClaim({ organisationId: 6 }), requestHash: Buffer.alloc(32, 1) });
  const [old, young] = [request(), request()];
  for (const each of [old, young]) await answerOnce(db(), each, async () => "{}");
  await sqlPool().query("UPDATE managed_request SET answered_at = now() - interval '25 hours' WHERE idem_key = $1", [
    old.idempotencyKey,
  ]);
  const kept = async () => (await sqlPool().query("SELECT idem_key FROM managed_request")).rows;
  await purgeOldAnswers(db());
  expect(await kept()).toEqual([{ idem_key: young.idempotencyKey }]);
  expect(await purgeAnswers(db(), 6)).toBe(1);
  expect(await kept()).toEqual([]);
});
