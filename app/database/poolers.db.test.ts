import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newTablesClient, sqlPool } from "~/connection/db.server";
import { eventually } from "../../tests/support/chat-gateway";
import { freshDatabase, type TestDatabase } from "../../tests/support/database";
import { closeDatabase, startDatabase } from "./start.server";

// The real pgbouncer, as Debian packages it.
const canRun = process.env.TEST_DATABASE_URL !== undefined && spawnSync("pgbouncer", ["--version"]).status === 0;

let database: TestDatabase;
const folder = mkdtempSync(join(tmpdir(), "gw-pgbouncer-"));
const started: ChildProcess[] = [];

beforeAll(async () => {
  if (canRun) database = await freshDatabase();
});
afterAll(async () => {
  for (const child of started) child.kill("SIGKILL");
  await database?.close();
  rmSync(folder, { recursive: true, force: true });
});

/**
 * Starts pgbouncer in a mode, with `size` connections to the server; returns the address of the database through it.
 */
async function pooled(mode: "session" | "transaction", size = 20): Promise<string> {
  const port = await freePort();
  const to = new URL(database.url);
  const file = join(folder, `${mode}-${size}.ini`);
  writeFileSync(
    file,
    `[databases]\n* = host=${to.hostname} port=${to.port} user=${to.username}\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = ${port}\n` +
      `unix_socket_dir =\nauth_type = any\npool_mode = ${mode}\ndefault_pool_size = ${size}\nmax_client_conn = 200\n`,
  );
  chmodSync(folder, 0o755);
  // pgbouncer refuses to run as root.
  const as = process.getuid?.() === 0 ? ["-u", "postgres"] : [];
  started.push(spawn("pgbouncer", [...as, file], { stdio: "ignore" }));
  const url = new URL(to);
  url.port = String(port);
  const isUp = () =>
    newTablesClient(url.href).then(
      (client) => client.end().then(() => true),
      () => false,
    );
  expect(await eventually(isUp, (up) => up, 10_000)).toBe(true);
  return url.href;
}

const freePort = () =>
  new Promise<number>((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
const start = (databaseUrl: string) =>
  startDatabase({ databaseUrl, databaseMigrationUrl: null, databasePoolSize: 4, dataDir: folder });

test.runIf(canRun)("a pooler that lends connections by the session serves", async () => {
  await start(await pooled("session"));
  expect((await sqlPool().query("SHOW TimeZone")).rows).toEqual([{ TimeZone: "UTC" }]);
  await closeDatabase();
});

test.runIf(canRun).each([
  ["transaction", 20],
  ["transaction", 2],
] as const)("one that lends them by the %s is refused in one line, with %d connections", async (mode, size) => {
  const url = await pooled(mode, size);
  await expect(start(url)).rejects.toThrow(
    /^the address of the database leads to a pooler that lends connections by the transaction, [^\n]*use its session mode/,
  );
});

test.runIf(canRun)("so is one that other clients keep busy", async () => {
  const url = await pooled("transaction", 10);
  const others = await Promise.all(Array.from({ length: 5 }, () => newTablesClient(url)));
  let busy = true;
  const working = others.map(async (client) => {
    while (busy) await client.query("SELECT pg_sleep(0.002)");
  });
  await expect(start(url)).rejects.toThrow("leads to a pooler that");
  busy = false;
  await Promise.all(working);
  await Promise.all(others.map((client: pg.Client) => client.end()));
});
