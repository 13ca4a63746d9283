import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

/** This process, as its record says it. */
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

/** Whether two run on one kernel, so that its locks hold between them. */
export const isSameKernel = (one, other) =>
  one.boot && other.boot ? one.boot === other.boot : one.host === other.host;

/** Whether this process can see another one's number. What a record of an older version does not say, it has in common. */
export const seesProcessOf = (holder, me) =>
  isSameKernel(holder, me) && (holder.processes ?? me.processes) === me.processes;

/** Whether a record is of this very machine before it was started again: nothing from then lives. */
export const isRestarted = (holder, me) =>
  Boolean(holder.machine && holder.boot) &&
  holder.machine === me.machine &&
  holder.host === me.host &&
  holder.boot !== me.boot;

/** Whether the process that a record names lives, of one that can be seen. */
export function isAlive({ pid, born }) {
  if (pid <= 0) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (error.code !== "EPERM") return false;
  }
  return born == null || born === bornAt(pid);
}

// Process ids come back, above all in containers; the time of birth tells two of them apart (Linux only, else null).
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

/** Null where this system does not say it. */
function textOf(ask) {
  try {
    return ask().trim() || null;
  } catch {
    return null;
  }
}
