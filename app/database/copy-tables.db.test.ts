import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { closeDatabase, newTablesClient, openDatabase } from "~/connection/db.server";
import { auditLedger } from "~/domain/accounting/index.server";
import {
  aHold,
  aSettlement,
  type Books,
  fundedWallet,
  openBooks,
  putBudget,
  someParties,
} from "../../tests/support/accounting";
import { freshDatabase, type TestDatabase } from "../../tests/support/database";
import { copyTables } from "./copy-tables";
import { type EmbeddedDatabase, startEmbeddedDatabase } from "./embedded/embedded.server";
import { migrate } from "./schema/migrate.server";

// The database of the tests is copied to an embedded one, and from there to another database of the first kind.
const dataDir = mkdtempSync(join(tmpdir(), "gw-move-"));
let books: Books;
let embedded: EmbeddedDatabase;
let last: TestDatabase;
const clients: pg.Client[] = [];

const STRANGE = `CREATE TABLE strange (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, parent bigint REFERENCES strange, doubled bigint GENERATED ALWAYS AS (id * 2) STORED,
  words text, list text[], bytes bytea, document jsonb, at timestamptz, lasts interval, amount numeric, real double precision)`;
const VALUES = `INSERT INTO strange (parent, words, list, bytes, document, at, lasts, amount, real) VALUES
  (2, E'a "quote", a \\\\ and\\na line 🙂', ARRAY['', NULL, '{,}', '"'], '\\x00ff27', 'null', '2026-03-29 02:30:00.123456+01', '1 mon 2 days 03:04:05.6', 12345678901234567890.123456789, 0.1::float8 + 0.2),
  (NULL, NULL, NULL, NULL, NULL, 'infinity', '-1 day', 'NaN', '-infinity'),
  (3, '', '{}', '', '{"b": 1.10, "a": [null, "é\\n"]}', '0044-03-15 12:00:00+00 BC', '0', 0.10, 1e-300)`;

async function connected(url: string): Promise<pg.Client> {
  const client = await newTablesClient(url);
  clients.push(client);
  return client;
}

beforeAll(async () => {
  books = await openBooks();
  const accounting = await books.start();
  const who = someParties(await fundedWallet(books, 100_000n), { userId: 1 });
  await putBudget(books, "key", 1, 50_000n);
  const calls = Array.from({ length: 20 }, () => aHold(who, 100n, { rateLimitRpm: 100 }));
  await Promise.all(calls.map((call) => accounting.admit(call)));
  await Promise.all(calls.slice(5).map((call) => accounting.settle(aSettlement(call, 60n))));
  await accounting.stop();
  embedded = await startEmbeddedDatabase({ dataDir });
  await migrate({ url: embedded.url, embedded: true });
  last = await freshDatabase();
});
afterAll(async () => {
  await Promise.all(clients.map((client) => client.end()));
  await closeDatabase();
  await embedded.stop();
  await Promise.all([last.close(), books.close()]);
  rmSync(dataDir, { recursive: true, force: true });
});

const fingerprint = async (client: pg.Client) =>
  (await client.query("SELECT strange::text AS row FROM strange ORDER BY id")).rows;

test("every row arrives as it was, in both directions, and the books are sound", async () => {
  const [from, between, to] = [await connected(books.url), await connected(embedded.url), await connected(last.url)];
  for (const client of [from, between, to]) await client.query(`${STRANGE}; SET "TimeZone" = 'Asia/Kolkata'`);
  await from.query(VALUES);
  const there = await copyTables(from, between);
  expect(there.find(({ table }) => table === "hold")).toEqual({ table: "hold", rows: 20 });
  expect(await copyTables(between, to)).toEqual(there);
  expect(await fingerprint(to)).toEqual(await fingerprint(from));
  await closeDatabase();
  await openDatabase(last);
  expect((await auditLedger()).defects).toEqual([]);
});

test("what the target checks and counts goes on where the source was", async () => {
  const [from, to] = [await connected(books.url), await connected(last.url)];
  const question =
    "SELECT conname, pg_get_constraintdef(oid) AS what FROM pg_constraint WHERE contype = 'f' ORDER BY conname";
  expect((await to.query(question)).rows).toEqual((await from.query(question)).rows);
  const triggers =
    "SELECT tgname, tgenabled FROM pg_trigger WHERE NOT tgisinternal ORDER BY tgname, tgrelid::regclass::text";
  expect((await to.query(triggers)).rows).toEqual((await from.query(triggers)).rows);
  await expect(to.query("DELETE FROM ledger_txn")).rejects.toThrow();
  await expect(to.query("INSERT INTO strange (parent) VALUES (99)")).rejects.toThrow("foreign key");
  expect((await to.query("INSERT INTO strange (words) VALUES ('next') RETURNING id::int, doubled::int")).rows).toEqual([
    { id: 5, doubled: 10 },
  ]);
});

test("rows that do not arrive undo everything", async () => {
  const [from, to] = [await connected(books.url), await connected(embedded.url)];
  await to.query("CREATE RULE lost AS ON INSERT TO strange WHERE NEW.id = 2 DO INSTEAD NOTHING");
  await from.query("INSERT INTO strange (words) VALUES ('more')");
  await expect(copyTables(from, to)).rejects.toThrow("the table strange did not arrive as it was: 3 of 4 rows");
  expect((await to.query("SELECT count(*)::int AS rows FROM strange")).rows).toEqual([{ rows: 3 }]);
  expect((await to.query("SELECT count(*)::int AS rows FROM pg_trigger WHERE tgenabled = 'D'")).rows).toEqual([
    { rows: 0 },
  ]);
  await to.query("DROP RULE lost ON strange");
});

test("databases with other tables are refused before anything is changed", async () => {
  const [from, to] = [await connected(books.url), await connected(embedded.url)];
  const name = `t${randomUUID().replaceAll("-", "")}`;
  await from.query(`CREATE TABLE ${name} (id int)`);
  await expect(copyTables(from, to)).rejects.toThrow(`the two databases have not the same tables: ${name}`);
  await expect(copyTables(to, from)).rejects.toThrow("the two databases have not the same tables: of its own");
  await from.query(`DROP TABLE ${name}`);
});
