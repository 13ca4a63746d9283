import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readConfig, setConfig } from "~/config.server";
import { db } from "~/db.server";
import { admit, openWallet, settle, startAccounting, stopAccounting } from "~/domain/accounting/index.server";
import type { Caller } from "~/domain/keys/shared";
import { aBooking, aHold, someParties } from "../../tests/support/accounting";
import { openFreshDatabase, type TestDatabase } from "../../tests/support/database";
import { Call } from "./call-record";
import type { Ask } from "./canonical/ask";
import { NO_USAGE } from "./canonical/usage";
import { Claim, claimOrReplay } from "./idempotency";

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
const ask = { endpoint: "chat/completions", region: null } as Ask;
const begin = (key: string) => {
  const call = new Call(new Request("http://gw/v1/chat/completions", { method: "POST" }));
  return { call, result: claimOrReplay(call, caller, ask, key, "{}") };
};

/** A call that is held, answered as `answer` says, stored and booked. */
async function answered(key: string, answer: (claim: Claim) => void): Promise<void> {
  const { call, result } = begin(key);
  const claim = await result;
  if (!(claim instanceof Claim)) throw new Error("the key was taken");
  const hold = aHold(someParties(walletId, { exempt: true }), 900n, { callId: call.id });
  await admit(hold);
  const booking = aBooking(hold, 700n);
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
    claim.answeredStream({}, Buffer.from("end"));
  });
  await expect(begin(streamed).result).rejects.toMatchObject({ code: "result_too_large" });
});
