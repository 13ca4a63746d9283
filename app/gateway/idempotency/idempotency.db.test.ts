import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readConfig, setConfig } from "~/config.server";
import { closeDatabase, db, openDatabase, sqlPool } from "~/connection/db.server";
import { admit, openWallet, settle, startAccounting, stopAccounting } from "~/domain/accounting/index.server";
import type { Caller } from "~/domain/keys/shared";
import { aHold, aSettlement, someParties } from "../../../tests/support/accounting";
import { eventually } from "../../../tests/support/chat-gateway";
import { openFreshDatabase, type TestDatabase } from "../../../tests/support/database";
import { Call } from "../call-record";
import type { InferenceRequest } from "../canonical/inference-request";
import { NO_USAGE } from "../canonical/usage";
import { Claim, claimOrReplay } from ".";

let database: TestDatabase;
let dataDir: string;
let walletId: number;
beforeAll(async () => {
  database = await openFreshDatabase();
  dataDir = await mkdtemp(join(tmpdir(), "gw-claims-"));
  setConfig(readConfig({ GW_SECRET: "a-secret-for-tests-only-0123456789abcdef" }));
  await startAccounting({ dataDir });
  walletId = await openWallet(db(), { kind: "organisation", id: 1, organisationId: 1 }, { exempt: true });
});
afterAll(async () => {
  await stopAccounting();
  await database.close();
  await rm(dataDir, { recursive: true, force: true });
});

const caller = { keyId: 1, organisationId: 1 } as Caller;
const inference = { endpoint: "chat/completions", region: null } as InferenceRequest;
const begin = (key: string) => {
  const call = new Call(new Request("http://gw/v1/chat/completions", { method: "POST" }));
  return { call, result: claimOrReplay({ call, caller, inference, body: "{}" }, key) };
};

/** Runs a call with a hold whose answer is recorded by `answer`, stored and booked. */
async function answered(key: string, answer: (claim: Claim) => void): Promise<void> {
  const { call, result } = begin(key);
  const claim = await result;
  if (!(claim instanceof Claim)) throw new Error("the key was taken");
  const hold = aHold(someParties(walletId, { exempt: true }), 900n, { callId: call.id });
  await admit(hold);
  const booking = aSettlement(hold, 700n);
  answer(claim);
  await claim.keep(booking, NO_USAGE);
  await settle(booking);
}

const MB = 1024 * 1024;

test("bytes that are no text come again as they were", async () => {
  const key = randomUUID();
  const bytes = Buffer.from([0xff, 0, 0xfe, 0x80, 10]);
  await answered(key, (claim) => claim.answeredWhole({ "content-type": "audio/mpeg" }, () => bytes));
  const replay = (await begin(key).result) as Response;
  expect(Buffer.from(await replay.arrayBuffer())).toEqual(bytes);
  expect(replay.headers.get("x-gw-cost-usd")).toBe("0.000000700");
});

test("an answer of more than is kept is not made again: whoever repeats it is told what has been", async () => {
  const whole = randomUUID();
  await answered(whole, (claim) => claim.answeredWhole({}, () => Buffer.alloc(5 * MB)));
  await expect(begin(whole).result).rejects.toMatchObject({ code: "result_too_large", mayRetry: false });
  const streamed = randomUUID();
  const sink = { write: () => true, onDrain: () => undefined };
  await answered(streamed, (claim) => {
    const recording = claim.recording(sink);
    for (let piece = 0; piece < 5; piece += 1) recording.write(Buffer.alloc(MB));
    claim.answeredStream({}, () => Buffer.from("end"));
  });
  await expect(begin(streamed).result).rejects.toMatchObject({ code: "result_too_large" });
});

test("a database that hangs keeps neither the client nor the booking waiting", async () => {
  const key = randomUUID();
  const { call, result } = begin(key);
  const claim = (await result) as Claim;
  const hold = aHold(someParties(walletId, { exempt: true }), 900n, { callId: call.id });
  claim.answeredWhole({}, () => Buffer.from("answer"));
  const other = await sqlPool().connect();
  try {
    await other.query("BEGIN");
    await other.query("SELECT 1 FROM idempotent_call WHERE idem_key = $1 FOR UPDATE", [key]);
    await claim.keep(aSettlement(hold, 700n), NO_USAGE);
  } finally {
    await other.query("ROLLBACK");
    other.release();
  }
});

// The embedded database has one session, so a lock in it would block this test itself.
test.skipIf(process.env.TEST_DATABASE_URL === undefined)(
  "a claim that hangs is refused, and what it has claimed late is given back",
  async () => {
    const key = randomUUID();
    const other = await sqlPool().connect();
    try {
      await other.query("BEGIN; LOCK TABLE idempotent_call IN SHARE MODE");
      await expect(begin(key).result).rejects.toMatchObject({ code: "service_unavailable", status: 503 });
    } finally {
      await other.query("COMMIT");
      other.release();
    }
    const again = () => begin(key).result.catch(({ code }) => code);
    const claim = await eventually(again, (outcome) => outcome instanceof Claim);
    expect(claim).toBeInstanceOf(Claim);
  },
);

test("a claim that the database does not take is answered with a code of the catalogue", async () => {
  await closeDatabase();
  await openDatabase({ ...database, url: "postgresql://gw:gw@127.0.0.1:9/nowhere", embedded: false });
  try {
    await expect(begin(randomUUID()).result).rejects.toMatchObject({ code: "service_unavailable", status: 503 });
  } finally {
    await openDatabase(database);
  }
});
