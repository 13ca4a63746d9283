import { afterAll, beforeAll, expect, test } from "vitest";
import { aHold, type Books, fundedWallet, openBooks, someParties } from "../../../../tests/support/accounting";
import type { Accounting } from "../accounting";
import type { HoldVerdict } from "../shared";

const LIMIT = 60;
const MINUTE_MS = 60_000;
/** Length of a slot. A request's stamp is the end of the slot after its own. */
const SLOT_MS = 100;
const START = Date.UTC(2030, 0, 1);
const SEED = Number(process.env.SEED ?? Date.now() % 1_000_000);

let books: Books;
let processes: Accounting[];
let walletId: number;
beforeAll(async () => {
  books = await openBooks();
  processes = await Promise.all([1, 2, 3, 4].map(() => books.start()));
  walletId = await fundedWallet(books, 1_000_000_000n);
});
afterAll(() => books.close());

function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state % below;
  };
}

const now = async () => {
  const [row] = await books.sql<{ at: string }>("SELECT (extract(epoch FROM app_now()) * 1000)::bigint::text AS at");
  return Number(row!.at);
};
const ask = (accounting: Accounting, keyId: number): Promise<HoldVerdict> =>
  accounting.admit(aHold(someParties(walletId, { keyId }), 1n, { rateLimitRpm: LIMIT }));

test(`four processes at one key: never more than ${LIMIT} in any 60 s, and a retry in time succeeds (SEED=${SEED})`, async () => {
  const random = randomFrom(SEED);
  const stamps = new Map<string, number>();
  let at = START;
  let refusals = 0;
  for (let burst = 0; burst < 60; burst += 1) {
    await books.setClock(new Date(at));
    const begun = at;
    const asked = Array.from({ length: 1 + random(4 * LIMIT) }, (_, index) => ask(processes[index % 4]!, 1));
    const verdicts = await Promise.all(asked);
    // The clock has advanced by the duration of the burst.
    at = await now();
    const accepted = verdicts.filter(({ kind }) => kind === "held").length;
    for (const { at: stamp, n } of await books.sql<{ at: string; n: number }>(
      "SELECT (extract(epoch FROM at) * 1000000)::bigint::text AS at, n FROM rate_stamp WHERE key_id = 1",
    )) {
      stamps.set(stamp, n);
    }
    const refused = verdicts.filter((verdict) => verdict.kind === "refused");
    for (const verdict of refused) {
      expect(verdict).toMatchObject({ code: "rate_limit_exceeded", scope: "rate" });
      expect(Number.isInteger(verdict.retryAfterSeconds)).toBe(true);
      expect(verdict.retryAfterSeconds).toBeGreaterThan(0);
      expect(verdict.retryAfterSeconds).toBeLessThanOrEqual(61);
    }
    // Rejections need a full window at some moment of the burst, including stamps in the future of that moment.
    if (accepted < LIMIT && refused.length > 0)
      expect(mostIn(stamps, MINUTE_MS + 2 * SLOT_MS, begun)).toBeGreaterThanOrEqual(LIMIT);
    if (refused.length > 0 && random(2) === 0) {
      refusals += 1;
      // Later requests of the burst may have used the place promised to an earlier one, so take the longest wait.
      const wait = Math.max(...refused.map(({ retryAfterSeconds }) => retryAfterSeconds!));
      at += wait * 1_000;
      await books.setClock(new Date(at));
      expect(await ask(processes[random(4)]!, 1)).toEqual({ kind: "held" });
    }
    at += random(25_000);
  }
  expect(refusals).toBeGreaterThan(5);
  expect(mostIn(stamps, MINUTE_MS)).toBeLessThanOrEqual(LIMIT);
  expect(await books.defects()).toEqual([]);
});

test("keys do not count for each other", async () => {
  await books.setClock(new Date(START + 1e9));
  const verdicts = await Promise.all(
    Array.from({ length: 2 * LIMIT }, (_, index) => ask(processes[index % 4]!, 10 + (index % 2))),
  );
  expect(verdicts.every(({ kind }) => kind === "held")).toBe(true);
});

test("a key has one stamp for each slot of 100 ms, however many turns come", async () => {
  const startMs = START + 2e9;
  await books.setClock(new Date(startMs));
  for (let call = 0; call < LIMIT; call += 1) expect(await ask(processes[call % 4]!, 20)).toEqual({ kind: "held" });
  const tookMs = (await now()) - startMs;
  const stamps = await books.sql<{ at: string; n: number }>(
    "SELECT (extract(epoch FROM at) * 1000)::bigint::text AS at, n FROM rate_stamp WHERE key_id = 20",
  );
  expect(stamps.reduce((sum, { n }) => sum + n, 0)).toBe(LIMIT);
  expect(stamps.every(({ at }) => Number(at) % SLOT_MS === 0)).toBe(true);
  expect(stamps.length).toBeLessThanOrEqual(tookMs / SLOT_MS + 2);
});

test("a clock that was set back blocks no key", async () => {
  await books.setClock(new Date(START + 4e9));
  for (let call = 0; call < LIMIT; call += 1) await ask(processes[0]!, 21);
  expect(await ask(processes[0]!, 21)).toMatchObject({ kind: "refused", scope: "rate" });
  await books.setClock(new Date(START + 3e9));
  expect(await ask(processes[1]!, 21)).toEqual({ kind: "held" });
  expect(await books.sql("SELECT used FROM rate_window WHERE key_id = 21")).toEqual([{ used: 1 }]);
  expect(await books.defects()).toEqual([]);
});

/** Returns the maximum number of requests in a window that ends at `from` or later. Counts only grow at stamps. */
function mostIn(stamps: ReadonlyMap<string, number>, windowMs: number, from = 0): number {
  const moments = [...stamps].map(([at, n]) => ({ at: Number(at) / 1000, n }));
  const ends = [from, ...moments.map(({ at }) => at).filter((at) => at >= from)];
  return Math.max(
    ...ends.map((end) =>
      moments.filter(({ at }) => at <= end && at >= end - windowMs).reduce((sum, { n }) => sum + n, 0),
    ),
  );
}
