// The embedded database's own process. It is started by embedded.server.ts with fork, and ends when its parent does.
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

// A signal to the whole process group is for the parent, which needs the database until it has drained.
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
// At once, in the middle of whatever it is: not one more page may be written.
lock = await acquireLock(dataDir, { ...as, onLost: () => process.exit(lostCode) }).catch(refuse);

try {
  // A process that has created a database keeps the memory of that; the next one starts without it.
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

// A crash in the middle of the first initialisation must not leave half a database: it gets its name when it is whole.
async function createOnce() {
  if (existsSync(join(folder, "PG_VERSION"))) {
    const found = readFileSync(join(folder, "PG_VERSION"), "utf8").trim();
    if (found === MAJOR_VERSION) return false;
    throw new Error(
      `the database in ${dataDir} was written by PostgreSQL ${found}, this version carries ${MAJOR_VERSION}`,
    );
  }
  // What creates it runs once: optimising it would take longer than it saves.
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

/** Tells the parent why, then ends. Never resolves. */
function leave(report, code) {
  lock?.release();
  if (process.connected) process.send(report, () => process.exit(code));
  else process.exit(code);
  return new Promise(() => undefined);
}
