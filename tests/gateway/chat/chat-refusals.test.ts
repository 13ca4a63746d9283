import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { splitFormatted } from "~/errors/envelope";
import { type ChatGateway, startChatGateway } from "../../support/chat-gateway";

let gateway: ChatGateway;
beforeAll(async () => {
  gateway = await startChatGateway();
});
afterAll(() => gateway?.close());

type Envelope = { error: { code: string; type: string; message: string; human_message: string; param?: string } };

async function post(body: string, init: { headers?: Record<string, string>; path?: string; method?: string } = {}) {
  const method = init.method ?? "POST";
  const response = await fetch(`${gateway.url}${init.path ?? "/v1/chat/completions"}`, {
    method,
    headers: { authorization: `Bearer ${gateway.budgetKey}`, "content-type": "application/json", ...init.headers },
    ...(method === "GET" || method === "HEAD" ? {} : { body }),
  });
  const text = await response.text();
  expect(response.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
  return { status: response.status, headers: response.headers, text, error: envelopeOf(text) };
}

function envelopeOf(text: string): Envelope["error"] {
  const { error } = JSON.parse(text) as Envelope;
  expect(error.message).toBe(`${error.code} - ${error.human_message}`);
  expect(splitFormatted(error.message).code).toBe(error.code);
  return error;
}

const hello = { model: "fast-chat", messages: [{ role: "user", content: "Hi" }] };

describe("who calls", () => {
  test("nobody: missing_api_key", async () => {
    const response = await fetch(`${gateway.url}/v1/chat/completions`, { method: "POST", body: "{}" });
    expect(response.status).toBe(401);
    expect(envelopeOf(await response.text()).code).toBe("missing_api_key");
  });

  test("a client without a key, which sends an empty one: missing_api_key, or the key in x-api-key", async () => {
    for (const authorization of ["Bearer ", "bearer", ""]) {
      const { status, error } = await post(JSON.stringify(hello), { headers: { authorization } });
      expect([status, error.code]).toEqual([401, "missing_api_key"]);
      const headers = { authorization, "x-api-key": gateway.budgetKey };
      const models = await fetch(`${gateway.url}/v1/models`, { headers });
      expect(models.status).toBe(200);
      expect(models.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
    }
  });

  test.each([["Bearer gw_nonsense"], ["gw_nonsense"], ["Basic dXNlcjpwYXNz"], [`Bearer ${"x".repeat(5_000)}`]])(
    "with %s: invalid_api_key",
    async (authorization) => {
      const { status, error } = await post(JSON.stringify(hello), { headers: { authorization } });
      expect([status, error.code]).toEqual([401, "invalid_api_key"]);
    },
  );

  test("with an expired key: expired_api_key; with a revoked one: invalid_api_key, within a second", async () => {
    const { key, id } = await gateway.createKey({});
    await gateway.sql("UPDATE api_key SET expires_at = now() - interval '1 minute' WHERE public_id = $1", [id]);
    expect((await post(JSON.stringify(hello), { headers: { authorization: `Bearer ${key}` } })).error.code).toBe(
      "expired_api_key",
    );
    const other = await gateway.createKey({});
    const authorization = `Bearer ${other.key}`;
    expect((await gateway.chat({}, { key: other.key })).status).toBe(200);
    const revoked = await fetch(`${gateway.url}/v1/manage/keys/${other.id}`, {
      method: "DELETE",
      headers: { authorization: `Bearer ${gateway.adminKey}` },
    });
    expect(revoked.status).toBe(200);
    expect((await post(JSON.stringify(hello), { headers: { authorization } })).error.code).toBe("invalid_api_key");
  });
});

describe("what is asked", () => {
  test.each([
    ["not JSON", "{", 400, "invalid_json"],
    ["an empty body", "", 400, "invalid_json"],
    ["a list", "[]", 400, "invalid_json"],
    ["no model", { messages: hello.messages }, 400, "missing_model"],
    ["no messages", { model: "fast-chat" }, 400, "missing_fields"],
    ["empty messages", { ...hello, messages: [] }, 400, "invalid_request"],
    ["a message that is a text", { ...hello, messages: ["Hi"] }, 400, "invalid_request"],
    ["an unknown role", { ...hello, messages: [{ role: "king", content: "Hi" }] }, 400, "invalid_request"],
    ["max_tokens of 0", { ...hello, max_tokens: 0 }, 400, "invalid_request"],
    ["max_tokens below 0", { ...hello, max_tokens: -5 }, 400, "invalid_request"],
    ["max_tokens as a fraction", { ...hello, max_tokens: 1.5 }, 400, "invalid_request"],
    ["max_tokens as a text", { ...hello, max_tokens: "100" }, 400, "invalid_request"],
    [
      "max_tokens beyond all numbers",
      `{"model":"fast-chat","messages":[{"role":"user"}],"max_tokens":1e400}`,
      400,
      "invalid_request",
    ],
    ["n of 0", { ...hello, n: 0 }, 400, "invalid_request"],
    ["n of a million", { ...hello, n: 1_000_000 }, 400, "invalid_request"],
    ["a temperature of 3", { ...hello, temperature: 3 }, 400, "invalid_request"],
    ["a top_p of 2", { ...hello, top_p: 2 }, 400, "invalid_request"],
    ["stream as a text", { ...hello, stream: "yes" }, 400, "invalid_request"],
    ["a tier that has no price", { ...hello, service_tier: "priority" }, 400, "unsupported_parameter"],
    ["a model for something else", { ...hello, model: "nowhere" }, 404, "model_not_found"],
  ] as const)("%s", async (_what, body, status, code) => {
    const refused = await post(typeof body === "string" ? body : JSON.stringify(body));
    expect([refused.status, refused.error.code]).toEqual([status, code]);
    expect(refused.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
  });

  test("a body that is too large, announced or not", async () => {
    const large = JSON.stringify({ ...hello, messages: [{ role: "user", content: "x".repeat(11 * 1024 * 1024) }] });
    const refused = await post(large);
    expect([refused.status, refused.error.code]).toEqual([413, "request_too_large"]);
  });

  test("a compressed body, and bytes that are not UTF-8", async () => {
    const compressed = await post("x", { headers: { "content-encoding": "zstd" } });
    expect(compressed.status).toBe(415);
    const response = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${gateway.budgetKey}` },
      body: Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]),
    });
    expect([response.status, envelopeOf(await response.text()).code]).toEqual([400, "invalid_json"]);
  });

  test("fields of the prototype are only fields", async () => {
    const text = `{"model":"fast-chat","messages":[{"role":"user","content":"Hi"}],"__proto__":{"stream":true},"constructor":1}`;
    const response = await gateway.chat();
    expect(response.status).toBe(200);
    const direct = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${gateway.budgetKey}` },
      body: text,
    });
    expect([200, 400]).toContain(direct.status);
    expect(direct.headers.get("content-type")).toContain("json");
  });
});

describe("where it is asked", () => {
  test.each(["GET", "PUT", "PATCH", "DELETE"])("%s on chat completions", async (method) => {
    const refused = await post("{}", { method });
    expect([refused.status, refused.error.code]).toEqual([405, "method_not_allowed"]);
    expect(refused.headers.get("allow")).toContain("POST");
  });

  test.each(["/v1/nothing", "/v1/chat", "/v1/chat/completions/x", "/v1/", "/v1/nothing/%00"])("%s", async (path) => {
    for (const method of ["GET", "POST"]) {
      const refused = await post("{}", { path, method });
      expect(refused.status).toBe(404);
      expect(refused.error.code).toBe("not_found");
    }
  });

  test("refusals are not booked and hold nothing", async () => {
    const refused = await post(JSON.stringify({ ...hello, temperature: 9 }));
    const id = refused.headers.get("x-request-id");
    expect(await gateway.sql("SELECT 1 FROM hold WHERE id = $1", [id])).toEqual([]);
    expect(await gateway.sql("SELECT 1 FROM usage_event WHERE request_id = $1", [id])).toEqual([]);
  });
});
