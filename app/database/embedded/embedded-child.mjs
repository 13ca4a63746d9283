// The process of the embedded database. embedded.server.ts starts it with fork, and it ends when its parent ends.
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { PGlite } from "@electric-sql/pglite";
import { acquireLock } from "./data-lock.mjs";
import { DurableFiles } from "./durable-files.mjs";
import { startHousekeeping } from "./housekeeping.mjs";
import { watchLoad } from "./load-watch.mjs";
import { WireServer } from "./wire-server.mjs";

const MAJOR_VERSION = "18";
const START_PARAMETERS = [
  // PGlite turns fsync off by default.
  ...PGlite.defaultStartParams.filter((parameter) => parameter !== "-F"),
  ...["fsync=on", "synchronous_commit=on", "wal_sync_method=fsync", "shared_buffers=32MB"].flatMap((setting) => [
    "-c",
    setting,
  ]),
];

const {
  dataDir,
  socketDir,
  port,
  idleTransactionMs,
  loadEveryMs,
  lockAs = {},
  lostCode,
} = JSON.parse(process.argv[2] ?? "{}");
const folder = join(dataDir, "database");

// Ignore signals to the process group: the parent handles them, and needs the database until it has drained.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => undefined);
let stopping = false;
process.on("disconnect", () => void stop());
process.on("message", (message) => message === "stop" && void stop());

let server = null;
let database = null;
let housekeeping = null;
let load = null;
let lock = null;
const { hasKernelLock = true, ...as } = lockAs;
if (!hasKernelLock) as.kernelLock = () => null;
// When the lock is lost, exit at once: not one more page may be written.
lock = await acquireLock(dataDir, { ...as, onLost: () => process.exit(lostCode) }).catch(refuse);

try {
  // Creating a database leaves this process with more memory, so a new process opens the database.
  if (await createOnce()) await leave({ kind: "created" }, 0);
  database = await open(folder);
  const onFatal = (problem) => die(problem);
  server = new WireServer(database, { idleTransactionMs, beforeUnit: () => lock.fence(), onFatal });
  if (socketDir !== null) rmSync(join(socketDir, ".s.PGSQL.5432"), { force: true });
  const address = await server.listen(
    socketDir === null ? { host: "127.0.0.1", port: port ?? 0 } : { path: join(socketDir, ".s.PGSQL.5432") },
  );
  housekeeping = startHousekeeping(server, database);
  load = watchLoad({ everyMs: loadEveryMs, report: (share) => process.send?.({ kind: "busy", share }) });
  process.send?.({ kind: "ready", port: typeof address === "object" ? address.port : null });
} catch (error) {
  await refuse(error);
}

// A crash during the first initialisation must not leave an incomplete database: it gets its final name when it is
// complete.
async function createOnce() {
  if (existsSync(join(folder, "PG_VERSION"))) {
    const found = readFileSync(join(folder, "PG_VERSION"), "utf8").trim();
    if (found === MAJOR_VERSION) return false;
    throw new Error(
      `the database in ${dataDir} was written by PostgreSQL ${found}, this version carries ${MAJOR_VERSION}`,
    );
  }
  // The code that creates a database runs once: optimising it would take longer than it saves.
  for (const flag of ["--liftoff-only", "--wasm-lazy-compilation"]) setFlagsFromString(flag);
  const unfinished = join(dataDir, "database.new");
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { recursive: true, mode: 0o700 });
  const first = await open(unfinished);
  await first.exec("CHECKPOINT");
  await first.close();
  try {
    renameSync(unfinished, folder);
  } catch (cause) {
    throw new Error(`${folder} is there and holds no database (${cause.code}): move it away`, { cause });
  }
  return true;
}

async function open(path) {
  try {
    return await PGlite.create({
      fs: new DurableFiles(path, lock),
      relaxedDurability: false,
      startParams: START_PARAMETERS,
    });
  } catch (cause) {
    throw new Error(`the database in ${dataDir} cannot be opened: ${cause.message}`, { cause });
  }
}

async function stop() {
  if (stopping) return;
  stopping = true;
  housekeeping?.stop();
  load?.stop();
  await server?.close();
  await database?.close();
  lock?.release();
  process.exit(0);
}

function die(problem) {
  console.error(problem);
  lock?.release();
  process.exit(70);
}

function refuse(problem) {
  const message = problem instanceof Error ? problem.message : String(problem);
  return leave({ kind: "refused", message, isInUse: problem?.name === "InUse" }, 75);
}

/** Sends the parent a report, then exits. Never resolves. */
function leave(report, code) {
  lock?.release();
  if (process.connected) process.send(report, () => process.exit(code));
  else process.exit(code);
  return new Promise(() => undefined);
}
