import { expect, test } from "vitest";
import type { KnownSecret } from "../policy";
import { SecretCache } from "./secret-cache";

const FRESH_MS = 30_000;

function aSecret(keyId: number): KnownSecret {
  return {
    caller: {
      keyId,
      publicId: `key_${keyId}`,
      kind: "inference",
      organisationId: 1,
      userId: null,
      departmentId: null,
      projectId: null,
      allowedModels: [],
      allowedRegions: [],
      rateLimitRpm: null,
      walletId: 1,
      exempt: true,
      limited: false,
    },
    keyStatus: "active",
    userActive: true,
    expiresAtMs: Number.POSITIVE_INFINITY,
    replacedAtMs: Number.POSITIVE_INFINITY,
  };
}

/** A read that completes when the test decides. */
function slowRead() {
  let finish: (secret: KnownSecret | null) => void = () => undefined;
  let reads = 0;
  const read = () => {
    reads += 1;
    return new Promise<KnownSecret | null>((resolve) => {
      finish = resolve;
    });
  };
  return { read, finish: (secret: KnownSecret | null) => finish(secret), reads: () => reads };
}

test("300 who ask at once wait for one reading", async () => {
  const cache = new SecretCache();
  const slow = slowRead();
  const asked = Array.from({ length: 300 }, () => cache.read("digest", 0, slow.read));
  slow.finish(aSecret(1));
  const answers = await Promise.all(asked);
  expect(slow.reads()).toBe(1);
  expect(new Set(answers).size).toBe(1);
  expect(cache.get("digest", 1, FRESH_MS)?.caller.keyId).toBe(1);
});

test("a reading that began before a change is not kept, and nobody who asks later gets it", async () => {
  const cache = new SecretCache();
  const before = slowRead();
  const early = cache.read("digest", 0, before.read);
  cache.evict(() => false);
  const after = slowRead();
  const late = cache.read("digest", 0, after.read);
  before.finish(aSecret(1));
  expect((await early)?.caller.keyId).toBe(1);
  expect(cache.get("digest", 1, FRESH_MS)).toBeUndefined();
  after.finish(null);
  expect(await late).toBeNull();
  expect(cache.get("digest", 1, FRESH_MS)).toBeNull();
});

test("a reading that fails is told to all who wait and is tried again by the next", async () => {
  const cache = new SecretCache();
  const failing = cache.read("digest", 0, () => Promise.reject(new Error("no database")));
  const other = cache.read("digest", 0, () => Promise.resolve(aSecret(1)));
  await expect(failing).rejects.toThrow("no database");
  await expect(other).rejects.toThrow("no database");
  expect((await cache.read("digest", 0, async () => aSecret(1)))?.caller.keyId).toBe(1);
});

test("entries are believed for as long as the caller says, from the moment of asking", async () => {
  const cache = new SecretCache();
  await cache.read("digest", 1_000, async () => aSecret(1));
  expect(cache.get("digest", 30_999, FRESH_MS)).not.toBeUndefined();
  expect(cache.get("digest", 31_000, FRESH_MS)).toBeUndefined();
  expect(cache.get("digest", 1_600, 500)).toBeUndefined();
});

test("an unknown secret is refused without another look for five seconds, or until a key changes", async () => {
  const cache = new SecretCache();
  await cache.read("digest", 0, async () => null);
  expect(cache.get("digest", 4_999, FRESH_MS)).toBeNull();
  expect(cache.get("digest", 5_000, FRESH_MS)).toBeUndefined();
  await cache.read("digest", 0, async () => null);
  cache.evict(() => false);
  expect(cache.get("digest", 1, FRESH_MS)).toBeUndefined();
});

test("only what a change concerns is dropped", async () => {
  const cache = new SecretCache();
  await cache.read("one", 0, async () => aSecret(1));
  await cache.read("two", 0, async () => aSecret(2));
  cache.evict(({ caller }) => caller.keyId === 1);
  expect(cache.get("one", 1, FRESH_MS)).toBeUndefined();
  expect(cache.get("two", 1, FRESH_MS)?.caller.keyId).toBe(2);
  cache.evict();
  expect(cache.get("two", 1, FRESH_MS)).toBeUndefined();
});

test("of more keys than have room, those in use stay", async () => {
  const cache = new SecretCache({ known: 10, unknown: 10 });
  for (let id = 0; id < 50; id += 1) {
    await cache.read(`key ${id}`, 0, async () => aSecret(id));
    await cache.read(`guess ${id}`, 0, async () => null);
    cache.get("key 0", 1, FRESH_MS);
    cache.get("guess 0", 1, FRESH_MS);
  }
  const known = Array.from({ length: 50 }, (_, id) => id).filter((id) => cache.get(`key ${id}`, 1, FRESH_MS));
  const refused = Array.from({ length: 50 }, (_, id) => id).filter(
    (id) => cache.get(`guess ${id}`, 1, FRESH_MS) === null,
  );
  expect(known).toEqual([0, 41, 42, 43, 44, 45, 46, 47, 48, 49]);
  expect(refused).toEqual(known);
});

test("a change drops every key that it concerns, however many", async () => {
  const cache = new SecretCache();
  for (let id = 0; id < 100; id += 1) await cache.read(`key ${id}`, 0, async () => aSecret(id));
  cache.evict(({ caller }) => caller.keyId % 2 === 0);
  const left = Array.from({ length: 100 }, (_, id) => id).filter((id) => cache.get(`key ${id}`, 1, FRESH_MS));
  expect(left).toEqual(Array.from({ length: 50 }, (_, half) => 2 * half + 1));
});
