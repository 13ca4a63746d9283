import { type ChildProcess, fork } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { prepareDataFolder } from "~/config/data-folder";
import { ConfigError } from "~/config/error";
import { environmentVariable } from "~/config.server";
import { log } from "~/observe/log.server";
import { projectFile } from "../project-files";
import { recordBusy } from "./busy-note";
import { lockHolder } from "./data-lock.mjs";
import { socketFolder } from "./socket-folder";

const STOP_WITHIN_MS = 10_000;
const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 5_000;
const HEALTHY_AFTER_MS = 60_000;
// All connections share one session, so an abandoned transaction would block all of them.
const IDLE_TRANSACTION_MS = 15_000;
const LOAD_EVERY_MS = 60_000;
/** Exit code of the database's process when another server has taken its folder. */
const LOST_CODE = 76;

export type EmbeddedDatabase = {
  url: string;
  /** Process id of the database, for tests that kill it; changes at every restart. */
  pid(): number | undefined;
  /** Checkpoints, closes the database and ends its process. Safe to repeat. */
  stop(): Promise<void>;
};

type Report =
  | { kind: "ready"; port: number | null }
  | { kind: "created" }
  | { kind: "refused"; message: string; isInUse: boolean }
  | { kind: "busy"; share: number };
type Launched = { child: ChildProcess; port: number | null };

/** Overrides for the lock of the folder, for tests that simulate another machine. */
export type LockAs = {
  /** Fields of the lock's record to override. */
  identity?: { host?: string; boot?: string; machine?: string };
  hasKernelLock?: boolean;
  times?: { beatMs?: number; freshMs?: number; silentMs?: number; patienceMs?: number };
};

/** Another server uses the folder. */
class InUse extends ConfigError {}

/**
 * Starts the embedded PostgreSQL in a process of its own, with its data in `dataDir`. Restarts it with growing pauses
 * whenever it crashes. Acknowledged writes are on disk. When another server takes over the folder, this process prints
 * one line and ends at once with exit code 1.
 * @throws ConfigError when another server uses `dataDir`, or its database cannot be opened.
 */
export async function startEmbeddedDatabase(options: {
  dataDir: string;
  /** Period of one load measurement; by default a minute. */
  loadEveryMs?: number;
  lockAs?: LockAs;
}): Promise<EmbeddedDatabase> {
  prepareDataFolder(options.dataDir);
  const socketDir = socketFolder(options.dataDir);
  let stopping = false;
  const first = await launch({ ...options, socketDir });
  let { child, port } = first;
  let restarting: Promise<void> = Promise.resolve();
  let pause = FIRST_PAUSE_MS;
  let startedAt = Date.now();
  child.once("exit", died);

  function died(code: number | null, signal: string | null): void {
    if (stopping) return;
    if (code === LOST_CODE) {
      lost();
      return;
    }
    log.error({ code, signal }, "the embedded database ended; starting it again");
    // Repeated crashes lengthen the pause before a restart; a long healthy run resets it.
    if (Date.now() - startedAt > HEALTHY_AFTER_MS) pause = FIRST_PAUSE_MS;
    restarting = restart();
  }

  function lost(): void {
    stopping = true;
    endAtOnce(
      `DATA_DIR ${options.dataDir} was taken over by another server while this one was paused or cut off: this one ends, so that one owner writes`,
    );
  }

  async function restart(): Promise<void> {
    while (!stopping) {
      await sleep(pause);
      pause = Math.min(pause * 2, MAX_PAUSE_MS);
      startedAt = Date.now();
      const again = await launch({ ...options, socketDir, port }).catch((error) => {
        if (error instanceof InUse) lost();
        else log.error({ err: error });
      });
      if (!again) continue;
      ({ child, port } = again);
      child.once("exit", died);
      return;
    }
  }

  return {
    get url() {
      return databaseUrl({ socketDir, port });
    },
    pid: () => child.pid,
    async stop() {
      stopping = true;
      await restarting;
      await end(child);
    },
  };
}

/**
 * Returns the address of the embedded database of a server that is running on `dataDir`, or null. For commands that
 * read the data while the server runs, such as the audit.
 */
export function runningEmbeddedDatabase(dataDir: string): string | null {
  if (lockHolder(dataDir) === null) return null;
  const socketDir = socketFolder(dataDir);
  return socketDir === null ? null : databaseUrl({ socketDir, port: null });
}

function databaseUrl(address: { socketDir: string | null; port: number | null }): string {
  if (address.socketDir === null) return `postgresql://postgres@127.0.0.1:${address.port}/postgres`;
  return `postgresql://postgres@localhost/postgres?host=${encodeURIComponent(address.socketDir)}`;
}

/** Ends without draining: another process may already be doing the same work. */
function endAtOnce(line: string): never {
  process.stderr.write(`${line}\n`);
  process.exit(1);
}

type LaunchOptions = {
  dataDir: string;
  socketDir: string | null;
  port?: number | null;
  loadEveryMs?: number;
  lockAs?: LockAs;
};

function launch({ dataDir, socketDir, port, loadEveryMs = LOAD_EVERY_MS, lockAs }: LaunchOptions): Promise<Launched> {
  const options = { dataDir, socketDir, port, loadEveryMs, lockAs };
  const fixed = { idleTransactionMs: IDLE_TRANSACTION_MS, lostCode: LOST_CODE };
  const settings = JSON.stringify({ ...options, ...fixed });
  const child = fork(projectFile("app/database/embedded/embedded-child.mjs"), [settings], {
    execArgv: [],
    // PATH is needed to find `flock`.
    env: { PATH: environmentVariable("PATH") },
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (text: string) => log.warn({ text: text.trimEnd() }, "embedded database"));
  }
  return new Promise<Launched>((resolve, reject) => {
    let created = false;
    child.once("error", reject);
    child.once("exit", (code) => {
      if (created) resolve(launch(options));
      else reject(new Error(`the embedded database ended with code ${code} while it started`));
    });
    child.on("message", (report: Report) => {
      if (report.kind === "ready") resolve({ child, port: report.port });
      else if (report.kind === "created") created = true;
      else if (report.kind === "busy") recordBusy(options.dataDir, report.share);
      else reject(report.isInUse ? new InUse(report.message) : new ConfigError(report.message));
    });
  });
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  if (child.connected) child.send("stop", () => undefined);
  const timer = setTimeout(() => child.kill("SIGKILL"), STOP_WITHIN_MS);
  await exit;
  clearTimeout(timer);
}
