import { setTimeout as pause } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { config, readConfig, setConfig } from "~/config.server";
import { startBus, stopBus } from "~/connection/bus.server";
import { db, sqlPool } from "~/connection/db.server";
import { setBudget } from "~/domain/accounting/index.server";
import { openFreshDatabase, type TestDatabase } from "../../../tests/support/database";
import { issueKey, listKeys, type NewKey, readKey, revokeKey, rotateKey, updateKey, verifyKey } from "./index.server";
import { generateSecret } from "./secrets/secret";

const SECRET = "a-secret-for-tests-only-0123456789abcdef";

let database: TestDatabase;
let organisationId: number;
let otherOrganisationId: number;

beforeAll(async () => {
  setConfig(readConfig({ GW_SECRET: SECRET }));
  database = await openFreshDatabase();
  await startBus();
  organisationId = (await db().organisation.create({ data: { name: "Home", slug: "home", billingExempt: true } })).id;
  otherOrganisationId = (await db().organisation.create({ data: { name: "Other", slug: "other" } })).id;
});
afterEach(() => {
  vi.useRealTimers();
  setConfig(readConfig({ GW_SECRET: SECRET }));
});
afterAll(async () => {
  await stopBus();
  await database.close();
});

const aKey = (fields: Partial<NewKey> = {}) => issueKey(db(), { organisationId, name: "test", ...fields });
const scope = () => ({ organisationId });
/** The error code with which a secret is rejected, or null. */
const refused = async (secret: string) => {
  try {
    await verifyKey(secret);
    return null;
  } catch (error) {
    return (error as { code: string }).code;
  }
};
const laterBy = (seconds: number) => vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + seconds * 1000 });

describe("a key that is verified", () => {
  test("says who calls, at once from the second time on", async () => {
    const key = await aKey({ allowedModels: ["a"], allowedRegions: ["eu"], rateLimitRpm: 5 });
    expect(await verifyKey(key.secret)).toMatchObject({
      keyId: key.id,
      publicId: key.publicId,
      kind: "inference",
      organisationId,
      allowedModels: ["a"],
      allowedRegions: ["eu"],
      rateLimitRpm: 5,
      exempt: true,
      limited: true,
    });
    expect(verifyKey(key.secret)).not.toBeInstanceOf(Promise);
  });

  test("is kept as an HMAC only", async () => {
    const key = await aKey();
    const { rows } = await sqlPool().query("SELECT api_key::text AS row FROM api_key WHERE id = $1", [key.id]);
    expect(rows[0].row).not.toContain(key.secret.slice(7, -4));
  });

  test("300 first calls at once cost one look-up", async () => {
    const { secret } = await aKey();
    const find = vi.spyOn(db().apiKey, "findFirst");
    const callers = await Promise.all(Array.from({ length: 300 }, () => verifyKey(secret)));
    expect(find).toHaveBeenCalledOnce();
    expect(new Set(callers.map(({ keyId }) => keyId)).size).toBe(1);
    find.mockRestore();
  });

  test("is refused from the second on in which it expires, also from memory", async () => {
    const { secret } = await aKey({ expiresAt: new Date(Date.now() + 60_000) });
    await verifyKey(secret);
    laterBy(40);
    expect(await refused(secret)).toBeNull();
    laterBy(21);
    expect(await refused(secret)).toBe("expired_api_key");
  });

  test("is not limited until a budget with a limit counts it", async () => {
    const { id, secret } = await aKey();
    expect((await verifyKey(secret)).limited).toBe(false);
    await setBudget(db(), { kind: "key", id, organisationId }, { limitNanoUsd: 5n, period: "daily" });
    expect((await verifyKey(secret)).limited).toBe(true);
  });
});

describe("what is no key", () => {
  test.each([
    ["", "missing_api_key"],
    ["gw_", "invalid_api_key"],
    ["sk-something", "invalid_api_key"],
    ["gw_'; DROP TABLE api_key; --aaaaaaaaaaaaaaaaaaaaaa", "invalid_api_key"],
  ])("%j is refused with %s", async (secret, code) => {
    expect(await refused(secret)).toBe(code);
  });

  test("an unknown key is looked up once in a while only", async () => {
    const secret = generateSecret();
    const find = vi.spyOn(db().apiKey, "findFirst");
    for (let i = 0; i < 5; i += 1) expect(await refused(secret)).toBe("invalid_api_key");
    expect(find).toHaveBeenCalledOnce();
    find.mockRestore();
  });

  test("a checksum that is wrong is refused without the database", async () => {
    await refused(`gw_${"a".repeat(49)}`);
    const queries = vi.spyOn(sqlPool(), "connect");
    const find = vi.spyOn(sqlPool(), "query");
    for (let i = 0; i < 20; i += 1) expect(await refused(`gw_${String(i).padStart(49, "b")}`)).toBe("invalid_api_key");
    expect(queries).not.toHaveBeenCalled();
    expect(find).not.toHaveBeenCalled();
    queries.mockRestore();
    find.mockRestore();
  });

  test("a root key that the operator made up works all the same", async () => {
    const secret = `gw_${"operatorMade".repeat(2)}`;
    expect(await refused(secret)).toBe("invalid_api_key");
    const admin = await aKey({ kind: "admin", secret });
    expect(await verifyKey(secret)).toMatchObject({ keyId: admin.id, kind: "admin" });
  });

  test("a database that does not answer is no verdict on the key", async () => {
    const { secret } = await aKey();
    const find = vi.spyOn(db().apiKey, "findFirst").mockRejectedValueOnce(new Error("gone"));
    expect(await refused(secret)).toBe("auth_unavailable");
    find.mockRestore();
    expect(await refused(secret)).toBeNull();
  });

  test("a look-up that found no free connection on a database that answers is told of the load, and of an absence otherwise", async () => {
    const { secret } = await aKey();
    const find = vi.spyOn(db().apiKey, "findFirst");
    await sqlPool().query("SELECT 1");
    find.mockRejectedValueOnce(new Error("timeout exceeded when trying to connect"));
    expect(await refused(secret)).toBe("capacity_exceeded");
    find.mockRejectedValueOnce(new Error("timeout exceeded when trying to connect"));
    const now = vi.spyOn(performance, "now").mockReturnValue(performance.now() + 60_000);
    expect(await refused(secret)).toBe("auth_unavailable");
    now.mockRestore();
    find.mockRestore();
  });

  test("a database that hangs is waited for two seconds", async () => {
    const { secret } = await aKey();
    const late = new Promise((resolve) => setTimeout(resolve, 3_000, null));
    const find = vi.spyOn(db().apiKey, "findFirst").mockReturnValueOnce(late as never);
    const first = await Promise.race([refused(secret), late.then(() => "waited")]);
    expect(first).toBe("auth_unavailable");
    find.mockRestore();
  });
});

describe("a key that changes", () => {
  test("revoked: refused at once, and for good", async () => {
    const { publicId, secret } = await aKey();
    await verifyKey(secret);
    const revoked = await revokeKey(db(), scope(), { publicId });
    expect(revoked).toMatchObject({ status: "revoked", revokedAt: expect.any(Date) });
    expect(await refused(secret)).toBe("invalid_api_key");
    expect((await revokeKey(db(), scope(), { publicId })).revokedAt).toEqual(revoked.revokedAt);
    await expect(updateKey(db(), scope(), { publicId }, { name: "x" })).rejects.toMatchObject({ code: "conflict" });
    await expect(rotateKey(db(), scope(), { publicId }, { overlapSeconds: 0 })).rejects.toMatchObject({
      code: "conflict",
    });
  });

  test("suspended and back", async () => {
    const { publicId, secret } = await aKey();
    await verifyKey(secret);
    await updateKey(db(), scope(), { publicId }, { status: "suspended" });
    expect(await refused(secret)).toBe("account_status");
    expect(() => verifyKey(secret)).toThrow("This API key is suspended.");
    await updateKey(db(), scope(), { publicId }, { status: "active" });
    expect(await refused(secret)).toBeNull();
  });

  test("new limits hold for the next call; what is not named stays", async () => {
    const { publicId, secret } = await aKey({
      allowedModels: ["a"],
      metadata: { team: "x" },
      budget: { limitNanoUsd: 7n, period: "daily" },
    });
    await verifyKey(secret);
    const changed = await updateKey(db(), scope(), { publicId }, { rateLimitRpm: 3, budget: { limitNanoUsd: null } });
    expect(changed).toMatchObject({
      allowedModels: ["a"],
      metadata: { team: "x" },
      rateLimitRpm: 3,
      budget: { limitNanoUsd: null, spentNanoUsd: 0n, period: "daily" },
    });
    expect(await verifyKey(secret)).toMatchObject({ rateLimitRpm: 3, allowedModels: ["a"] });
  });

  test("a look-up that was under way when the key was revoked is not kept", async () => {
    const { publicId, secret } = await aKey();
    const original = db().apiKey.findFirst;
    const find = vi.spyOn(db().apiKey, "findFirst");
    find.mockImplementationOnce((async (...args: Parameters<typeof original>) => {
      const row = await original.apply(db().apiKey, args);
      await pause(150);
      return row;
    }) as never);
    const early = verifyKey(secret);
    await pause(50);
    await revokeKey(db(), scope(), { publicId });
    await Promise.resolve(early).catch(() => undefined);
    find.mockRestore();
    expect(await refused(secret)).toBe("invalid_api_key");
  });
});

describe("rotation", () => {
  test("both secrets work until the overlap ends, then the new one only", async () => {
    const { publicId, secret: old } = await aKey();
    await verifyKey(old);
    const { secret: fresh } = await rotateKey(db(), scope(), { publicId }, { overlapSeconds: 60 });
    expect([await refused(old), await refused(fresh)]).toEqual([null, null]);
    laterBy(59);
    expect([await refused(old), await refused(fresh)]).toEqual([null, null]);
    laterBy(2);
    expect([await refused(old), await refused(fresh)]).toEqual(["invalid_api_key", null]);
  });

  test("without an overlap the old secret ends at once; a second rotation ends the overlap of the first", async () => {
    const { publicId, secret: first } = await aKey();
    await verifyKey(first);
    const { secret: second } = await rotateKey(db(), scope(), { publicId }, { overlapSeconds: 600 });
    const { secret: third } = await rotateKey(db(), scope(), { publicId }, { overlapSeconds: 600 });
    expect([await refused(first), await refused(second), await refused(third)]).toEqual([
      "invalid_api_key",
      null,
      null,
    ]);
    await rotateKey(db(), scope(), { publicId }, { overlapSeconds: 0 });
    expect([await refused(second), await refused(third)]).toEqual(["invalid_api_key", "invalid_api_key"]);
  });

  test("of GW_SECRET: old hashes are found, and renewed when the key is used", async () => {
    const { secret } = await aKey();
    const next = "another-secret-for-tests-0123456789abcdef";
    setConfig({ ...config(), secrets: [next, SECRET] });
    expect(await refused(secret)).toBeNull();
    await vi.waitFor(async () => {
      const { rows } = await sqlPool().query("SELECT count(*)::int AS n FROM api_key WHERE secret_hmac = $1", [
        await hashNow(secret),
      ]);
      expect(rows[0].n).toBe(1);
    });
  });
});

describe("the last admin key", () => {
  test("of two that end each other at once, one is left", async () => {
    const mine = { organisationId: otherOrganisationId };
    const [one, two] = [await aKey({ ...mine, kind: "admin" }), await aKey({ ...mine, kind: "admin" })];
    const ended = await Promise.allSettled([one, two].map(({ publicId }) => revokeKey(db(), mine, { publicId })));
    expect(ended.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    const left = (await listKeys(db(), mine, { beforeId: null, limit: 10, status: "active" })).keys.find(
      ({ kind }) => kind === "admin",
    )!;
    const ref = { publicId: left.publicId };
    await expect(updateKey(db(), mine, ref, { status: "suspended" })).rejects.toMatchObject({ code: "conflict" });
    await expect(updateKey(db(), mine, ref, { expiresAt: new Date() })).rejects.toMatchObject({ code: "conflict" });
    await expect(updateKey(db(), mine, ref, { name: "root" })).resolves.toMatchObject({ name: "root" });
  });

  test("is not replaced by one whose owner is suspended", async () => {
    const mine = { organisationId: (await db().organisation.create({ data: { name: "Keeper", slug: "keeper" } })).id };
    const holder = await db().user.create({ data: { ...mine, email: "holder@example.com", status: "suspended" } });
    const { publicId } = await aKey({ ...mine, kind: "admin" });
    const held = await aKey({ ...mine, kind: "admin", userId: holder.id });
    expect(await refused(held.secret)).toBe("account_status");
    await expect(revokeKey(db(), mine, { publicId })).rejects.toMatchObject({ code: "conflict" });
    await db().user.update({ where: { id: holder.id }, data: { status: "active" } });
    await expect(revokeKey(db(), mine, { publicId })).resolves.toMatchObject({ status: "revoked" });
  });
});

describe("a foreign key", () => {
  test("is missing, whatever is asked", async () => {
    const { id, publicId } = await aKey({ organisationId: otherOrganisationId });
    for (const ref of [{ publicId }, { id }, { publicId: "key_missing" }]) {
      const codes = await Promise.all(
        [
          readKey(db(), scope(), ref),
          updateKey(db(), scope(), ref, { name: "x" }),
          rotateKey(db(), scope(), ref, { overlapSeconds: 0 }),
          revokeKey(db(), scope(), ref),
        ].map((asked) =>
          asked.then(
            () => null,
            (error) => [error.code, error.message],
          ),
        ),
      );
      expect(new Set(codes.map((code) => JSON.stringify(code)))).toEqual(
        new Set(['["not_found","not_found - There is no such API key."]']),
      );
    }
  });
});

test("a list comes newest first, in pages, by status", async () => {
  const mine = { organisationId: (await db().organisation.create({ data: { name: "List", slug: "list" } })).id };
  const ids: string[] = [];
  for (const fields of [{}, { expiresAt: new Date(0) }, {}, {}])
    ids.unshift((await aKey({ ...mine, ...fields })).publicId);
  const first = await listKeys(db(), mine, { beforeId: null, limit: 3, status: null });
  const second = await listKeys(db(), mine, { beforeId: first.nextBeforeId, limit: 3, status: null });
  expect([...first.keys, ...second.keys].map(({ publicId }) => publicId)).toEqual(ids);
  expect(second.nextBeforeId).toBeNull();
  const expired = await listKeys(db(), mine, { beforeId: null, limit: 3, status: "expired" });
  expect(expired.keys.map(({ publicId, status }) => [publicId, status])).toEqual([[ids[2], "expired"]]);
  expect((await listKeys(db(), mine, { beforeId: null, limit: 10, status: "active" })).keys).toHaveLength(3);
});

test("another process refuses a revoked key within a second", async ({ skip }) => {
  if (database.embedded) skip("the embedded database serves one process");
  vi.resetModules();
  const there = {
    config: await import("~/config.server"),
    databases: await import("~/connection/db.server"),
    bus: await import("~/connection/bus.server"),
    keys: await import("./index.server"),
  };
  there.config.setConfig(readConfig({ GW_SECRET: SECRET }));
  await there.databases.openDatabase(database);
  await there.bus.startBus();
  try {
    const { publicId, secret } = await aKey();
    // The event of the new key may still be on its way; it makes the other process look the key up again.
    await vi.waitFor(async () => {
      const verified = there.keys.verifyKey(secret);
      await verified;
      expect(verified).not.toBeInstanceOf(Promise);
    });
    await revokeKey(db(), scope(), { publicId });
    while (
      (await Promise.resolve()
        .then(() => there.keys.verifyKey(secret))
        .catch(() => null)) !== null
    )
      await pause(2);
  } finally {
    await there.bus.stopBus();
    await there.databases.closeDatabase();
  }
});

async function hashNow(secret: string): Promise<Buffer> {
  const { hashOfSecret } = await import("./secrets/secret-hash");
  return hashOfSecret(secret);
}
