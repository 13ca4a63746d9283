import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { generateSecret } from "~/domain/keys/secrets/secret";
import { type Gateway, startGateway } from "../../support/gateway";

let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway?.close());

type Init = { key?: string | null; body?: unknown; headers?: Record<string, string> };

async function manage(method: string, path: string, { key = gateway.adminKey, body, headers }: Init = {}) {
  const response = await fetch(`${gateway.url}/v1/manage/${path}`, {
    method,
    headers: { ...(key === null ? {} : { authorization: `Bearer ${key}` }), ...headers },
    body: typeof body === "string" || body === undefined ? body : JSON.stringify(body),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    text,
    json: text.startsWith("{") ? JSON.parse(text) : null,
  };
}

const models = (key: string) => fetch(`${gateway.url}/v1/models`, { headers: { authorization: `Bearer ${key}` } });
const codeOf = async (response: Response) => (await response.json()).error.code;

describe("creating and reading", () => {
  test("the create answer is id, key, name and created", async () => {
    const { status, json, headers } = await manage("POST", "keys", { body: { name: "first" } });
    expect(status).toBe(200);
    expect(Object.keys(json)).toEqual(["id", "key", "name", "created"]);
    expect(json.id).toMatch(/^key_[0-9A-Za-z]{22}$/);
    expect(json.key).toMatch(/^gw_[0-9A-Za-z]{49}$/);
    expect(new Date(json.created).toISOString()).toBe(json.created);
    expect(headers.get("cache-control")).toBe("no-store");
    expect((await models(json.key)).status).toBe(200);
  });

  test("the read answer shows budget, limits and status, and never the secret", async () => {
    const created = (
      await manage("POST", "keys", {
        body: '{"name":"all","allowed_models":["sandbox-chat"],"allowed_regions":"eu","budget_limit":10.000000001,"budget_period":"daily","rate_limit_rpm":60,"metadata":{"team":"a"},"expires_at":"2999-01-01T00:00:00+01:00"}',
      })
    ).json;
    const { json, text } = await manage("GET", `keys/${created.id}`);
    expect(json).toMatchObject({
      id: created.id,
      name: "all",
      budget_used: 0,
      budget_period: "daily",
      status: "active",
      allowed_models: ["sandbox-chat"],
      allowed_regions: "eu",
      rate_limit_rpm: 60,
      metadata: { team: "a" },
      expires_at: "2998-12-31T23:00:00.000Z",
      created: created.created,
    });
    expect(text).toContain('"budget_limit":10.000000001,"budget_used":0,"budget_remaining":10.000000001');
    expect(Date.parse(json.resets_at) - Date.now()).toBeLessThanOrEqual(24 * 3600 * 1000);
    expect(text).not.toContain(created.key.slice(7, -4));
  });

  test("without a budget its fields are null and nothing is used, and they can be sent again", async () => {
    const none = { budget_limit: null, budget_period: null, resets_at: null };
    const { id } = await gateway.createKey();
    const { json } = await manage("GET", `keys/${id}`);
    expect(json).toMatchObject({ ...none, budget_used: 0, budget_remaining: null });
    const body = { name: json.name, budget_limit: json.budget_limit, budget_period: json.budget_period };
    const copied = (await manage("POST", "keys", { body })).json;
    expect((await manage("GET", `keys/${copied.id}`)).json).toMatchObject(none);
    expect((await manage("PATCH", `keys/${id}`, { body })).json).toMatchObject({ budget_limit: null });
  });

  test("a limit is a number, however a client's library writes it", async () => {
    const { json } = await manage("POST", "keys", { body: '{"name":"small","budget_limit":1e-05}' });
    const read = await manage("GET", `keys/${json.id}`);
    expect(read.text).toContain('"budget_limit":0.00001,');
    expect((await manage("PATCH", `keys/${json.id}`, { body: '{"budget_limit":5e-7}' })).json.budget_limit).toBe(5e-7);
  });

  test("the list comes in pages and by status", async () => {
    const ids = [];
    for (let i = 0; i < 3; i += 1) ids.unshift((await gateway.createKey({ name: `listed ${i}` })).id);
    const first = (await manage("GET", "keys?limit=2")).json;
    const second = (await manage("GET", `keys?limit=1&cursor=${first.next_cursor}`)).json;
    expect([...first.data, ...second.data].map(({ id }: { id: string }) => id)).toEqual(ids);
    await manage("DELETE", `keys/${ids[0]}`);
    const revoked = (await manage("GET", "keys?status=revoked&limit=1")).json;
    expect(revoked.data).toMatchObject([{ id: ids[0], status: "revoked" }]);
  });
});

describe("changing", () => {
  test("PATCH changes what it names and answers the whole key", async () => {
    const { id } = await gateway.createKey({
      allowed_models: ["a"],
      metadata: { a: "b" },
      budget_limit: 5,
      budget_period: "daily",
    });
    const { status, json } = await manage("PATCH", `keys/${id}`, {
      body: { name: "renamed", budget_limit: 7.25, rate_limit_rpm: 9, allowed_regions: ["eu", "us"] },
    });
    expect(status).toBe(200);
    expect(json).toMatchObject({
      name: "renamed",
      budget_limit: 7.25,
      budget_period: "daily",
      rate_limit_rpm: 9,
      allowed_regions: "eu,us",
      allowed_models: ["a"],
      metadata: { a: "b" },
    });
    const cleared = (
      await manage("PATCH", `keys/${id}`, {
        body: { budget_limit: null, rate_limit_rpm: null, allowed_models: [], allowed_regions: null, metadata: null },
      })
    ).json;
    expect(cleared).toMatchObject({
      budget_limit: null,
      budget_remaining: null,
      rate_limit_rpm: null,
      allowed_models: [],
      allowed_regions: null,
      metadata: {},
    });
  });

  test("revoking is at once, and once", async () => {
    const { id, key } = await gateway.createKey();
    expect((await models(key)).status).toBe(200);
    expect((await manage("DELETE", `keys/${id}`)).json).toMatchObject({ id, status: "revoked" });
    const refused = await models(key);
    expect([refused.status, await codeOf(refused)]).toEqual([401, "invalid_api_key"]);
    expect((await manage("DELETE", `keys/${id}`)).status).toBe(200);
    expect((await manage("PATCH", `keys/${id}`, { body: { name: "x" } })).json.error.code).toBe("conflict");
  });

  test("suspended and expired keys say so", async () => {
    const { id, key } = await gateway.createKey();
    await manage("PATCH", `keys/${id}`, { body: { status: "suspended" } });
    const suspended = await models(key);
    expect([suspended.status, await codeOf(suspended)]).toEqual([403, "account_status"]);
    expect(
      (await manage("PATCH", `keys/${id}`, { body: { status: "active", expires_at: "2001-01-01T00:00:00Z" } })).json
        .status,
    ).toBe("expired");
    const expired = await models(key);
    expect([expired.status, await codeOf(expired)]).toEqual([401, "expired_api_key"]);
  });

  test("rotating gives a new secret; the old one ends with the overlap", async () => {
    const { id, key: old } = await gateway.createKey();
    await models(old);
    const { json: rotated } = await manage("POST", `keys/${id}/rotate`, { body: { overlap_seconds: 2 } });
    expect(rotated).toMatchObject({ id, key: expect.stringMatching(/^gw_/), previous_valid_until: expect.any(String) });
    expect([(await models(old)).status, (await models(rotated.key)).status]).toEqual([200, 200]);
    await new Promise((resolve) => setTimeout(resolve, Date.parse(rotated.previous_valid_until) - Date.now() + 50));
    expect([(await models(old)).status, (await models(rotated.key)).status]).toEqual([401, 200]);
    const { json: again } = await manage("POST", `keys/${id}/rotate`);
    expect([(await models(rotated.key)).status, (await models(again.key)).status]).toEqual([401, 200]);
  });

  test("the last admin key cannot end itself; with a second one it can", async () => {
    const own = (await manage("GET", "keys?limit=200")).json.data.find(
      ({ kind }: { kind: string }) => kind === "admin",
    );
    const refused = await manage("DELETE", `keys/${own.id}`);
    expect([refused.status, refused.json.error.code]).toEqual([409, "conflict"]);
    const second = await gateway.createKey({ kind: "admin" });
    expect((await manage("GET", "keys", { key: second.key })).status).toBe(200);
    expect((await manage("DELETE", `keys/${second.id}`, { key: second.key })).json.status).toBe("revoked");
    expect((await manage("GET", "keys", { key: second.key })).status).toBe(401);
  });
});

describe("refusals", () => {
  test.each([
    ["no key", null, 401, "missing_api_key"],
    ["an unknown key", generateSecret(), 401, "invalid_api_key"],
    ["a key with a wrong checksum", `gw_${"a".repeat(49)}`, 401, "invalid_api_key"],
  ])("%s", async (_name, key, status, code) => {
    const refused = await manage("GET", "keys", { key });
    expect([refused.status, refused.json.error.code]).toEqual([status, code]);
    expect(refused.json.error.message).toBe(`${code} - ${refused.json.error.human_message}`);
  });

  test("an ordinary key may not manage keys", async () => {
    for (const [method, path] of [
      ["GET", "keys"],
      ["POST", "keys"],
      ["DELETE", "keys/key_x"],
      ["GET", "audit-logs"],
    ] as const) {
      const refused = await manage(method, path, { key: gateway.key });
      expect([refused.status, refused.json.error.code, refused.json.error.type]).toEqual([
        403,
        "permission_denied",
        "permission_error",
      ]);
    }
  });

  test("keys of another organisation and keys that are not there look the same", async () => {
    const [other] = await gateway.sql("INSERT INTO organisation (name, slug) VALUES ('Other', 'other') RETURNING id");
    const { id } = await gateway.createKey();
    await gateway.sql("UPDATE api_key SET organisation_id = $1 WHERE public_id = $2", [other.id, id]);
    for (const [method, tail] of [
      ["GET", ""],
      ["PATCH", ""],
      ["DELETE", ""],
      ["POST", "/rotate"],
    ] as const) {
      const body = method === "PATCH" ? { name: "x" } : undefined;
      const foreign = await manage(method, `keys/${id}${tail}`, { body });
      const missing = await manage(method, `keys/key_0000000000000000000000${tail}`, { body });
      expect(foreign.status).toBe(404);
      expect(foreign.text).toBe(missing.text);
    }
    expect((await manage("GET", "keys?limit=200")).text).not.toContain(id);
  });

  test.each([
    ["keys", "DELETE", "GET, HEAD, POST"],
    ["keys/key_x", "POST", "GET, HEAD, PATCH, DELETE"],
    ["keys/key_x/rotate", "GET", "POST"],
    ["audit-logs", "POST", "GET, HEAD"],
  ])("%s does not take %s", async (path, method, allow) => {
    const refused = await manage(method, path);
    expect([refused.status, refused.json.error.code, refused.headers.get("allow")]).toEqual([
      405,
      "method_not_allowed",
      allow,
    ]);
  });

  test.each(["{", "", "NaN", '{"budget_limit":NaN}', "\u0000"])("the body %j is not JSON", async (body) => {
    const refused = await manage("POST", "keys", { body });
    expect([refused.status, refused.json.error.code]).toEqual([400, "invalid_json"]);
  });

  test.each([
    ["1e-10", "budget_limit"],
    ["-1", "budget_limit"],
    ["0.1234567891", "budget_limit"],
    ["9200000001", "budget_limit"],
    ['"5"', "budget_limit"],
  ])("a budget_limit of %s", async (amount, field) => {
    const refused = await manage("POST", "keys", { body: `{"name":"x","budget_limit":${amount}}` });
    expect(refused.status).toBe(422);
    expect(refused.json).toMatchObject({
      code: "validation_error",
      detail: [{ loc: ["body", field] }],
      error: { code: "validation_error" },
    });
  });

  test("unknown fields, wrong types and bad queries are named", async () => {
    const { id } = await gateway.createKey();
    for (const [method, path, body, loc] of [
      ["POST", "keys", "[]", ["body"]],
      ["POST", "keys", "{}", ["body", "name"]],
      ["POST", "keys", '{"name":"x","budget":1}', ["body", "budget"]],
      ["PATCH", `keys/${id}`, '{"key":"gw_x"}', ["body", "key"]],
      ["PATCH", `keys/${id}`, '{"status":"revoked"}', ["body", "status"]],
      ["PATCH", `keys/${id}`, '{"metadata":{"a":{"$ne":1}}}', ["body", "metadata", "a"]],
      ["POST", `keys/${id}/rotate`, '{"overlap_seconds":-1}', ["body", "overlap_seconds"]],
      ["GET", "keys?limit=0", undefined, ["query", "limit"]],
      ["GET", "keys?cursor=x", undefined, ["query", "cursor"]],
      ["GET", "keys?status=x", undefined, ["query", "status"]],
      ["GET", "audit-logs?since=yesterday", undefined, ["query", "since"]],
      ["GET", "audit-logs?model=%00", undefined, ["query", "model"]],
    ] as const) {
      const refused = await manage(method, path, { body });
      expect([path, refused.status, refused.json?.detail?.[0]?.loc]).toEqual([path, 422, loc]);
    }
  });

  test("a body beyond a megabyte is refused; one with another content type is read", async () => {
    const large = await manage("POST", "keys", { body: { name: "x".repeat(1_100_000) } });
    expect([large.status, large.json.error.code]).toEqual([413, "request_too_large"]);
    expect(
      (await manage("POST", "keys", { body: { name: "x" }, headers: { "content-type": "text/plain" } })).status,
    ).toBe(200);
  });
});
