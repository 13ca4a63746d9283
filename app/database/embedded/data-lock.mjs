// Own code on purpose: it combines the kernel's lock, where there is one, with a record that has a heartbeat and is
// checked before every write (docs/decisions/055-one-owner-of-the-embedded-database.md).
import { randomUUID } from "node:crypto";
import {
  closeSync,
  fstatSync,
  futimesSync,
  linkSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { takeKernelLock } from "./kernel-lock.mjs";
import { isAlive, isRestarted, isSameKernel, seesProcessOf, self } from "./lock-holder.mjs";

/**
 * `beatMs`: interval of the heartbeat; `freshMs`: how long a holder may write after a check; `silentMs`: time without a
 * heartbeat after which another process takes over; `patienceMs`: how long a process waits for the lock.
 */
const TIMES = { beatMs: 2_000, freshMs: 250, silentMs: 10_000, patienceMs: 12_000 };
const LOOK_EVERY_MS = 100;

/**
 * Locks `dataDir` for this process, so that no second server opens the same database. Takes over the lock of a dead
 * holder. Takes over the lock of a holder whose process is not visible here after ten seconds without a heartbeat, by
 * this process's own clock. Waits for a holder whose parent has died, because it is about to end, and for a holder that
 * is not visible. `onLost` is called when another process has taken the lock, and must not return. `identity`: fields
 * of the record that differ from this process, to simulate another machine.
 * @param {string} dataDir
 * @param {{ onLost?: () => void, kernelLock?: (path: string) => { release(): void } | "taken" | null, identity?: object, times?: object }} [options]
 * @throws Error with the name InUse and a one-line message when another server uses the folder.
 */
export async function acquireLock(dataDir, { onLost, kernelLock = takeKernelLock, identity, times: given } = {}) {
  const path = join(dataDir, "lock");
  const times = { ...TIMES, ...given };
  const deadline = performance.now() + times.patienceMs;
  const me = { ...self(), ...identity };
  const kernel = await kernelLockBy(deadline, { dataDir, path, kernelLock, me });
  const mine = { ...me, token: randomUUID(), kernel: kernel !== null };
  try {
    const isUnseen = await replaceRecord(deadline, { dataDir, path, mine, times });
    // After this pause, an earlier holder that was suspended between its check and its write has checked again.
    if (isUnseen) await pause(4 * times.freshMs);
    return new HeldLock({ path, mine, kernel, times, onLost });
  } catch (error) {
    kernel?.release();
    throw error;
  }
}

/** The lock that this process holds. */
class HeldLock {
  #path;
  #mine;
  #kernel;
  #times;
  #onLost;
  #file;
  #timer;
  #looked = { steadyMs: Number.NEGATIVE_INFINITY, wallMs: 0 };
  #beatMs = Number.NEGATIVE_INFINITY;

  constructor({ path, mine, kernel, times, onLost }) {
    this.#path = path;
    this.#mine = mine;
    this.#kernel = kernel;
    this.#times = times;
    this.#onLost = onLost;
    this.#file = openSync(path, "r+");
    this.verify();
    this.#timer = setInterval(() => this.verify(), times.beatMs);
    this.#timer.unref();
  }

  /** Checks the lock again if the last check is too old by either of two clocks. Call it before each access. */
  fence() {
    const { steadyMs, wallMs } = this.#looked;
    const { freshMs } = this.#times;
    if (performance.now() - steadyMs < freshMs && Math.abs(Date.now() - wallMs) < freshMs) return;
    this.verify();
  }

  /** Checks that this process still holds the lock; does not return otherwise. Call it before each acknowledgement. */
  verify() {
    const looked = { steadyMs: performance.now(), wallMs: Date.now() };
    if (read(this.#path)?.token !== this.#mine.token) {
      this.#onLost?.();
      throw new Error("the lock of DATA_DIR is another server's");
    }
    this.#looked = looked;
    if (looked.steadyMs - this.#beatMs < this.#times.beatMs / 2) return;
    this.#beatMs = looked.steadyMs;
    const now = new Date();
    futimesSync(this.#file, now, now);
  }

  release() {
    clearInterval(this.#timer);
    if (read(this.#path)?.token === this.#mine.token) rmSync(this.#path, { force: true });
    closeSync(this.#file);
    this.#kernel?.release();
  }
}

/** Returns the record of the live holder of `dataDir`, or null. */
export function lockHolder(dataDir) {
  const path = join(dataDir, "lock");
  const holder = read(path);
  if (holder === null) return null;
  const lives = seesProcessOf(holder, self()) ? isAlive(holder) : age(path) < TIMES.silentMs;
  return lives ? holder : null;
}

/** Takes the kernel's lock; null where this system has none. */
async function kernelLockBy(deadline, { dataDir, path, kernelLock, me }) {
  for (;;) {
    const kernel = kernelLock(`${path}.kernel`);
    if (kernel !== "taken") return kernel;
    await waitFor(read(path), { dataDir, me, deadline });
  }
}

/**
 * Writes this process's record, and replaces that of a dead holder. Returns whether that holder's process was not
 * visible here.
 */
async function replaceRecord(deadline, { dataDir, path, mine, times }) {
  let seen = { beat: null, sinceMs: 0 };
  let isUnseen = false;
  for (;;) {
    const found = tryLink(path, mine);
    if (found === null) return isUnseen;
    const { holder, beat } = found;
    if (beat !== seen.beat) seen = { beat, sinceMs: performance.now() };
    const isSilent = () => performance.now() - seen.sinceMs >= times.silentMs;
    const isDead = diesBeside(holder, mine) ?? isSilent();
    if (isDead) {
      isUnseen = diesBeside(holder, mine) === null;
      takeOver(path, found, times);
    } else await waitFor(holder, { dataDir, me: mine, deadline });
  }
}

/** Whether a record's holder is dead; null: only its heartbeat can show it. */
function diesBeside(holder, mine) {
  if (holder === null) return true;
  // A live holder would have the kernel's lock; this record is in a copy of its folder, or is left over.
  if (holder.kernel === true && mine.kernel && isSameKernel(holder, mine)) return true;
  if (seesProcessOf(holder, mine)) return !isAlive(holder);
  return isRestarted(holder, mine) ? true : null;
}

/**
 * Waits before the next attempt.
 * @throws Error when the deadline has passed, or the holder is alive and not about to end.
 */
async function waitFor(holder, { dataDir, me, deadline }) {
  const isSeen = holder !== null && seesProcessOf(holder, me);
  const isOrphan = isSeen && !isAlive({ pid: holder.parent, born: null });
  if (performance.now() > deadline || (isSeen && isAlive(holder) && !isOrphan)) throw inUse(dataDir, holder, me);
  await pause(LOOK_EVERY_MS);
}

// link() creates the file together with its content, or not at all.
function tryLink(path, mine) {
  const draft = `${path}.${mine.pid}-${mine.token.slice(0, 8)}`;
  writeFileSync(draft, JSON.stringify(mine));
  try {
    linkSync(draft, path);
    return null;
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
    return look(path) ?? { holder: null, beat: null };
  } finally {
    rmSync(draft, { force: true });
  }
}

// Only one process at a time may remove a dead holder's record, and only if the record has not changed.
function takeOver(path, dead, times) {
  const guard = `${path}.takeover`;
  try {
    writeFileSync(guard, String(process.pid), { flag: "wx" });
  } catch {
    if (age(guard) > times.silentMs) rmSync(guard, { force: true });
    return;
  }
  const found = look(path);
  if (found?.beat === dead.beat && sameHolder(found.holder, dead.holder)) rmSync(path, { force: true });
  rmSync(guard, { force: true });
}

/** Reads the record. Opens the file each time, because network file systems revalidate their cache only on open. */
function look(path) {
  try {
    const file = openSync(path, "r");
    try {
      return { holder: parsed(readFileSync(file, "utf8")), beat: fstatSync(file).mtimeMs };
    } finally {
      closeSync(file);
    }
  } catch {
    return null;
  }
}

const read = (path) => look(path)?.holder ?? null;

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function age(path) {
  try {
    return Date.now() - statSync(path).mtimeMs;
  } catch {
    return 0;
  }
}

const sameHolder = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/** The error of a second server. */
class InUse extends Error {
  name = "InUse";
}

function inUse(dataDir, holder, me) {
  const isSeen = holder !== null && seesProcessOf(holder, me);
  const where = isSeen ? `process ${holder.parent}` : `a server on ${holder?.host ?? "this or another machine"}`;
  return new InUse(
    `DATA_DIR ${dataDir} is in use by ${where}; stop it first, or give this server its own DATA_DIR or a DATABASE_URL`,
  );
}

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
