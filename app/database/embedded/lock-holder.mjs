import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

/** Returns the record of this process. */
export function self() {
  return {
    pid: process.pid,
    parent: process.ppid,
    host: hostname(),
    born: bornAt(process.pid),
    boot: textOf(() => readFileSync("/proc/sys/kernel/random/boot_id", "latin1")),
    processes: textOf(() => readlinkSync("/proc/self/ns/pid")),
    machine: textOf(() => readFileSync("/etc/machine-id", "latin1")),
  };
}

/** Whether two processes run on one kernel, so that its locks work between them. */
export const isSameKernel = (one, other) =>
  one.boot && other.boot ? one.boot === other.boot : one.host === other.host;

/**
 * Whether the process id of a holder is visible to this process. A field missing in an older version's record counts as
 * equal.
 */
export const seesProcessOf = (holder, me) =>
  isSameKernel(holder, me) && (holder.processes ?? me.processes) === me.processes;

/** Whether a record is of this machine before its last boot, so that its holder cannot be alive. */
export const isRestarted = (holder, me) =>
  Boolean(holder.machine && holder.boot) &&
  holder.machine === me.machine &&
  holder.host === me.host &&
  holder.boot !== me.boot;

/** Whether the process of a record is alive; its process id must be visible here. */
export function isAlive({ pid, born }) {
  if (pid <= 0) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (error.code !== "EPERM") return false;
  }
  return born == null || born === bornAt(pid);
}

// Process ids are reused, above all in containers; the start time distinguishes two processes (Linux only, else null).
function bornAt(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    // A zombie process has ended; its parent has not read the exit code yet.
    return fields[0] === "Z" ? null : (fields[19] ?? null);
  } catch {
    return null;
  }
}

/** Returns a text of the system; null where the system does not provide it. */
function textOf(ask) {
  try {
    return ask().trim() || null;
  } catch {
    return null;
  }
}
