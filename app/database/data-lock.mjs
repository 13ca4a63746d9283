// Own code on purpose: it tells a holder that is dead from one on another host or in another container, and says who it
// is.
import { linkSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";

const BEAT_MS = 2_000;
const SILENT_MS = 10_000;
const PATIENCE_MS = 12_000;

/**
 * Takes `dataDir` for this process, so that no second server opens the same database.
 * A lock whose holder is dead is taken over. A holder whose own parent has died is about to end and is waited for.
 * @throws Error, in one line, when another server uses the folder.
 */
export async function acquireLock(dataDir) {
  const path = join(dataDir, "lock");
  const mine = { pid: process.pid, parent: process.ppid, host: hostname(), born: bornAt(process.pid) };
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const holder = tryLock(path, mine);
    if (holder === null) break;
    if (isAlive(holder, path)) {
      const orphan = holder.host === mine.host && !exists(holder.parent);
      if (Date.now() > deadline || (holder.host === mine.host && !orphan)) throw new Error(inUse(dataDir, holder));
      await new Promise((resolve) => setTimeout(resolve, 100));
    } else takeOver(path, holder);
  }
  const beat = setInterval(() => utimesSync(path, new Date(), new Date()), BEAT_MS);
  beat.unref();
  return {
    release() {
      clearInterval(beat);
      if (sameHolder(read(path), mine)) rmSync(path, { force: true });
    },
  };
}

/** Who holds `dataDir`, or null when nobody alive does. */
export function lockHolder(dataDir) {
  const path = join(dataDir, "lock");
  const holder = read(path);
  return holder !== null && isAlive(holder, path) ? holder : null;
}

// link() creates the file together with its content, or not at all.
function tryLock(path, mine) {
  const draft = `${path}.${mine.pid}`;
  writeFileSync(draft, JSON.stringify(mine));
  try {
    linkSync(draft, path);
    return null;
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
    return read(path) ?? { pid: -1, parent: -1, host: mine.host, born: null };
  } finally {
    rmSync(draft, { force: true });
  }
}

// Only one process at a time may remove a dead lock, and only the one that it has seen.
function takeOver(path, dead) {
  const guard = `${path}.takeover`;
  try {
    writeFileSync(guard, String(process.pid), { flag: "wx" });
  } catch {
    if (age(guard) > SILENT_MS) rmSync(guard, { force: true });
    return;
  }
  const found = read(path);
  if (found === null || sameHolder(found, dead)) rmSync(path, { force: true });
  rmSync(guard, { force: true });
}

function isAlive(holder, path) {
  // Another machine or container: its process table is out of sight, its heartbeat is not.
  if (holder.host !== hostname()) return age(path) < SILENT_MS;
  return exists(holder.pid) && (holder.born === null || holder.born === bornAt(holder.pid));
}

function exists(pid) {
  if (pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}

// Process ids come back, above all in containers; the time of birth tells two of them apart (Linux only, else null).
function bornAt(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    // A zombie has ended, only nobody has asked for its exit code.
    return fields[0] === "Z" ? null : (fields[19] ?? null);
  } catch {
    return null;
  }
}

function read(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
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

const sameHolder = (one, other) =>
  one !== null && one.pid === other.pid && one.host === other.host && one.born === other.born;

function inUse(dataDir, holder) {
  const where = holder.host === hostname() ? `process ${holder.parent}` : `a server on ${holder.host}`;
  return `DATA_DIR ${dataDir} is in use by ${where}; stop it first, or give this server its own DATA_DIR or a DATABASE_URL`;
}
