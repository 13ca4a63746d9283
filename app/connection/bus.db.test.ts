import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { openFreshDatabase, type TestDatabase } from "../../tests/support/database";
import { checkBus, inTransaction, isListening, publish, startBus, stopBus, subscribe } from "./bus.server";
import { db, sqlPool } from "./db.server";

let database: TestDatabase;
const stops: (() => void | Promise<void>)[] = [];

beforeAll(async () => {
  database = await openFreshDatabase();
  await startBus();
});
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});
afterAll(async () => {
  await stopBus();
  await database.close();
});

function heardOn(topic: "keys" | "catalogue" | "budgets"): (string | undefined)[] {
  const heard: (string | undefined)[] = [];
  stops.push(subscribe(topic, (id) => heard.push(id)));
  return heard;
}

/** Simulates another process: loads the same modules again, with their own connections. */
async function anotherProcess() {
  vi.resetModules();
  const [bus, databases] = [await import("./bus.server"), await import("./db.server")];
  await databases.openDatabase(database);
  await bus.startBus();
  stops.push(() => bus.stopBus().then(databases.closeDatabase));
  return { bus, db: databases.db() };
}

async function until(condition: () => boolean, patienceMs = 1_000): Promise<number> {
  const startedMs = performance.now();
  while (!condition()) {
    if (performance.now() - startedMs > patienceMs) throw new Error(`not within ${patienceMs} ms`);
    await pause(2);
  }
  return performance.now() - startedMs;
}

test("what is published is heard at once in the same process, and once", async () => {
  const heard = heardOn("keys");
  await publish(db(), "keys", "7");
  expect(heard).toEqual(["7"]);
  await pause(100);
  expect(heard).toEqual(["7"]);
});

test("in a transaction it is heard after the commit", async () => {
  const heard = heardOn("budgets");
  await inTransaction(db(), async (tx) => {
    await publish(tx, "budgets", "key:1");
    await inTransaction(tx, (same) => publish(same, "budgets", "key:2"));
    expect(heard).toEqual([]);
  });
  expect(heard).toEqual(["key:1", "key:2"]);
});

test("what is rolled back is never heard", async () => {
  const heard = heardOn("keys");
  const failing = inTransaction(db(), async (tx) => {
    await publish(tx, "keys", "8");
    throw new Error("no");
  });
  await expect(failing).rejects.toThrow("no");
  await pause(100);
  expect(heard).toEqual([]);
});

test("a transaction of another kind is heard too", async () => {
  const heard = heardOn("keys");
  await db().$transaction((tx) => publish(tx, "keys", "9"));
  await until(() => heard.includes("9"));
});

test("a listener that fails does not keep others from hearing", async () => {
  stops.push(
    subscribe("catalogue", () => {
      throw new Error("bad listener");
    }),
  );
  const heard = heardOn("catalogue");
  await publish(db(), "catalogue");
  expect(heard).toEqual([undefined]);
});

test("another process hears it", async ({ skip }) => {
  if (database.embedded) skip("the embedded database serves one process");
  const other = await anotherProcess();
  const heard = heardOn("keys");
  await publish(other.db, "keys", "10");
  await until(() => heard.includes("10"), 30_000);
  expect(heard).toContain("10");
});

test("a connection that breaks is replaced, and listeners are told that they may have missed something", async ({
  skip,
}) => {
  if (database.embedded) skip("nothing to break on the embedded database");
  const heard = heardOn("catalogue");
  const { rowCount } = await sqlPool().query(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN gw_bus%' AND datname = current_database()",
  );
  expect(rowCount).toBe(1);
  await until(() => !isListening());
  await until(() => isListening(), 3_000);
  expect(heard).toEqual([undefined]);
  await publish(db(), "catalogue", "11");
  expect(heard).toContain("11");
});

test("a process to which notifications come no more counts as deaf, until its own come back", async ({ skip }) => {
  if (database.embedded) skip("nothing is notified on the embedded database");
  const emit = pg.Client.prototype.emit;
  const deaf = vi.spyOn(pg.Client.prototype, "emit").mockImplementation(function (this: pg.Client, event, ...rest) {
    return event === "notification" || emit.call(this, event, ...rest);
  });
  expect(await checkBus()).toBe(1);
  expect(isListening()).toBe(false);
  const heard = heardOn("catalogue");
  deaf.mockRestore();
  await until(() => isListening(), 8_000);
  expect(heard).toEqual([undefined]);
  expect(await checkBus()).toBe(0);
});

test("a transaction that meets a deadlock begins anew, and says after its one commit what it has published", async () => {
  if (database.embedded) return; // One session: transactions take turns.
  const [first, second] = await Promise.all(
    ["first", "second"].map((name) => db().organisation.create({ data: { name, slug: name }, select: { id: true } })),
  );
  const heard = heardOn("keys");
  const arrived: Record<string, () => void> = {};
  const both = ["one", "two"].map((name) => new Promise<void>((resolve) => (arrived[name] = resolve)));
  let begun = 0;
  // Each transaction locks one row, waits until the other has locked the other row, then requests that: with SQL, and
  // with Prisma.
  const take = (name: string, ids: [number, number]) =>
    inTransaction(db(), async (tx) => {
      begun += 1;
      await tx.$executeRaw`SELECT 1 FROM organisation WHERE id = ${ids[0]} FOR NO KEY UPDATE`;
      await publish(tx, "keys", name);
      arrived[name]!();
      await Promise.all(both);
      await tx.organisation.update({ where: { id: ids[1] }, data: { name }, select: { id: true } });
      await tx.$executeRaw`UPDATE organisation SET brand_name = ${name} WHERE id = ${ids[1]}`;
      return name;
    });
  const [one, two] = [first!.id, second!.id];
  expect(await Promise.all([take("one", [one, two]), take("two", [two, one])])).toEqual(["one", "two"]);
  expect(begun).toBe(3);
  expect(heard.toSorted()).toEqual(["one", "two"]);
});

test.each([
  ["a serialisation failure", "40001"],
  ["a deadlock", "40P01"],
])("%s in a statement by hand is tried again, a bounded number of times; another error at once", async (_, state) => {
  let tries = 0;
  const raise = (code: string) =>
    inTransaction(db(), async (tx) => {
      tries += 1;
      await tx.$executeRawUnsafe(`DO $$ BEGIN RAISE EXCEPTION 'in the way' USING ERRCODE = '${code}'; END $$`);
    });
  await expect(raise(state)).rejects.toThrow();
  expect(tries).toBe(6);
  tries = 0;
  await expect(raise("22012")).rejects.toThrow();
  expect(tries).toBe(1);
});
