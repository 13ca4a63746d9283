import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { freshDatabase, type TestDatabase } from "../../support/database";
import { type Gateway, startGateway } from "../../support/gateway";

/** Changes through the management API with an Idempotency-Key. */
let database: TestDatabase;
let gateway: Gateway;

beforeAll(async () => {
  database = await freshDatabase();
  gateway = await startGateway({ database });
}, 60_000);
afterAll(async () => {
  await gateway?.close();
  await database?.close();
});

async function post(
  path: string,
  { key, body = { name: key }, by = gateway.adminKey }: { key: string; body?: unknown; by?: string },
) {
  const response = await fetch(`${gateway.url}/v1/manage/${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${by}`, "idempotency-key": key },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  const text = await response.text();
  return {
    status: response.status,
    text,
    json: JSON.parse(text),
    replayed: response.headers.get("idempotent-replayed"),
  };
}

const named = (name: string) => gateway.sql("SELECT public_id FROM api_key WHERE name = $1", [name]);
const stored = (key: string) => gateway.sql("SELECT answer FROM managed_request WHERE idem_key = $1", [key]);

describe("the same key with the same request", () => {
  test("makes one key, and its answer comes again byte for byte", async () => {
    const key = randomUUID();
    const first = await post("keys", { key });
    expect(first).toMatchObject({ status: 200, replayed: null });
    expect(await post("keys", { key })).toEqual({ ...first, replayed: "true" });
    expect(await named(key)).toEqual([{ public_id: first.json.id }]);
    const [{ answer }] = await stored(key);
    expect(answer).not.toContain(first.json.key);
    expect(answer).not.toContain(first.json.id);
  });

  test("rotates once: the secret that came first goes on working", async () => {
    const { id } = await gateway.createKey();
    const key = randomUUID();
    const first = await post(`keys/${id}/rotate`, { key, body: "" });
    const second = await post(`keys/${id}/rotate`, { key, body: "" });
    expect(second).toEqual({ ...first, replayed: "true" });
    const models = await fetch(`${gateway.url}/v1/models`, { headers: { authorization: `Bearer ${first.json.key}` } });
    expect(models.status).toBe(200);
  });

  test("of twenty at the same time one makes the change, and all get its answer", async () => {
    const key = randomUUID();
    const answers = await Promise.all(Array.from({ length: 20 }, () => post("keys", { key })));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers.filter(({ replayed }) => replayed === null)).toHaveLength(1);
    expect(await named(key)).toHaveLength(1);
  });
});

test("another body and another path are refused, and change nothing", async () => {
  const key = randomUUID();
  const { json } = await post("keys", { key });
  for (const [path, body] of [
    ["keys", { name: key, rate_limit_rpm: 1 }],
    ["keys", `{ "name": "${key}" }`],
    [`keys/${json.id}/rotate`, { name: key }],
  ] as const) {
    const refused = await post(path, { key, body });
    expect(refused.status).toBe(409);
    expect(refused.json.error.code).toBe("idempotency_conflict");
  }
  expect(await named(key)).toHaveLength(1);
});

test("what was refused leaves nothing: the next request with the key is the first", async () => {
  const key = randomUUID();
  expect((await post("keys", { key, body: { name: "" } })).status).toBe(422);
  expect((await post("keys", { key, body: "{" })).status).toBe(400);
  expect(await stored(key)).toEqual([]);
  expect(await post("keys", { key })).toMatchObject({ status: 200, replayed: null });
});

test("keys of two admin keys never meet", async () => {
  const key = randomUUID();
  const other = await gateway.createKey({ kind: "admin" });
  const [mine, theirs] = [await post("keys", { key }), await post("keys", { key, by: other.key })];
  expect(theirs).toMatchObject({ status: 200, replayed: null });
  expect(theirs.json.id).not.toBe(mine.json.id);
});

test.each(["a b", "x".repeat(256), "é"])("%j is no Idempotency-Key", async (key) => {
  const refused = await post("keys", { key, body: { name: "unmade" } });
  expect(refused.json.error.code).toBe("invalid_idempotency_key");
  expect(await named("unmade")).toEqual([]);
});

test("an admin key has at most 10,000 answers kept, and says so", async () => {
  const { key: by } = await gateway.createKey({ kind: "admin", name: "busy" });
  await gateway.sql(
    `INSERT INTO managed_request (key_id, idem_key, organisation_id, request_hash, answer)
     SELECT id, n::text, organisation_id, '', 'x' FROM api_key, generate_series(1, 10000) n WHERE name = 'busy'`,
  );
  const refused = await post("keys", { key: "one-more", by });
  expect(refused.status).toBe(429);
  expect(refused.json.error.code).toBe("rate_limit_exceeded");
  expect(await named("one-more")).toEqual([]);
});

test("a day later the key is another one's", async () => {
  const key = randomUUID();
  const first = await post("keys", { key });
  await gateway.sql("UPDATE managed_request SET answered_at = answered_at - interval '25 hours' WHERE idem_key = $1", [
    key,
  ]);
  const second = await post("keys", { key, body: { name: key, metadata: { again: "yes" } } });
  expect(second).toMatchObject({ status: 200, replayed: null });
  expect(second.json.id).not.toBe(first.json.id);
});

test("after kill -9 in the midst of changes, repeating all of them has made each once", {
  timeout: 120_000,
}, async () => {
  // The embedded database ends with its process.
  if (database.embedded) return;
  const keys = Array.from({ length: 24 }, () => randomUUID());
  const answered = new Map<string, string>();
  const all = keys.map((key) =>
    post("keys", { key }).then(
      ({ text }) => void answered.set(key, text),
      () => undefined,
    ),
  );
  await Promise.race(all);
  await gateway.kill("SIGKILL");
  await Promise.all(all);
  const { dataDir, adminKey } = gateway;
  gateway = await startGateway({ database, dataDir, adminKey });
  for (const key of keys) {
    const again = await post("keys", { key });
    expect(again.status).toBe(200);
    if (answered.has(key)) expect(again).toMatchObject({ text: answered.get(key), replayed: "true" });
    expect(await named(key)).toEqual([{ public_id: again.json.id }]);
  }
});
