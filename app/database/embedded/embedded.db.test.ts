import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connection } from "~/connection/db.server";
import { setLogLevel } from "~/observe/log.server";
import { busyNote } from "./busy-note";
import { type EmbeddedDatabase, runningEmbeddedDatabase, startEmbeddedDatabase } from "./embedded.server";

let dataDir: string;
let database: EmbeddedDatabase;

beforeAll(async () => {
  setLogLevel("silent");
  dataDir = mkdtempSync(join(tmpdir(), "gw-embedded-"));
  database = await startEmbeddedDatabase({ dataDir });
});
afterAll(async () => {
  await database.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

async function connected(): Promise<pg.Client> {
  const client = new pg.Client(connection(database.url));
  client.on("error", () => undefined);
  await client.connect();
  return client;
}

async function eventually<T>(attempt: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (tries > 100) throw error;
      await sleep(100);
    }
  }
}

describe("several connections on one session", () => {
  test("each gets its own rows, however its messages are cut", async () => {
    const clients = await Promise.all(Array.from({ length: 6 }, connected));
    const long = "x".repeat(300_000);
    const wrong = await Promise.all(
      clients.map(async (client, me) => {
        let strange = 0;
        for (let turn = 0; turn < 15; turn += 1) {
          const asked = {
            text: `SELECT $1::int AS turn, ${me} AS me, length($2::text)`,
            values: [turn, me % 2 ? long : "a"],
          };
          const [row] = (await client.query(asked)).rows;
          if (row.me !== me || row.turn !== turn) strange += 1;
        }
        return strange;
      }),
    );
    expect(wrong.every((strange) => strange === 0)).toBe(true);
    await Promise.all(clients.map((client) => client.end()));
  });

  test("named statements of the same name do not meet", async () => {
    const [one, two] = [await connected(), await connected()];
    const ask = (client: pg.Client, text: string) => client.query({ name: "same", text, values: [1] });
    expect((await ask(one, "SELECT $1::int AS one")).rows).toEqual([{ one: 1 }]);
    expect((await ask(two, "SELECT $1::int AS two")).rows).toEqual([{ two: 1 }]);
    expect((await ask(one, "SELECT $1::int AS one")).rows).toEqual([{ one: 1 }]);
    await Promise.all([one.end(), two.end()]);
  });

  test("nobody gets into the transaction of another, and one that loses its client is rolled back", async () => {
    const [one, two] = [await connected(), await connected()];
    await one.query("CREATE TABLE guarded (v int)");
    await one.query("BEGIN");
    await one.query("INSERT INTO guarded VALUES (1)");
    const waiting = two.query("SELECT count(*)::int AS rows FROM guarded");
    (one as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
    expect((await waiting).rows).toEqual([{ rows: 0 }]);
    await two.end();
  });

  test("a refused statement leaves the connection usable, inside and outside of a transaction", async () => {
    const client = await connected();
    await expect(client.query("SELECT $1::int / 0", [1])).rejects.toThrow("division by zero");
    await client.query("BEGIN");
    await expect(client.query("SELECT nonsense")).rejects.toThrow("nonsense");
    await client.query("ROLLBACK");
    expect((await client.query("SELECT 9007199254740993::bigint AS big, ARRAY[1,2]::bigint[] AS list")).rows).toEqual([
      { big: 9007199254740993n, list: [1n, 2n] },
    ]);
    await client.end();
  });
});

test("flushes to the disk on every commit", async () => {
  const client = await connected();
  const settings = ["fsync", "synchronous_commit", "full_page_writes", "wal_sync_method"];
  const found = await client.query("SELECT name, setting FROM pg_settings WHERE name = ANY($1) ORDER BY name", [
    settings,
  ]);
  expect(Object.fromEntries(found.rows.map((row) => [row.name, row.setting]))).toEqual({
    fsync: "on",
    full_page_writes: "on",
    synchronous_commit: "on",
    wal_sync_method: "fsync",
  });
  await client.end();
});

test("a second server on the same folder is refused with one line", async () => {
  await expect(startEmbeddedDatabase({ dataDir })).rejects.toThrow(
    `DATA_DIR ${dataDir} is in use by process ${process.pid}`,
  );
  expect(runningEmbeddedDatabase(dataDir)).toBe(database.url);
});

test("files that are no whole database are refused with one line that names them", async () => {
  const broken = mkdtempSync(join(tmpdir(), "gw-broken-"));
  try {
    mkdirSync(join(broken, "database"));
    writeFileSync(join(broken, "database", "PG_VERSION"), "18\n");
    await expect(startEmbeddedDatabase({ dataDir: broken })).rejects.toThrow(
      `the database in ${broken} cannot be opened: `,
    );
  } finally {
    rmSync(broken, { recursive: true, force: true });
  }
});

test("what was acknowledged survives kill -9 of the database, which starts again by itself", async () => {
  const client = await connected();
  await client.query("CREATE TABLE kept (v int)");
  let acknowledged = 0;
  const writing = (async () => {
    for (;;) {
      await client.query("INSERT INTO kept VALUES ($1)", [acknowledged]);
      acknowledged += 1;
    }
  })().catch(() => undefined);
  await eventually(async () => {
    if (acknowledged <= 10) throw new Error("hardly anything is written");
  });
  const killed = database.pid()!;
  process.kill(killed, "SIGKILL");
  await writing;
  const again = await eventually(connected);
  const rows = (await again.query("SELECT count(*)::int AS rows FROM kept")).rows[0].rows;
  expect(rows === acknowledged || rows === acknowledged + 1).toBe(true);
  expect(database.pid()).not.toBe(killed);
  await again.end();
});

test("a database that works without a pause is noted, and the next start says so", async () => {
  const folder = mkdtempSync(join(tmpdir(), "gw-busy-"));
  const busy = await startEmbeddedDatabase({ dataDir: folder, loadEveryMs: 200 });
  try {
    const client = new pg.Client(connection(busy.url));
    await client.connect();
    expect(busyNote(folder)).toBeNull();
    let noted = false;
    const working = (async () => {
      while (!noted) await client.query("SELECT count(*) FROM generate_series(1, 500000)");
    })();
    await eventually(async () => {
      if (busyNote(folder) === null) throw new Error("not noted");
    });
    noted = true;
    await working;
    expect(busyNote(folder)).toMatch(
      /^The embedded database was the bottleneck on \d{4}-\d\d-\d\d: busy (9\d|100) % of a minute\.\nnpm run move-database moves/,
    );
    const old = Date.now() / 1000 - 8 * 86_400;
    utimesSync(join(folder, "database-busy"), old, old);
    expect(busyNote(folder)).toBeNull();
    await client.end();
  } finally {
    await busy.stop();
    rmSync(folder, { recursive: true, force: true });
  }
});
