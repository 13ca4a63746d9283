import { execFile } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { generateSecret } from "~/domain/keys/secrets/secret";
import { freshDatabase, type TestDatabase } from "../../support/database";
import { type Gateway, startGateway } from "../../support/gateway";

// An installation moves from the embedded database to PostgreSQL and back, with the operator's command.
const onServer = inject("testDatabases").kind === "postgres";
const SECRET = "a-secret-for-tests-only-0123456789abcdef";
let dataDir: string;
let postgres: TestDatabase;
let gateway: Gateway | null = null;
const adminKey = generateSecret();
let key: string;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "gw-move-"));
  if (onServer) postgres = await freshDatabase();
});
afterAll(async () => {
  await gateway?.close();
  await postgres?.close();
  await rm(dataDir, { recursive: true, force: true });
});

type Run = { code: number; output: string };

function run(script: string, args: string[] = [], env: Record<string, string> = {}): Promise<Run> {
  const settings = { PATH: process.env.PATH, HOME: process.env.HOME, DATA_DIR: dataDir, GW_SECRET: SECRET, ...env };
  return new Promise((resolve) =>
    execFile(process.execPath, [script, ...args], { env: settings }, (problem, stdout, stderr) =>
      resolve({ code: problem ? Number(problem.code) : 0, output: stdout + stderr }),
    ),
  );
}

const move = (...args: string[]) => run("scripts/move-database.mjs", args, { DATABASE_URL: postgres.url });

/** The embedded database of `dataDir`, also if the other tests use PostgreSQL. */
const EMBEDDED = { url: "", serverUrl: "", embedded: true, functions: "", close: async () => undefined };

const start = async (database: TestDatabase): Promise<Gateway> => {
  gateway = await startGateway({ database, dataDir, adminKey });
  return gateway;
};

async function stop(): Promise<void> {
  await gateway?.kill("SIGTERM");
  await gateway?.close();
  gateway = null;
}

async function call(at: Gateway): Promise<number> {
  const answer = await fetch(`${at.url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "sandbox-chat", messages: [{ role: "user", content: "hello" }] }),
  });
  await answer.text();
  return answer.status;
}

const BOOKED = `SELECT (SELECT count(*)::int FROM usage_event) AS calls, (SELECT sum(charged)::text FROM usage_event) AS charged,
  (SELECT count(*)::int FROM hold WHERE state = 'settled') AS settled, (SELECT sum(spent)::text FROM budget_counter) AS spent`;

test.runIf(onServer)(
  "keys, budgets and the books go to PostgreSQL and back, and the server goes on",
  async () => {
    let server = await start(EMBEDDED);
    key = (await server.createKey({ budget_limit: 5, budget_period: "monthly" })).key;
    expect(await call(server)).toBe(200);
    expect(await move()).toEqual({
      code: 1,
      output: expect.stringContaining(`DATA_DIR ${dataDir} is in use by process`),
    });
    await stop();

    expect(await move()).toEqual({
      code: 0,
      output: expect.stringMatching(/Moved \d+ rows of \d+ tables; each table was compared/),
    });
    expect(existsSync(join(dataDir, "database"))).toBe(false);
    expect(readdirSync(dataDir).filter((name) => name.startsWith("database-moved-"))).toHaveLength(1);
    expect(await move()).toEqual({ code: 1, output: `there is no database in DATA_DIR ${dataDir}\n` });

    server = await start(postgres);
    expect(await call(server)).toBe(200);
    const busy = await move("back");
    expect(busy).toEqual({
      code: 1,
      output: expect.stringMatching(/^a server uses the database \(\d+ connections\): stop it first\n$/),
    });
    expect(existsSync(join(dataDir, "database"))).toBe(false);
    const booked = await server.sql(BOOKED);
    expect(booked).toEqual([{ calls: 2, charged: expect.any(String), settled: 2, spent: expect.any(String) }]);
    await stop();

    expect((await move("back")).code).toBe(0);
    const audit = await run("scripts/audit.mjs");
    expect(audit).toEqual({ code: 0, output: expect.any(String) });
    server = await start(EMBEDDED);
    expect(await server.sql(BOOKED)).toEqual(booked);
    expect(await call(server)).toBe(200);
    await stop();
  },
  480_000,
);

test.runIf(onServer)(
  "a target that is in use, and a secret that opens nothing, are refused",
  async () => {
    const used = await move();
    expect(used).toEqual({ code: 1, output: expect.stringContaining("the database to move to is in use: its table") });
    expect(existsSync(join(dataDir, "database"))).toBe(true);
    const elsewhere = await mkdtemp(join(tmpdir(), "gw-move-"));
    await run("scripts/migrate.mjs", [], { DATA_DIR: elsewhere, GW_SECRET: "" });
    const other = await run("scripts/move-database.mjs", [], { DATA_DIR: elsewhere, DATABASE_URL: postgres.url });
    expect(other).toEqual({ code: 1, output: expect.stringContaining("GW_SECRET does not hold the secret of") });
    await rm(elsewhere, { recursive: true, force: true });
    expect(await run("scripts/move-database.mjs", ["sideways"])).toEqual({
      code: 1,
      output: "Usage: npm run move-database [-- back]\n",
    });
    const client = new pg.Client(postgres.url);
    await client.connect();
    expect((await client.query("SELECT count(*)::int AS calls FROM usage_event")).rows).toEqual([{ calls: 2 }]);
    await client.end();
  },
  240_000,
);
