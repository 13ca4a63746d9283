import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { readConfig, setConfig } from "~/config.server";
import { db } from "~/connection/db.server";
import { openFreshDatabase, type TestDatabase } from "../../../tests/support/database";
import { removeCredential, saveCredential } from "./change";
import { readCredentialViews, readTokenLog } from "./read-log";
import { flushTokenEvents, recordTokenEvent } from "./record-events";
import { readCredentials, resealCredentials } from "./running";
import { TokenLogQuery } from "./shared";
import { findByName, pruneEvents } from "./store";
import { syncCredentials } from "./sync";

const OLD = "an-old-secret-of-more-than-32-characters";
const NEW = "a-new-secret-of-more-than-32-characters!";
const use = (...secrets: string[]) => setConfig(readConfig({ GW_SECRET: secrets.join(",") }));

let database: TestDatabase;
let supplierId: number;
beforeEach(async () => {
  use(OLD);
  database = await openFreshDatabase();
  ({ id: supplierId } = await db().supplier.create({ data: { name: "agents", kind: "native_agent", region: "eu" } }));
});
afterEach(async () => {
  // Events that a test has left in memory belong to its own database.
  await flushTokenEvents();
  await database.close();
});

const file = (...credentials: Parameters<typeof syncCredentials>[1][number]["credentials"]) =>
  syncCredentials(db(), [{ supplierId, supplier: "agents", credentials }]);
const oauth = (refreshToken: string) => ({
  name: "two",
  accessToken: "access",
  refreshToken,
  expiresAt: new Date(Date.now() + 3_600_000),
  tokenUrl: "http://127.0.0.1/token",
  clientId: "c",
});
const inUse = async () => (await readCredentials(db())).get(supplierId) ?? [];

describe("the credentials of a file", () => {
  test("are written once, in their order, and read as they were", async () => {
    expect(await file({ name: "one", apiKey: "sk-1" }, oauth("r"))).toBe(2);
    expect(await file({ name: "one", apiKey: "sk-1" }, oauth("r"))).toBe(0);
    expect(await inUse()).toEqual([
      { name: "one", apiKey: "sk-1" },
      { name: "two", apiKey: "", tokenId: expect.any(Number) },
    ]);
    expect(await file(oauth("r"), { name: "one", apiKey: "sk-other" })).toBe(2);
    expect((await inUse()).map(({ name, apiKey }) => [name, apiKey])).toEqual([
      ["two", ""],
      ["one", "sk-other"],
    ]);
  });

  test("that it no longer names are gone: keys for good, tokens until it names them again", async () => {
    await file({ name: "one", apiKey: "sk-1" }, oauth("r"));
    const before = await findByName(db(), supplierId, "two");
    expect(await file()).toBe(2);
    expect(await inUse()).toEqual([]);
    expect(await findByName(db(), supplierId, "one")).toBeNull();
    await file(oauth("r"));
    expect(await findByName(db(), supplierId, "two")).toMatchObject({
      id: before!.id,
      sealedToken: before!.sealedToken,
    });
  });

  test("that no secret opens any more are left out, and come back with the file", async () => {
    await file({ name: "one", apiKey: "sk-1" }, oauth("r"));
    use(NEW);
    expect(await inUse()).toEqual([]);
    expect(await resealCredentials(db())).toBe(0);
    expect(await file({ name: "one", apiKey: "sk-1" }, oauth("r"))).toBe(2);
    expect(await inUse()).toHaveLength(2);
  });
});

test("all seals are carried over to a new secret, once", async () => {
  await file({ name: "one", apiKey: "sk-1" }, oauth("r"));
  use(NEW, OLD);
  expect(await resealCredentials(db())).toBe(2);
  expect(await resealCredentials(db())).toBe(0);
  use(NEW);
  expect((await inUse())[0]).toEqual({ name: "one", apiKey: "sk-1" });
});

test("a credential of the portal stays when the file is applied, and goes when it is removed", async () => {
  await saveCredential(db(), { supplierId, supplier: "agents", position: 5 }, { name: "own", apiKey: "sk-own" });
  await file({ name: "one", apiKey: "sk-1" });
  expect((await inUse()).map(({ name }) => name)).toEqual(["one", "own"]);
  const [, own] = await readCredentialViews(db());
  expect(own).toMatchObject({ name: "own", source: "portal", state: "usable", supplier: "agents", region: "eu" });
  expect(JSON.stringify(own)).not.toContain("sk-own");
  await removeCredential(db(), own!.id);
  await removeCredential(db(), own!.id);
  expect((await inUse()).map(({ name }) => name)).toEqual(["one"]);
});

test("a secret in the clear is refused by the database itself", async () => {
  const data = { supplierId, name: "bare", kind: "api_key", sealedToken: "sk-in-the-clear" };
  await expect(db().supplierCredential.create({ data })).rejects.toThrow();
});

describe("the event log", () => {
  const read = (query: Record<string, string>) => readTokenLog(db(), TokenLogQuery.parse(query));
  const note = (keyName: string, kind: "cooled" | "recovered" | "refreshed", errorKind: string | null = null) =>
    recordTokenEvent({
      provider: "agents",
      keyName,
      kind,
      source: kind === "refreshed" ? "refresh" : "traffic",
      errorKind,
    });

  test("is newest first, counts repetitions, and is found by every parameter", async () => {
    note("a", "cooled", "limited");
    note("a", "cooled", "limited");
    await read({});
    note("a", "recovered", "limited");
    note("b", "refreshed");
    const all = await read({});
    expect(all).toMatchObject({ total: 3, limit: 100, offset: 0 });
    expect(all.events.at(-1)).toMatchObject({
      provider: "agents",
      key_name: "a",
      kind: "cooled",
      error_kind: "limited",
      count: 2,
    });
    const found = async (query: Record<string, string>) =>
      (await read(query)).events.map(({ key_name, kind }) => `${key_name} ${kind}`);
    expect(await found({ key_name: "b" })).toEqual(["b refreshed"]);
    expect(await found({ provider: "nobody" })).toEqual([]);
    expect(await found({ kinds: "cooled, refreshed" })).toEqual(["b refreshed", "a cooled"]);
    expect(await found({ source: "refresh" })).toEqual(["b refreshed"]);
    expect(await found({ error_kind: "limited", limit: "1" })).toEqual(["a recovered"]);
    expect(await found({ limit: "1", offset: "2" })).toEqual(["a cooled"]);
    expect(await found({ since_ms: String(Date.now() + 60_000) })).toEqual([]);
    expect(await read({ limit: "", offset: "", since_ms: "", window_hours: "" })).toMatchObject({
      total: 3,
      limit: 100,
    });
    expect(TokenLogQuery.safeParse({ limit: "-1" }).success).toBe(false);
  });

  test("shows a window, and forgets what is old", async () => {
    note("a", "refreshed");
    await read({});
    await db().tokenEvent.updateMany({ data: { at: new Date(Date.now() - 40 * 86_400_000) } });
    note("b", "refreshed");
    expect((await read({})).total).toBe(1);
    expect((await read({ window_hours: "0" })).total).toBe(2);
    expect(await pruneEvents(db(), 30)).toBe(1);
    expect((await read({ window_hours: "0" })).total).toBe(1);
  });
});
