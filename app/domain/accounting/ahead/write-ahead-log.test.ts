import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { setLogLevel } from "~/observe/log.server";
import { aHold, aSettlement, someParties } from "../../../../tests/support/accounting";
import { finishedText } from "../call-text";
import type { Settlement } from "../shared";
import { parseSettlement, readFinishedLine, writeFinishedLine } from "./settlement-line";
import { type Part, WriteAheadLog } from "./write-ahead-log";

let folder: string;
beforeEach(async () => {
  setLogLevel("silent");
  folder = await mkdtemp(join(tmpdir(), "gw-ahead-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const settlement = (cost = 5n, more: Partial<Settlement> = {}) => aSettlement(aHold(someParties(1), 100n), cost, more);

/** Notes settlements. Returns their parts once all are written. */
async function noted(ahead: WriteAheadLog, settlements: readonly Settlement[]): Promise<(Part | null)[]> {
  const parts: (Part | null)[] = [];
  const waits = settlements.map(
    (each) =>
      new Promise<void>((written) => {
        const part = ahead.note(finishedText(each), written);
        parts.push(part);
        if (part === null) written();
      }),
  );
  await Promise.all(waits);
  return parts;
}

/** Returns the settlements that another process takes over. */
async function takenOver(): Promise<Settlement[]> {
  const old = new Date(Date.now() - 60_000);
  for (const name of await readdir(folder)) await utimes(join(folder, name), old, old);
  await new WriteAheadLog(folder, "other").takeOver(10_000);
  const names = await readdir(folder);
  expect(names.filter((name) => !name.endsWith(".jsonl"))).toEqual([]);
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), "utf8")));
  return texts.flatMap((text) => text.trimEnd().split("\n")).map((line) => parseSettlement(line)!);
}

const lineOf = (of: Settlement): string => {
  const buffer = Buffer.alloc(64 * 1024);
  const bytes = writeFinishedLine(buffer, finishedText(of));
  expect(bytes).toBeGreaterThan(0);
  return buffer.toString("utf8", 1, bytes - 1);
};

test("a settlement comes back from its line as the database would have read it", () => {
  const attempt = { supplier: "s", region: "eu", upstreamModel: 'a "b"\t', startedMs: 0, endedMs: 1 };
  const detailed = settlement(123_456_789_012_345_678n, {
    units: { milliseconds: 1_500, toolUses: 2 },
    counterfactualNanoUsd: 0n,
    routing: { routes: [{ supplier: 'the "second" \\ one, (of) {two}' }] },
    refusedUsage: { inputTokens: 12 },
    sessionId: "",
    userId: 7,
    errorCode: "stream_error",
    firstByteMs: 3,
    attempts: [{ ...attempt, outcome: "delivered", status: 200, code: null }],
  });
  expect(readFinishedLine(lineOf(detailed))).toEqual(detailed);
  const plain = settlement();
  const nothing = { units: null, counterfactualNanoUsd: null, routing: null, refusedUsage: null };
  expect(readFinishedLine(lineOf(plain))).toEqual({ ...plain, ...nothing });
});

test("any text survives in it, less what the database cannot keep", () => {
  const texts = fc.string({ unit: "binary", maxLength: 40 }).map((text) => text.replaceAll("\n", " "));
  const kept = (text: string | null) => text?.replaceAll("\u0000", "") ?? null;
  fc.assert(
    fc.property(texts, texts, fc.option(texts), (model, region, sessionId) => {
      const read = readFinishedLine(lineOf(settlement(1n, { model, region, sessionId })));
      expect(read).toMatchObject({ model: kept(model), region: kept(region), sessionId: kept(sessionId) });
    }),
  );
});

test("a torn line is no settlement, nor is one that is half of another", () => {
  const [line, other] = [lineOf(settlement(5n)), lineOf(settlement(6n))];
  for (let at = 0; at < line.length; at += 1) {
    expect(readFinishedLine(line.slice(0, at))).toBeNull();
    const mixed = line.slice(0, at) + other.slice(at);
    if (mixed !== line && mixed !== other) expect(readFinishedLine(mixed)).toBeNull();
  }
});

test("what cannot be one line is not written: its client waits", () => {
  const ahead = new WriteAheadLog(folder, "me");
  const said: string[] = [];
  expect(ahead.note(finishedText(settlement(1n, { sessionId: "two\nlines" })), () => said.push("written"))).toBeNull();
  const routing = { text: "x".repeat(40_000) };
  expect(ahead.note(finishedText(settlement(1n, { routing })), () => said.push("written"))).toBeNull();
  expect(said).toEqual([]);
});

test("all that was answered and not booked is found by another process, through many rounds of the file", async () => {
  const ahead = new WriteAheadLog(folder, "me");
  let bound: (Part | null)[] = [];
  for (let round = 0; round < 40; round += 1) {
    for (const part of bound) ahead.booked(part);
    bound = await noted(
      ahead,
      Array.from({ length: 150 }, (_, each) => settlement(BigInt(each), { model: "m".repeat(each % 90) })),
    );
    expect(bound).not.toContain(null);
  }
  const last = [settlement(7n), settlement(8n)];
  expect(await noted(ahead, last)).not.toContain(null);
  expect((await stat(join(folder, "me.ahead"))).size).toBeLessThanOrEqual(512 * 1024);
  const found = await takenOver();
  const costs = new Map(found.map(({ callId, costNanoUsd }) => [callId, costNanoUsd]));
  expect(costs.size).toBe(found.length);
  for (const each of last) expect(costs.get(each.callId)).toBe(each.costNanoUsd);
});

test("nothing is written over that is not booked: clients wait then, and go on when it is", async () => {
  const ahead = new WriteAheadLog(folder, "me");
  const answered: Settlement[] = [];
  const parts: Part[] = [];
  for (;;) {
    const next = settlement(BigInt(answered.length));
    const [part] = await noted(ahead, [next]);
    if (part === null || part === undefined) break;
    answered.push(next);
    parts.push(part);
  }
  expect(answered.length).toBeGreaterThan(500);
  // A settlement that is not recorded in the database keeps its half of the log.
  for (const part of parts.slice(1)) ahead.booked(part);
  expect(await noted(ahead, [settlement()])).toEqual([null]);
  ahead.booked(parts[0]!);
  expect(await noted(ahead, [settlement()])).not.toEqual([null]);
  const found = new Set((await takenOver()).map(({ callId }) => callId));
  expect(answered.slice(-100).every(({ callId }) => found.has(callId))).toBe(true);
});

test("a process that has booked everything leaves nothing, one that has not leaves its file", async () => {
  const first = new WriteAheadLog(folder, "first");
  for (const part of await noted(first, [settlement(), settlement()])) first.booked(part);
  first.tidy();
  expect(await readdir(folder)).toEqual([]);
  const second = new WriteAheadLog(folder, "second");
  const [kept] = [settlement(9n)];
  await noted(second, [kept]);
  second.tidy();
  expect((await takenOver()).map(({ callId }) => callId)).toEqual([kept.callId]);
});

test("the file of a process that lives is left alone; one that was taken away is made again", async () => {
  const ahead = new WriteAheadLog(folder, "me");
  await noted(ahead, [settlement()]);
  await new WriteAheadLog(folder, "other").takeOver(10_000);
  expect(await readdir(folder)).toEqual(["me.ahead"]);
  await rm(join(folder, "me.ahead"));
  ahead.tidy();
  const next = settlement(3n);
  await noted(ahead, [next]);
  expect((await takenOver()).map(({ callId }) => callId)).toEqual([next.callId]);
});

test("what a process left half-written is removed, and comes from its file again", async () => {
  const left = settlement(4n);
  await noted(new WriteAheadLog(folder, "me"), [left]);
  for (const name of [".0b1c.part", ".probe-4711"]) await writeFile(join(folder, name), "half a li");
  await new WriteAheadLog(folder, "other").takeOver(10_000);
  expect((await readdir(folder)).sort()).toEqual([".0b1c.part", ".probe-4711", "me.ahead"]);
  expect((await takenOver()).map(({ callId }) => callId)).toEqual([left.callId]);
});

test("a file that cannot be taken over keeps no other back", async () => {
  const ahead = new WriteAheadLog(folder, "me");
  const left = settlement(4n);
  await noted(ahead, [left]);
  await mkdir(join(folder, "a-folder.ahead"));
  const old = new Date(Date.now() - 60_000);
  for (const name of await readdir(folder)) await utimes(join(folder, name), old, old);
  await new WriteAheadLog(folder, "other").takeOver(10_000);
  const [kept, taken] = (await readdir(folder)).sort();
  expect(kept).toBe("a-folder.ahead");
  expect(parseSettlement((await readFile(join(folder, taken!), "utf8")).trimEnd())).toMatchObject({
    callId: left.callId,
  });
});

test("where nothing can be written, clients wait", async () => {
  const place = join(folder, "no-folder");
  await writeFile(place, "");
  const ahead = new WriteAheadLog(place, "me");
  const said: string[] = [];
  expect(ahead.note(finishedText(settlement()), () => said.push("written"))).not.toBeNull();
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(ahead.note(finishedText(settlement()), () => said.push("written"))).toBeNull();
  expect(said).toEqual([]);
});

test("files of the version before are read, and rows are still written as it wrote them", async () => {
  const call = aSettlement(
    { ...someParties(4, { userId: 7, projectId: 9, exempt: true }), callId: "01890a5d-ac96-774b-bcce-b302099a8057" },
    5n,
    {
      ...{ endpoint: "audio/transcriptions", stream: true, outcome: "client_abort", sessionId: "a b" },
      startedAt: new Date(1_750_000_000_123),
    },
  );
  const attempt = { supplier: "s", region: "eu", upstreamModel: 'a "b"\t', startedMs: 0, endedMs: 1 };
  const detailed: Settlement = {
    ...{ ...call, costNanoUsd: 123_456_789_012_345_678n, sessionId: "", errorCode: "stream_error", firstByteMs: null },
    units: { milliseconds: 1_500, toolUses: 2 },
    counterfactualNanoUsd: 0n,
    routing: { routes: [{ supplier: 'the "second" \\ one, (of) {two}' }] },
    refusedUsage: { inputTokens: 12 },
    attempts: [{ ...attempt, outcome: "delivered", status: 200, code: null }],
  };
  const lines = [
    [
      String.raw`76997f9d "(01890a5d-ac96-774b-bcce-b302099a8057,1,1,7,,9,4,t,t,123456789012345678,client_abort,1,audio/transcriptions,fast-chat,fast-chat,primary,eu,t,\"\",10,0,0,5,0,supplier,200,stream_error,1,1750000000123,,20,,,,1500,,,2,0,\"{\"\"routes\"\":[{\"\"supplier\"\":\"\"the \\\\\"\"second\\\\\"\" \\\\\\\\ one, (of) {two}\"\"}]}\",\"{\"\"inputTokens\"\":12}\")"`,
      String.raw`[{"supplier":"s","region":"eu","upstreamModel":"a \"b\"\t","startedMs":0,"endedMs":1,"outcome":"delivered","status":200,"code":null}]`,
    ].join("\t"),
    [
      String.raw`9918bb8c "(01890a5d-ac96-774b-bcce-b302099a8057,1,1,7,,9,4,t,t,5,client_abort,1,audio/transcriptions,fast-chat,fast-chat,primary,eu,t,\"a b\",10,0,0,5,0,supplier,200,,0,1750000000123,5,20,,,,,,,,,,)"`,
      "[]",
    ].join("\t"),
  ];
  await writeFile(join(folder, "host-1-abcdef.ahead"), `\n${lines.join("\n\n")}\n`);
  const nothing = { units: null, routing: null, refusedUsage: null };
  expect(await takenOver()).toEqual([detailed, { ...call, ...nothing }]);
  expect([detailed, call].map(lineOf)).toEqual(lines);
  const journalled = String.raw`149081ed {"keyId":1,"userId":7,"departmentId":null,"projectId":9,"organisationId":1,"walletId":4,"exempt":true,"callId":"01890a5d-ac96-774b-bcce-b302099a8057","held":true,"endpoint":"audio/transcriptions","requestedModel":"fast-chat","model":"fast-chat","supplier":"primary","region":"eu","stream":true,"sessionId":"","inputTokens":10,"cachedInputTokens":0,"cacheWriteTokens":0,"outputTokens":5,"reasoningTokens":0,"tokenSource":"supplier","costNanoUsd":"123456789012345678","priceVersion":1,"outcome":"client_abort","status":200,"errorCode":"stream_error","attempts":[{"supplier":"s","region":"eu","upstreamModel":"a \"b\"\t","startedMs":0,"endedMs":1,"outcome":"delivered","status":200,"code":null}],"startedAt":"2025-06-15T15:06:40.123Z","firstByteMs":null,"latencyMs":20,"units":{"milliseconds":1500,"toolUses":2},"counterfactualNanoUsd":"0","routing":{"routes":[{"supplier":"the \"second\" \\ one, (of) {two}"}]},"refusedUsage":{"inputTokens":12}}`;
  expect(parseSettlement(journalled)).toEqual(detailed);
});
