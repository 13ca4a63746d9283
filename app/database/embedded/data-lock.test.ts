import { mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { acquireLock, lockHolder } from "./data-lock.mjs";

const DEAD = 2 ** 22 - 3;
let dataDir: string;

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "gw-lock-"));
});
afterEach(() => rmSync(dataDir, { recursive: true }));

const write = (holder: object) => writeFileSync(join(dataDir, "lock"), JSON.stringify(holder));

test("a lock is held until it is released", async () => {
  const lock = await acquireLock(dataDir);
  expect(lockHolder(dataDir)).toMatchObject({ pid: process.pid });
  await expect(acquireLock(dataDir)).rejects.toThrow(`DATA_DIR ${dataDir} is in use by process ${process.ppid}`);
  lock.release();
  expect(lockHolder(dataDir)).toBeNull();
});

test("the lock of a process that is dead is taken over, by one of many", async () => {
  write({ pid: DEAD, parent: DEAD, host: hostname(), born: "1" });
  const tries = await Promise.allSettled([1, 2, 3, 4].map(() => acquireLock(dataDir)));
  const held = tries.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  expect(held).toHaveLength(1);
  held[0]?.release();
});

test.runIf(process.platform === "linux")("a process that has only inherited the number is not the holder", async () => {
  write({ pid: process.pid, parent: process.ppid, host: hostname(), born: "1" });
  (await acquireLock(dataDir)).release();
});

const SOON = { silentMs: 150, patienceMs: 600, freshMs: 5 };
const HOURS_MS = 3_600_000;

test.each([-HOURS_MS, 0, HOURS_MS])(
  "a holder on another machine, whose clock differs by %i ms, counts as long as its heart beats here",
  async (differsMs) => {
    write({ pid: 1, parent: 1, host: "elsewhere", born: "1", boot: "another", token: "theirs" });
    let beats = 0;
    const beat = () => {
      beats += 1;
      const at = new Date(Date.now() + differsMs + beats);
      utimesSync(join(dataDir, "lock"), at, at);
    };
    beat();
    const heart = setInterval(beat, 20);
    await expect(acquireLock(dataDir, { times: SOON })).rejects.toThrow("is in use by a server on elsewhere");
    clearInterval(heart);
    (await acquireLock(dataDir, { times: SOON })).release();
  },
);

test("what this machine has left behind before it was started again is nobody's, at once", async () => {
  write({ pid: 1, parent: 1, host: hostname(), born: "1", boot: "before", machine: "this", token: "theirs" });
  const identity = { boot: "now", machine: "this" };
  (await acquireLock(dataDir, { identity, times: { silentMs: 60_000 } })).release();
});

test("where there is a lock of the kernel, a record of the same kernel is a dead one's or a copy", async () => {
  write({
    pid: process.pid,
    parent: process.ppid,
    host: "a copy",
    born: null,
    boot: "now",
    kernel: true,
    token: "theirs",
  });
  const kernelLock = () => ({ release() {} });
  (await acquireLock(dataDir, { kernelLock, identity: { boot: "now" }, times: { silentMs: 60_000 } })).release();
  write({
    pid: process.pid,
    parent: process.ppid,
    host: "a copy",
    born: null,
    boot: "now",
    kernel: false,
    token: "theirs",
  });
  await expect(acquireLock(dataDir, { kernelLock, identity: { boot: "now" } })).rejects.toThrow("is in use by process");
});

test("a lock that another one has now is found out before a flush, and before any access that comes late", async () => {
  const lost: string[] = [];
  const mine = await acquireLock(dataDir, { times: { freshMs: 60_000 }, onLost: () => lost.push("lost") });
  write({ pid: 1, parent: 1, host: "elsewhere", born: "1", token: "theirs" });
  mine.fence();
  expect(lost).toEqual([]);
  expect(() => mine.verify()).toThrow("another server's");
  for (const clock of [performance, Date]) {
    const late = vi.spyOn(clock, "now").mockReturnValue(clock.now() + 60_001);
    expect(() => mine.fence()).toThrow("another server's");
    late.mockRestore();
  }
  expect(lost).toEqual(["lost", "lost", "lost"]);
  mine.release();
  expect(JSON.parse(readFileSync(join(dataDir, "lock"), "utf8"))).toMatchObject({ token: "theirs" });
});

test("half a lock file is nobody's", async () => {
  writeFileSync(join(dataDir, "lock"), '{"pid":');
  (await acquireLock(dataDir)).release();
});
