import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { log } from "~/observe/log.server";
import { Leases } from "../leases";
import type { SqlLink } from "../link/sql-link";
import type { HoldRequest, HoldVerdict, SpareRequest } from "../shared";
import type { SpareFile, SpareHold } from "./spare-file";
import { SpareHolds } from "./spare-holds";

type Requested = { request: HoldRequest; onVerdict: (verdict: HoldVerdict | null) => void };

const HOUR_MS = 3600_000;
const like: SpareRequest = {
  keyId: 1,
  userId: 2,
  departmentId: null,
  projectId: null,
  organisationId: 3,
  walletId: 4,
  exempt: false,
  amountNanoUsd: 100n,
  rateLimitRpm: null,
  priceVersion: 1,
};

let requested: Requested[];
let givenBack: string[];
let onFile: Map<number, string>;
let canWrite: boolean;
let isDown: boolean;
let answers: Promise<void>;
let leases: Leases;
let spares: SpareHolds;
beforeEach(() => {
  vi.useFakeTimers({ now: 10 * HOUR_MS, toFake: ["setTimeout", "clearTimeout", "performance", "Date"] });
  requested = [];
  givenBack = [];
  onFile = new Map();
  canWrite = true;
  isDown = false;
  answers = Promise.resolve();
  leases = new Leases({} as SqlLink, "test", 60_000);
  let slots = 0;
  const file = {
    add: ({ callId }: SpareHold) => {
      slots += 1;
      onFile.set(slots, callId);
      return slots;
    },
    cross: (slot: number) => void onFile.delete(slot),
    write: () => canWrite,
    remove: () => true,
  };
  spares = new SpareHolds({
    isWorthIt: () => true,
    place: (request, onVerdict) => void requested.push({ request, onVerdict }),
    release: async (some) => {
      if (isDown) throw new Error("no database");
      await answers;
      givenBack.push(...some.map(({ callId }) => callId));
    },
    freed: () => undefined,
    leases,
    file: file as unknown as SpareFile,
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const round = () => new Promise((resolve) => setImmediate(resolve));

/** Makes 2 × `count` calls, two per millisecond. Every requested spare hold is placed. */
async function calls(count: number, request = like) {
  const taken = [];
  for (let n = 0; n < count; n += 1) {
    vi.advanceTimersByTime(1);
    taken.push(spares.take(request), spares.take(request));
    await round();
    for (const { onVerdict } of requested.splice(0)) onVerdict({ kind: "held" });
  }
  return taken;
}

test("a key whose calls come often finds holds that were placed for it, one for each call", async () => {
  const taken = (await calls(40)).filter((each) => each !== null);
  expect(taken.length).toBeGreaterThan(20);
  expect(new Set(taken.map(({ callId }) => callId)).size).toBe(taken.length);
  expect(leases.count).toBe(taken.length);
  for (const { callId } of taken) expect(leases.heldBy(callId)).toBe(100n);
  // No spare hold in the file is taken.
  expect([...onFile.values()].some((id) => taken.some(({ callId }) => callId === id))).toBe(false);
});

test("a key whose calls come seldom has none", async () => {
  for (let n = 0; n < 40; n += 1) {
    vi.advanceTimersByTime(15);
    expect(spares.take(like)).toBeNull();
    await round();
  }
  expect(requested).toEqual([]);
});

test("one that is too old is taken by nobody, and given back", async () => {
  await calls(40);
  const then = performance.now() + 101;
  // A resumed process reads the clock before its timers run.
  const clock = vi.spyOn(performance, "now").mockReturnValue(then);
  expect(spares.take(like)).toBeNull();
  clock.mockRestore();
  await vi.advanceTimersByTimeAsync(160);
  expect(givenBack.length).toBeGreaterThan(0);
  await round();
  for (const { onVerdict } of requested.splice(0)) onVerdict(null);
  expect(onFile.size).toBe(0);
});

test("one of the hour before is taken by nobody: it counts in that hour's budgets", async () => {
  vi.setSystemTime(11 * HOUR_MS - 41);
  expect((await calls(40)).at(-1)).not.toBeNull();
  vi.advanceTimersByTime(2);
  expect(spares.take(like)).toBeNull();
});

test("where there was no room, none is asked for for a second, and what comes late is given back", async () => {
  await calls(40);
  expect(spares.take(like)).not.toBeNull();
  expect(spares.take(like)).not.toBeNull();
  await round();
  const [first, second] = requested.splice(0);
  first!.onVerdict({ kind: "refused", code: "rate_limit_exceeded", scope: "rate", retryAfterSeconds: 1 });
  second!.onVerdict({ kind: "held" });
  await calls(20);
  expect(givenBack).toContain(second!.request.callId);
  expect(givenBack).not.toContain(first!.request.callId);
  expect(requested).toEqual([]);
});

test("what is in the way of a call of the same wallet is given back before it is tried again; what is not stays", async () => {
  await calls(40);
  await calls(40, { ...like, keyId: 9, userId: 8, organisationId: 7, walletId: 6 });
  expect(spares.makeRoomFor({ ...like, keyId: 5, userId: 5, organisationId: 5, walletId: 5 })).toBeNull();
  await spares.makeRoomFor({ ...like, keyId: 5, userId: null, organisationId: 5 });
  expect(givenBack.length).toBeGreaterThan(0);
  expect(spares.take(like)).toBeNull();
  expect(spares.take({ ...like, keyId: 9, userId: 8, organisationId: 7, walletId: 6 })).not.toBeNull();
});

test("without the file no call is dispatched with one, and it is given back", async () => {
  await calls(40);
  canWrite = false;
  const taken = spares.take(like)!;
  const more = spares.take(like)!;
  await expect(taken.written).rejects.toMatchObject({ code: "billing_unavailable" });
  await expect(more.written).rejects.toMatchObject({ code: "billing_unavailable" });
  expect(leases.heldBy(taken.callId)).toBeNull();
  expect(requested).toEqual([]);
  expect(spares.take(like)).toBeNull();
  await vi.advanceTimersByTimeAsync(60);
  expect(givenBack).toEqual(expect.arrayContaining([taken.callId, more.callId]));
});

test("a key with a rate limit has a hundredth of it at most, and one that changes hands keeps none", async () => {
  const limited = { ...like, rateLimitRpm: 300 };
  for (let n = 0; n < 40; n += 1) {
    vi.advanceTimersByTime(1);
    spares.take(limited);
    await round();
  }
  expect(requested.length).toBe(3);
  for (const { onVerdict } of requested.splice(0)) onVerdict({ kind: "held" });
  expect(spares.take({ ...limited, projectId: 12 })).toBeNull();
  await vi.advanceTimersByTimeAsync(60);
  expect(givenBack).toHaveLength(3);
});

test("a call takes none that was asked for while its key belonged to others", async () => {
  await calls(40);
  spares.take(like);
  await round();
  const [late] = requested.splice(0);
  const moved = { ...like, walletId: 44, projectId: 12 };
  expect(spares.take(moved)).toBeNull();
  late!.onVerdict({ kind: "held" });
  expect(spares.take(moved)).toBeNull();
  await vi.advanceTimersByTimeAsync(60);
  expect(givenBack).toContain(late!.request.callId);
});

test("a call that is not charged takes none that holds its payer's money, nor the other way round", async () => {
  const free = { ...like, exempt: true };
  for (const [placed, asks] of [
    [like, free],
    [free, like],
  ] as const) {
    expect((await calls(40, placed)).at(-1)).not.toBeNull();
    expect(spares.take(asks)).toBeNull();
    await round();
    for (const { onVerdict } of requested.splice(0)) onVerdict({ kind: "held" });
  }
});

test("what the database does not take back is offered again, and nobody waits for it long", async () => {
  vi.spyOn(log, "warn").mockReturnValue(undefined);
  await calls(40);
  isDown = true;
  await vi.advanceTimersByTimeAsync(500);
  expect(givenBack).toEqual([]);
  expect(onFile.size).toBeGreaterThan(0);
  isDown = false;
  await vi.advanceTimersByTimeAsync(100);
  expect(givenBack.length).toBeGreaterThan(0);
  expect(onFile.size).toBe(0);

  await calls(40);
  answers = new Promise(() => undefined);
  const room = spares.makeRoomFor(like);
  await round();
  await vi.advanceTimersByTimeAsync(500);
  await expect(room).resolves.toBeUndefined();
});
