// What the operating system says about processes: Linux's /proc.
import { readdirSync, readFileSync } from "node:fs";
import { availableParallelism, loadavg } from "node:os";

/** utime + stime of a process (proc(5), fields 14 and 15), at 100 ticks a second; 0 for one that is gone. */
export function processorMicroseconds(pid) {
  const fields = statusOf(pid);
  return fields === null ? 0 : (Number(fields[11]) + Number(fields[12])) * 10_000;
}

/** The processes that a process has started itself. */
export function childrenOf(pid) {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && statusOf(name)?.[1] === String(pid))
    .map(Number);
}

/** Whether a process of this name runs on this machine under this number. */
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

/** Resident memory that is no file's, in bytes. */
export const anonymousBytes = (pid) =>
  Number(/RssAnon:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))[1]) * 1024;

/** How busy the machine is, with everything that runs on it. */
export const loadOfMachine = () =>
  `${availableParallelism()} processors, load ${loadavg()
    .map((load) => load.toFixed(2))
    .join(" ")} (1, 5, 15 minutes)`;

/** The fields of /proc/<pid>/stat behind the name, from the state on. */
function statusOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1).split(" ");
  } catch {
    return null;
  }
}
