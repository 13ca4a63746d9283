// Reads data of processes from Linux's /proc.
import { readdirSync, readFileSync } from "node:fs";
import { availableParallelism, loadavg } from "node:os";

/** utime + stime of a process (proc(5), fields 14 and 15), at 100 ticks a second; 0 if it has ended. */
export function processorMicroseconds(pid) {
  const fields = statusOf(pid);
  return fields === null ? 0 : (Number(fields[11]) + Number(fields[12])) * 10_000;
}

/** Returns the direct children of a process. */
export function childrenOf(pid) {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && statusOf(name)?.[1] === String(pid))
    .map(Number);
}

/** Whether this process id belongs to a process of this name on this machine. */
export function isHere(pid, name) {
  try {
    return readFileSync(`/proc/${pid}/comm`, "utf8").trim() === name;
  } catch {
    return false;
  }
}

export function residentMegabytes(pid) {
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))[1]) / 1024);
}

/** Resident memory without file mappings, in bytes. */
export const anonymousBytes = (pid) =>
  Number(/RssAnon:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))[1]) * 1024;

/** Describes the total load of the machine. */
export const loadOfMachine = () =>
  `${availableParallelism()} processors, load ${loadavg()
    .map((load) => load.toFixed(2))
    .join(" ")} (1, 5, 15 minutes)`;

/** Returns the fields of /proc/<pid>/stat after the name, starting with the state. */
function statusOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1).split(" ");
  } catch {
    return null;
  }
}
