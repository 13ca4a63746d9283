// Own code on purpose: Node has no API for it, and every package has native code. `flock` of util-linux or BusyBox
// locks a file descriptor that it inherits. The lock belongs to the open file, so this process keeps it when that
// program has ended.
import { spawnSync } from "node:child_process";
import { closeSync, constants, openSync } from "node:fs";

/** Flag of open() that also takes the lock; Node does not define it on every system. */
const O_EXLOCK = 0x20;
const WITHIN_MS = 5_000;

/**
 * Takes the kernel's exclusive lock on a file. The kernel releases it only when this process ends, including by a
 * crash. The lock covers all processes on one kernel, across containers, and network file systems that forward locks.
 * Returns an object that releases it; "taken"; or null where this system has no such lock.
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
  // Status 1 without a message means that the lock is taken; every other error prints a message.
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
