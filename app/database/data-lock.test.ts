import { mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
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

test("a holder on another machine counts as long as its heart beats", async () => {
  write({ pid: 1, parent: 1, host: "elsewhere", born: "1" });
  expect(lockHolder(dataDir)).toMatchObject({ host: "elsewhere" });
  utimesSync(join(dataDir, "lock"), new Date(), new Date(Date.now() - 60_000));
  (await acquireLock(dataDir)).release();
});

test("half a lock file is nobody's", async () => {
  writeFileSync(join(dataDir, "lock"), '{"pid":');
  (await acquireLock(dataDir)).release();
});
