import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { readConfig, setConfig } from "~/config.server";
import { db } from "~/connection/db.server";
import { log } from "~/observe/log.server";
import { unseal } from "~/sealing/sealing.server";
import { openFreshDatabase, type TestDatabase } from "../../../tests/support/database";
import { associatedData } from "./associated-data";
import { flushTokenEvents } from "./record-events";
import { type Renewal, RenewalFailed, type RenewedToken } from "./request-token";
import { restoreRenewed } from "./running";
import { findRow, listActive } from "./store";
import { syncCredentials } from "./sync";
import { TokenKeeper } from "./token-keeper";
import { stateOf } from "./token-state";

let database: TestDatabase;
let dataDir: string;
beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "gw-tokens-"));
  setConfig(readConfig({ GW_SECRET: "a-secret-for-tests-only-0123456789abcdef", DATA_DIR: dataDir }));
  database = await openFreshDatabase();
});
afterEach(async () => {
  await flushTokenEvents();
  await database.close();
  rmSync(dataDir, { recursive: true });
});

/** A token endpoint that counts requests, rotates its refresh tokens, and rejects used ones. */
function anEndpoint({ takesMs = 60, lifeSeconds = 3_600 } = {}) {
  const used = new Set<string>();
  const endpoint = {
    requests: [] as Renewal[],
    failures: [] as RenewalFailed[],
    async answer(renewal: Renewal): Promise<RenewedToken> {
      endpoint.requests.push(renewal);
      await new Promise((resolve) => setTimeout(resolve, takesMs));
      const failure = endpoint.failures.shift();
      if (failure !== undefined) throw failure;
      if (used.has(renewal.refreshToken)) throw new RenewalFailed("invalid_grant", { isFinal: true });
      used.add(renewal.refreshToken);
      const number = used.size;
      return { accessToken: `access-${number}`, refreshToken: `refresh-${number}`, expiresInSeconds: lifeSeconds };
    },
  };
  return endpoint;
}

type Endpoint = ReturnType<typeof anEndpoint>;

/** One OAuth credential that expires in `leftMs`, and a keeper for each process. */
async function aToken(endpoint: Endpoint, { leftMs = -1_000, processes = 1 } = {}) {
  const { id: supplierId } = await db().supplier.create({
    data: { name: "agents", kind: "native_agent", region: "eu" },
  });
  const credential = {
    name: "one",
    accessToken: "access-0",
    refreshToken: "refresh-0",
    expiresAt: new Date(Date.now() + leftMs),
    tokenUrl: "http://127.0.0.1/token",
    clientId: "client",
  };
  await syncCredentials(db(), [{ supplierId, supplier: "agents", credentials: [credential] }]);
  const [row] = await listActive(db());
  const keepers = Array.from({ length: processes }, (_, index) => {
    const keeper = new TokenKeeper(`process-${index}`, endpoint.answer, 20);
    keeper.adopt(stateOf(row!, "access-0"));
    return keeper;
  });
  return { id: row!.id, supplierId, credential, keepers, keeper: keepers[0]! };
}

const secretsOf = async (id: number) => {
  const row = (await findRow(db(), id))!;
  return [
    unseal(row.sealedToken!, associatedData(row, "token")),
    unseal(row.sealedRefreshToken!, associatedData(row, "refresh_token")),
  ];
};

describe("a token that is over", () => {
  test("is renewed by one request, however many calls and processes want it", async () => {
    const endpoint = anEndpoint();
    const { id, keepers } = await aToken(endpoint, { processes: 4 });
    const wanted = keepers.flatMap((keeper) => Array.from({ length: 25 }, () => keeper.current(id)));
    const tokens = await Promise.all(wanted);
    expect(new Set(tokens.map(({ text }) => text))).toEqual(new Set(["access-1"]));
    expect(endpoint.requests).toEqual([
      { tokenUrl: "http://127.0.0.1/token", clientId: "client", refreshToken: "refresh-0" },
    ]);
    expect(await secretsOf(id)).toEqual(["access-1", "refresh-1"]);
  });

  test("is renewed again with the refresh token that came with it", async () => {
    const endpoint = anEndpoint({ lifeSeconds: 0.02 });
    const { id, keeper } = await aToken(endpoint);
    await keeper.current(id);
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(await keeper.current(id)).toMatchObject({ text: "access-2" });
    expect(endpoint.requests.map(({ refreshToken }) => refreshToken)).toEqual(["refresh-0", "refresh-1"]);
  });

  test("is not used before its successor is in the database", async () => {
    const endpoint = anEndpoint();
    const { id, keeper } = await aToken(endpoint);
    const token = await keeper.current(id);
    expect([token.text, "refresh-1"]).toEqual(await secretsOf(id));
  });
});

test("a token that will soon be over is used while a new one is fetched", async () => {
  const endpoint = anEndpoint();
  const { id, keeper } = await aToken(endpoint, { leftMs: 60_000 });
  expect(keeper.current(id)).toEqual({ text: "access-0", generation: 0 });
  expect(keeper.current(id)).toEqual({ text: "access-0", generation: 0 });
  await keeper.stop();
  expect(keeper.current(id)).toEqual({ text: "access-1", generation: 1 });
  expect(endpoint.requests).toHaveLength(1);
});

test("the ticker renews what is due, once for all processes, and leaves the rest alone", async () => {
  const endpoint = anEndpoint();
  const { id, keepers } = await aToken(endpoint, { leftMs: 60_000, processes: 3 });
  for (const keeper of keepers) keeper.tick();
  for (const keeper of keepers) await keeper.stop();
  for (const keeper of keepers) keeper.tick();
  expect(endpoint.requests).toHaveLength(1);
  expect(await secretsOf(id)).toEqual(["access-1", "refresh-1"]);
});

test("a token that this process has not heard of is looked up, and one that is gone is missed by name", async () => {
  const { id } = await aToken(anEndpoint(), { leftMs: 3_600_000 });
  const stranger = new TokenKeeper("a stranger", anEndpoint().answer);
  expect(await stranger.current(id)).toEqual({ text: "access-0", generation: 0 });
  await expect(stranger.current(id + 1)).rejects.toMatchObject({ name: "NoToken", errorKind: "removed" });
});

describe("a token that a supplier refuses", () => {
  test("is renewed once, though its time is not over", async () => {
    const endpoint = anEndpoint();
    const { id, keepers } = await aToken(endpoint, { leftMs: 3_600_000, processes: 2 });
    const next = await Promise.all(keepers.flatMap((keeper) => [keeper.refused(id, 0), keeper.refused(id, 0)]));
    expect(new Set(next.map((token) => token?.text))).toEqual(new Set(["access-1"]));
    expect(endpoint.requests).toHaveLength(1);
  });

  test("right after it was made is not renewed again", async () => {
    const endpoint = anEndpoint();
    const { id, keeper } = await aToken(endpoint);
    const { generation } = await keeper.current(id);
    expect(await keeper.refused(id, generation)).toBeNull();
    expect(endpoint.requests).toHaveLength(1);
  });
});

describe("when the token endpoint fails", () => {
  test("the old token is used to its end, and the endpoint is left alone for a while", async () => {
    const endpoint = anEndpoint();
    const { id, keeper } = await aToken(endpoint, { leftMs: 8_000 });
    endpoint.failures.push(new RenewalFailed("http_503"));
    expect(await keeper.current(id)).toEqual({ text: "access-0", generation: 0 });
    expect(await keeper.current(id)).toEqual({ text: "access-0", generation: 0 });
    expect(endpoint.requests).toHaveLength(1);
    expect(await findRow(db(), id)).toMatchObject({ failures: 1, state: "usable", generation: 0 });
  });

  test("a token that is over says why there is no other", async () => {
    const endpoint = anEndpoint();
    const { id, keeper } = await aToken(endpoint);
    endpoint.failures.push(new RenewalFailed("network"));
    await expect(keeper.current(id)).rejects.toMatchObject({ name: "NoToken", errorKind: "network" });
    await expect(keeper.current(id)).rejects.toMatchObject({ name: "NoToken", errorKind: "waiting" });
    expect(endpoint.requests).toHaveLength(1);
  });

  test("a refused refresh token is never tried again, until the file brings another one", async () => {
    const endpoint = anEndpoint();
    const { id, keeper, supplierId, credential } = await aToken(endpoint);
    endpoint.failures.push(new RenewalFailed("invalid_grant", { isFinal: true }));
    await expect(keeper.current(id)).rejects.toMatchObject({ errorKind: "invalid_grant" });
    await db().supplierCredential.update({ where: { id }, data: { retryAt: null } });
    await expect(keeper.current(id)).rejects.toMatchObject({ errorKind: "revoked" });
    expect(endpoint.requests).toHaveLength(1);
    const again = { ...credential, refreshToken: "refresh-of-the-file" };
    await syncCredentials(db(), [{ supplierId, supplier: "agents", credentials: [again] }]);
    await keeper.reload(id);
    expect(await keeper.current(id)).toMatchObject({ text: "access-1" });
  });

  test("the lease of a process that died passes on", async () => {
    const endpoint = anEndpoint();
    const { id, keeper } = await aToken(endpoint);
    await db().supplierCredential.update({
      where: { id },
      data: { leaseOwner: "a process that is gone", leaseUntil: new Date(Date.now() + 300) },
    });
    expect(await keeper.current(id)).toMatchObject({ text: "access-1" });
  });

  test("everything is in the event log, and no secret", async () => {
    const endpoint = anEndpoint();
    const { id, keeper } = await aToken(endpoint);
    endpoint.failures.push(new RenewalFailed("http_500"));
    await expect(keeper.current(id)).rejects.toThrow("http_500");
    await db().supplierCredential.update({ where: { id }, data: { retryAt: null } });
    await keeper.reload(id);
    await keeper.current(id);
    await flushTokenEvents();
    const events = await db().tokenEvent.findMany({ orderBy: { id: "asc" } });
    expect(events.map(({ kind, errorKind, source }) => [kind, errorKind, source])).toEqual([
      ["added", null, "config"],
      ["refresh_failed", "http_500", "refresh"],
      ["refreshed", null, "refresh"],
    ]);
    expect(
      JSON.stringify(events, (_key, value) => String(value) && (typeof value === "bigint" ? 0 : value)),
    ).not.toMatch(/(access|refresh)-\d/);
  });
});

test("a renewed token is written when the database takes it, however often it did not", {
  timeout: 30_000,
}, async () => {
  const endpoint = anEndpoint();
  const { id, keeper } = await aToken(endpoint);
  await db().$executeRaw`ALTER TABLE supplier_credential ADD CONSTRAINT away CHECK (generation = 0) NOT VALID`;
  const failures = vi.spyOn(log, "error").mockImplementation(() => undefined);
  const wanted = keeper.current(id);
  await vi.waitFor(() => expect(failures.mock.calls.length).toBeGreaterThan(25), { timeout: 20_000 });
  await db().$executeRaw`ALTER TABLE supplier_credential DROP CONSTRAINT away`;
  expect(await wanted).toMatchObject({ text: "access-1" });
  failures.mockRestore();
  expect(await secretsOf(id)).toEqual(["access-1", "refresh-1"]);
  expect(endpoint.requests).toHaveLength(1);
  expect(readdirSync(join(dataDir, "tokens"))).toEqual([]);
});

describe("tokens that were renewed and not written, because the database was away and the process died", () => {
  const left = () =>
    readdirSync(join(dataDir, "tokens")).map((name) => readFileSync(join(dataDir, "tokens", name), "utf8"));
  /** Renews while the database accepts no writes, and gives up like a process that shuts down. */
  async function renewedButNotWritten() {
    const endpoint = anEndpoint();
    const made = await aToken(endpoint);
    await db().$executeRaw`ALTER TABLE supplier_credential ADD CONSTRAINT away CHECK (generation = 0) NOT VALID`;
    const wanted = Promise.resolve(made.keeper.current(made.id)).catch((error: unknown) => error);
    while (endpoint.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    await made.keeper.stop();
    expect(await wanted).toMatchObject({ name: "NoToken", errorKind: "not_saved" });
    await db().$executeRaw`ALTER TABLE supplier_credential DROP CONSTRAINT away`;
    return { ...made, endpoint };
  }

  test("are on the disk, sealed, and written at the next start", { timeout: 30_000 }, async () => {
    const { id } = await renewedButNotWritten();
    expect(left()).toHaveLength(1);
    expect(left()[0]).not.toMatch(/(access|refresh)-1/);
    expect(await restoreRenewed(db())).toBe(1);
    expect(await secretsOf(id)).toEqual(["access-1", "refresh-1"]);
    expect(left()).toEqual([]);
  });

  test("also when another process was refused with the old one meanwhile, and not over newer ones", {
    timeout: 60_000,
  }, async () => {
    const { id } = await renewedButNotWritten();
    await db().supplierCredential.update({ where: { id }, data: { state: "revoked" } });
    expect(await restoreRenewed(db())).toBe(1);
    expect(await findRow(db(), id)).toMatchObject({ state: "usable", generation: 1 });
    expect(await restoreRenewed(db())).toBe(0);
  });
});
