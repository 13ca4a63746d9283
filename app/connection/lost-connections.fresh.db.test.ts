import type pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { isDatabaseAway } from "~/connection/database-problem";
import { closeDatabase, db, newSqlClient, openDatabase, sqlPool } from "~/connection/db.server";
import { freshDatabase, type TestDatabase } from "../../tests/support/database";

let database: TestDatabase;
beforeAll(async () => {
  database = await freshDatabase();
  await openDatabase({ ...database, patienceMs: 300 });
});
afterAll(async () => {
  await closeDatabase();
  await database.close();
});

const REFUSED = "DO $$ BEGIN RAISE EXCEPTION 'cannot execute UPDATE' USING ERRCODE = '25006'; END $$";
const ended = (client: pg.Client) => new Promise<void>((resolve) => client.once("end", resolve));
const broken = (client: pg.PoolClient) => new Promise<Error>((resolve) => client.once("error", resolve));

test("a pooled connection that does not come back in time is cut, and the next one works", async () => {
  const client = await sqlPool().connect();
  const problem = await broken(client);
  client.release();
  expect(isDatabaseAway(problem)).toBe(true);
  expect(sqlPool().totalCount).toBe(0);
  expect((await sqlPool().query("SELECT 1 AS one")).rows).toEqual([{ one: 1 }]);
});

test("a connection that is in use does not keep the database from being closed", async () => {
  await openDatabase({ ...database, patienceMs: 60_000 });
  const client = await sqlPool().connect();
  client.once("error", () => client.release());
  await closeDatabase();
  await openDatabase({ ...database, patienceMs: 300 });
});

test("a client that comes too late and is dropped does not end the process", async () => {
  const client = await newSqlClient();
  client.connection.stream.destroy();
  await ended(client);
});

test("a connection whose server refuses to write is left for another one", async () => {
  const client = await newSqlClient();
  const left = ended(client);
  await expect(client.query(REFUSED)).rejects.toMatchObject({ code: "25006" });
  await left;
  await sqlPool().query("SELECT 1");
  const work = db().$transaction((tx) => tx.$executeRawUnsafe(REFUSED));
  expect(isDatabaseAway(await work.catch((error: unknown) => error))).toBe(true);
  expect(sqlPool().totalCount).toBe(0);
});
