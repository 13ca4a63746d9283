// Own code on purpose: Node has no call for it, and every package brings native code. `flock` of util-linux or BusyBox locks a
// file that it inherits; the lock belongs to the open file, and so stays with this process when that program has ended.
import { spawnSync } from "node:child_process";
import { closeSync, constants, openSync } from "node:fs";

/** Opening takes the lock with it; not every system's Node names the flag. */
const O_EXLOCK = 0x20;
const WITHIN_MS = 5_000;

/**
 * Takes the kernel's exclusive lock of a file, which ends with this process, however that ends, and with nothing else. It holds for
 * all processes on one kernel, in whatever container, and on network file systems that pass locks on.
 * Answers what releases it; "taken"; or null where there is no such lock here.
 */
export function takeKernelLock(path) {
  if (process.platform === "linux") return byProgram(path);
  return process.platform === "darwin" ? byFlag(path) : null;
}

function byProgram(path) {
  const file = openSync(path, "a", 0o600);
  const { status, stderr } = spawnSync("flock", ["-n", "-x", "3"], {
    stdio: ["ignore", "ignore", "pipe", file],
    timeout: WITHIN_MS,
  });
  if (status === 0) return { release: () => closeSync(file) };
  closeSync(file);
  // Whatever else is wrong with it, it says so.
  return status === 1 && stderr.length === 0 ? "taken" : null;
}

function byFlag(path) {
  try {
    const { O_RDWR, O_CREAT, O_NONBLOCK } = constants;
    const file = openSync(path, O_RDWR | O_CREAT | O_NONBLOCK | O_EXLOCK, 0o600);
    return { release: () => closeSync(file) };
  } catch (error) {
    return error.code === "EAGAIN" ? "taken" : null;
  }
}
