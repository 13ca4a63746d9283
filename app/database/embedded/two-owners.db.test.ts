import { spawn, spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { connection } from "~/connection/db.server";
import { setLogLevel } from "~/observe/log.server";
import { projectFile } from "../project-files";
import { type EmbeddedDatabase, type LockAs, startEmbeddedDatabase } from "./embedded.server";

let dataDir: string;
const started: EmbeddedDatabase[] = [];
const clients: pg.Client[] = [];

beforeEach(() => {
  setLogLevel("silent");
  dataDir = mkdtempSync(join(tmpdir(), "gw-owners-"));
});
afterEach(async () => {
  vi.restoreAllMocks();
  for (const client of clients.splice(0)) await client.end().catch(() => undefined);
  for (const each of started.splice(0)) {
    signal(each, "SIGCONT");
    await each.stop();
  }
  rmSync(dataDir, { recursive: true, force: true });
});

const TIMES = { beatMs: 100, freshMs: 50, silentMs: 1_000, patienceMs: 3_000 };
/** A lock as on another machine, with a kernel of its own. */
const elsewhere = (host: string): LockAs => ({
  identity: { host, boot: host, machine: host },
  hasKernelLock: false,
  times: TIMES,
});

async function owner(lockAs: LockAs, folder = dataDir) {
  const database = await startEmbeddedDatabase({ dataDir: folder, lockAs });
  started.push(database);
  const client = new pg.Client(connection(database.url));
  client.on("error", () => undefined);
  await client.connect();
  clients.push(client);
  return { database, client };
}

/** Captures the message and exit code with which this process would end. */
function ending(): Promise<{ said: unknown; code: unknown }> {
  const said = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  return new Promise((resolve) => {
    const exit = (code: unknown) => resolve({ said: said.mock.lastCall?.[0], code });
    vi.spyOn(process, "exit").mockImplementation(exit as never);
  });
}

function signal(database: EmbeddedDatabase, which: NodeJS.Signals): void {
  try {
    process.kill(database.pid()!, which);
  } catch {
    // The process has ended.
  }
}

const written = async (client: pg.Client) =>
  (await client.query("SELECT n FROM kept ORDER BY n")).rows.map(({ n }) => n);

test("an owner elsewhere that was paused and has lost its folder writes and answers nothing more, and no row is lost", async () => {
  const first = await owner(elsewhere("one"));
  await first.client.query("CREATE TABLE kept (n int)");
  await first.client.query("INSERT INTO kept VALUES (1)");
  signal(first.database, "SIGSTOP");
  const second = await owner(elsewhere("two"));
  await second.client.query("INSERT INTO kept VALUES (2)");
  const acknowledged = Promise.allSettled([
    first.client.query("INSERT INTO kept VALUES (3)"),
    first.client.query("SELECT n FROM kept"),
  ]);
  const ended = ending();
  signal(first.database, "SIGCONT");
  const line = `DATA_DIR ${dataDir} was taken over by another server while this one was paused or cut off: `;
  expect(await ended).toEqual({ said: expect.stringContaining(line), code: 1 });
  expect((await acknowledged).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  await second.client.query("INSERT INTO kept VALUES (4)");
  expect(await written(second.client)).toEqual([1, 2, 4]);
  await second.database.stop();
  const third = await owner({});
  expect(await written(third.client)).toEqual([1, 2, 4]);
}, 120_000);

test("an owner elsewhere whose heart beats keeps its folder: a second server is refused in one line", async () => {
  const first = await owner(elsewhere("one"));
  await expect(owner(elsewhere("two"))).rejects.toThrow(/^DATA_DIR \S+ is in use by a server on one; stop it first/);
  expect((await first.client.query("SELECT 1 AS one")).rows).toEqual([{ one: 1 }]);
}, 120_000);

const hasProgram = (...command: string[]) => spawnSync(command[0]!, [...command.slice(1), "true"]).status === 0;
const hasFlock = process.platform === "linux" && spawnSync("flock", ["--version"]).error === undefined;

test.runIf(hasFlock)(
  "on one kernel a paused owner keeps its folder for as long as it lives, and serves when it goes on",
  async () => {
    const kernel = { times: { ...TIMES, silentMs: 50 } };
    const first = await owner(kernel);
    await first.client.query("CREATE TABLE kept (n int)");
    signal(first.database, "SIGSTOP");
    // Another container: another host name, another process table, no known common boot.
    const other = { identity: { host: "two", boot: "two", machine: "two" }, times: { ...TIMES, silentMs: 50 } };
    await expect(owner(other)).rejects.toThrow(/ is in use by a server on /);
    signal(first.database, "SIGCONT");
    await first.client.query("INSERT INTO kept VALUES (1)");
    expect(await written(first.client)).toEqual([1]);
    // A copy of the folder has a lock of its own, regardless of the copied record.
    const copy = `${dataDir}-copy`;
    cpSync(dataDir, copy, { recursive: true, filter: (from) => !from.endsWith(".s.PGSQL.5432") });
    const copied = await owner(kernel, copy);
    expect((await copied.client.query("SELECT 1 AS one")).rows).toEqual([{ one: 1 }]);
    await copied.database.stop();
    rmSync(copy, { recursive: true });
    // A killed process leaves no lock to wait for.
    signal(first.database, "SIGKILL");
  },
  120_000,
);

const LOCK_ONCE = `
  import { acquireLock } from ${JSON.stringify(projectFile("app/database/embedded/data-lock.mjs"))};
  const times = { patienceMs: 300, silentMs: 50 };
  await acquireLock(process.argv[1], { times }).then(
    () => process.stdout.write("held"),
    (problem) => process.stdout.write(problem.message),
  );
  process.exit(0);`;

/** Returns the output of a process in other namespaces that tries to lock the folder. */
const wantsIn = (namespaces: readonly string[]) =>
  new Promise<string>((resolve) => {
    const child = spawn("unshare", [...namespaces, process.execPath, "--input-type=module", "-e", LOCK_ONCE, dataDir]);
    let text = "";
    child.stdout.on("data", (data) => {
      text += data;
    });
    child.once("close", () => resolve(text));
  });

const NAMESPACES = [["--uts"], ["--pid", "--mount", "--fork", "--mount-proc"]];

test.each(NAMESPACES.filter((each) => hasFlock && hasProgram("unshare", ...each)).map((each) => [each]))(
  "in a namespace of its own (unshare %j) a server is refused while the owner is paused",
  async (namespaces) => {
    const first = await owner({ times: TIMES });
    signal(first.database, "SIGSTOP");
    expect(await wantsIn(namespaces)).toContain(`DATA_DIR ${dataDir} is in use by`);
    signal(first.database, "SIGKILL");
    await first.database.stop();
    expect(await wantsIn(namespaces)).toBe("held");
  },
  60_000,
);
