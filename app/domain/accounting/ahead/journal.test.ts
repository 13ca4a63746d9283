import { mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { setLogLevel } from "~/observe/log.server";
import { aHold, aSettlement, someParties } from "../../../../tests/support/accounting";
import { finishedText, settleValues } from "../call-text";
import { LinkLost } from "../link/sql-problem";
import type { Settlement } from "../shared";
import { Journal } from "./journal";
import { parseSettlement, writeSettlement } from "./settlement-line";

let folder: string;
beforeEach(async () => {
  setLogLevel("silent");
  folder = await mkdtemp(join(tmpdir(), "gw-journal-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const settlement = (cost: bigint) => aSettlement(aHold(someParties(1), 100n), cost);

test("its details come back too, and a line of an older release has none", () => {
  const detailed = {
    ...settlement(5n),
    units: { milliseconds: 1_500, toolUses: 2 },
    counterfactualNanoUsd: 9_007_199_254_740_993n,
    routing: { routes: [{ supplier: "primary" }] },
    refusedUsage: { inputTokens: 1e15 },
  };
  expect(parseSettlement(writeSettlement(detailed).trimEnd())).toEqual(detailed);
  const older = parseSettlement(writeSettlement(settlement(5n)).trimEnd())!;
  expect(older).not.toHaveProperty("counterfactualNanoUsd");
  expect(settleValues([older, detailed].map(finishedText), "x")[0]).toMatch(/,5,20,,,,,,,,,,\)"/);
});

test("a settlement comes back from its line as it was", () => {
  const written = settlement(123_456_789_012_345_678n);
  expect(parseSettlement(writeSettlement(written).trimEnd())).toEqual(written);
});

test("a line that is cut anywhere, or changed, is not read", () => {
  const line = writeSettlement(settlement(5n)).trimEnd();
  for (let length = 0; length < line.length; length += 1) expect(parseSettlement(line.slice(0, length))).toBeNull();
  expect(parseSettlement(line.replace('"costNanoUsd":"5"', '"costNanoUsd":"6"'))).toBeNull();
});

test("many at once are on disk when they are acknowledged, and each is replayed", async () => {
  const journal = new Journal(folder, "one");
  const written = Array.from({ length: 300 }, (_, index) => settlement(BigInt(index)));
  await Promise.all(written.map((each) => journal.append(each)));
  expect((await readFile(join(folder, "one.jsonl"), "utf8")).trim().split("\n")).toHaveLength(300);
  const seen: bigint[] = [];
  expect(await journal.replay(async ({ costNanoUsd }) => seen.push(costNanoUsd))).toBe(300);
  expect(seen.toSorted((a, b) => Number(a - b))).toEqual(written.map(({ costNanoUsd }) => costNanoUsd));
  expect(await readdir(folder)).toEqual([]);
  await journal.close();
});

test("tells how much waits, and how much is kept for a person", async () => {
  const journal = new Journal(folder, "one");
  expect(await journal.sizes()).toEqual({ waiting: 0, refused: 0, unreadable: 0 });
  await journal.append(settlement(5n));
  const { waiting } = await journal.sizes();
  expect(waiting).toBe(Buffer.byteLength(writeSettlement(settlement(5n))));
  await writeFile(join(folder, "other.jsonl"), "torn\n");
  await journal.replay(async () => {
    throw new Error("refused for good");
  });
  expect(await journal.sizes()).toEqual({ waiting: 0, refused: expect.any(Number), unreadable: 5 });
  expect((await journal.sizes()).refused).toBeGreaterThan(50);
  await journal.close();
});

test("writing goes on while files are taken away for replay, and no settlement is missed", async () => {
  const journal = new Journal(folder, "busy");
  const seen = new Set<string>();
  const book = async ({ callId }: Settlement) => seen.add(callId);
  const written: Settlement[] = [];
  const writer = async () => {
    for (let index = 0; index < 40; index += 1) {
      const each = settlement(1n);
      written.push(each);
      await journal.append(each);
    }
  };
  let isDone = false;
  const replayer = async () => {
    while (!isDone) {
      await journal.replay(book);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  };
  const replaying = replayer();
  await Promise.all([writer(), writer(), writer()]);
  isDone = true;
  await replaying;
  await journal.replay(book);
  expect(seen).toEqual(new Set(written.map(({ callId }) => callId)));
  await journal.close();
}, 30_000);

test("a file that another process claimed a moment ago is left to it", async () => {
  await writeFile(join(folder, `other.jsonl.${Date.now()}.abc.replay`), writeSettlement(settlement(1n)));
  const journal = new Journal(folder, "mine");
  expect(await journal.replay(async () => undefined)).toBe(0);
  await rename(
    join(folder, (await readdir(folder))[0]!),
    join(folder, `other.jsonl.${Date.now() - 61_000}.abc.replay`),
  );
  expect(await journal.replay(async () => undefined)).toBe(1);
});

test("a line torn by an earlier crash does not spoil the one after it", async () => {
  const torn = writeSettlement(settlement(1n)).slice(0, 80);
  await writeFile(join(folder, "again.jsonl"), torn);
  const journal = new Journal(folder, "again");
  await journal.append(settlement(2n));
  const seen: bigint[] = [];
  await journal.replay(async ({ costNanoUsd }) => seen.push(costNanoUsd));
  expect(seen).toEqual([2n]);
  await journal.close();
  expect(await readdir(folder)).toEqual(["again.unreadable"]);
  expect(await readFile(join(folder, "again.unreadable"), "utf8")).toBe(`${torn}\n`);
});

test("however often the database goes away during a replay, the file can be claimed again", async () => {
  const instance = "gateway-7d9c5b8f6d-x2x9k.production.svc.cluster.local-1-a1b2c3";
  const journal = new Journal(folder, instance);
  await journal.append(settlement(5n));
  await journal.close();
  const away = () => Promise.reject(new Error("not booked", { cause: new LinkLost("away") }));
  for (let times = 0; times < 12; times += 1) expect(await journal.replay(away)).toBe(0);
  expect((await readdir(folder))[0]).toMatch(new RegExp(`^${instance}-[0-9a-f-]{36}\\.jsonl$`));
  expect(await journal.replay(async () => undefined)).toBe(1);
});
