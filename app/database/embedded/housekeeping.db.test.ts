import { mkdtempSync, rmSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import pg from "pg";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { startHousekeeping } from "./housekeeping.mjs";
import { WireServer } from "./wire-server.mjs";

let database: PGlite;
let server: WireServer;
let client: pg.Client;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "gw-housekeeping-"));
  database = await PGlite.create(join(folder, "database"));
  const onFatal = (error: unknown) => {
    throw error;
  };
  server = new WireServer(database, { idleTransactionMs: 1_000, onFatal });
  const { port } = (await server.listen({ host: "127.0.0.1", port: 0 })) as AddressInfo;
  client = new pg.Client({ host: "127.0.0.1", port, user: "postgres", database: "postgres" });
  client.on("error", () => undefined);
  await client.connect();
});
afterAll(async () => {
  vi.useRealTimers();
  await client.end();
  await server.close();
  await database.close();
  rmSync(folder, { recursive: true, force: true });
});

test("after some work and some time, the log is cut and dead rows are gone, while clients go on", async () => {
  const housekeeping = startHousekeeping(server, database);
  await client.query("CREATE TABLE busy (v int)");
  await client.query("INSERT INTO busy SELECT generate_series(1, 5000)");
  await client.query("UPDATE busy SET v = v + 1");
  const redo = "SELECT redo_lsn FROM pg_control_checkpoint()";
  const before = (await client.query(redo)).rows[0].redo_lsn;
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 11 * 60_000 });
  const looking = housekeeping.look();
  const asked = client.query("SELECT count(*)::int AS rows FROM busy");
  await looking;
  expect((await asked).rows).toEqual([{ rows: 5000 }]);
  expect((await client.query(redo)).rows[0].redo_lsn).not.toBe(before);
  const [table] = (
    await client.query("SELECT last_vacuum, n_dead_tup::int FROM pg_stat_user_tables WHERE relname = 'busy'")
  ).rows;
  expect(table.last_vacuum).toBeInstanceOf(Date);
  expect(table.n_dead_tup).toBe(0);
  housekeeping.stop();
});

test("a transaction that its client forgets is ended, and the next in line is served", async () => {
  vi.useRealTimers();
  const forgetful = new pg.Client({ host: client.host, port: client.port, user: "postgres", database: "postgres" });
  forgetful.on("error", () => undefined);
  await forgetful.connect();
  await forgetful.query("BEGIN");
  await forgetful.query("DELETE FROM busy");
  expect((await client.query("SELECT count(*)::int AS rows FROM busy")).rows).toEqual([{ rows: 5000 }]);
  await expect(forgetful.query("COMMIT")).rejects.toThrow();
});
