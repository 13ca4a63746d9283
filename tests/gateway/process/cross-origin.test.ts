import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Gateway, startGateway } from "../../support/gateway";

const SITE = "https://app.example.com";
const CHAT = { model: "sandbox-chat", messages: [{ role: "user", content: "hi" }] };

let gateway: Gateway;
let open: { id: string; key: string };
let plain: { id: string; key: string };
beforeAll(async () => {
  gateway = await startGateway();
  open = await gateway.createKey({ allowed_origins: ["https://APP.example.com/", "http://localhost:5173"] });
  plain = await gateway.createKey();
});
afterAll(() => gateway?.close());

type Init = { key?: string; origin?: string; method?: string; headers?: Record<string, string>; body?: unknown };
const ask = (path: string, { key, origin, method, headers, body }: Init) =>
  fetch(`${gateway.url}${path}`, {
    method: method ?? (body === undefined ? "GET" : "POST"),
    headers: {
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...(origin === undefined ? {} : { origin }),
      ...headers,
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
const allowed = (response: Response) => response.headers.get("access-control-allow-origin");

describe("the question that a browser asks first", () => {
  const question = {
    method: "OPTIONS",
    headers: {
      "access-control-request-method": "POST",
      "access-control-request-headers": "authorization,content-type,x-stainless-lang",
    },
  };

  test.each(["/v1/chat/completions", "/v1/models", "/v1/messages", "/v1/responses/resp_1", "/v1/audio/transcriptions"])(
    "%s: every site gets the same answer, without a body and without a key",
    async (path) => {
      for (const origin of [SITE, "https://elsewhere.example"]) {
        const response = await ask(path, { ...question, origin });
        expect([response.status, await response.text()]).toEqual([204, ""]);
        expect(allowed(response)).toBe(origin);
        expect(response.headers.get("access-control-allow-methods")).toBe("GET, POST, DELETE");
        expect(response.headers.get("access-control-allow-headers")).toBe(
          "authorization,content-type,x-stainless-lang",
        );
        expect(response.headers.get("access-control-allow-credentials")).toBeNull();
      }
    },
  );

  test("the management API is for no page, and OPTIONS without a question is a wrong method", async () => {
    const managed = await ask("/v1/manage/keys", { ...question, origin: SITE });
    expect(managed.status).not.toBe(204);
    expect(allowed(managed)).toBeNull();
    expect((await ask("/v1/chat/completions", { method: "OPTIONS", origin: SITE })).status).toBe(405);
  });
});

describe("a key with origins", () => {
  test.each([SITE, "http://localhost:5173"])(
    "a page of %s reads answers, streams and their headers",
    async (origin) => {
      for (const body of [CHAT, { ...CHAT, stream: true }]) {
        const response = await ask("/v1/chat/completions", { key: open.key, origin, body });
        expect([response.status, allowed(response)]).toEqual([200, origin]);
        expect(response.headers.get("access-control-expose-headers")).toBe("*");
        expect(response.headers.get("vary")).toMatch(/origin/i);
        await response.text();
      }
      expect(allowed(await ask("/v1/models", { key: open.key, origin }))).toBe(origin);
    },
  );

  test("it reads errors too", async () => {
    const response = await ask("/v1/chat/completions", {
      key: open.key,
      origin: SITE,
      body: { ...CHAT, model: "there-is-none" },
    });
    expect([response.status, allowed(response)]).toEqual([404, SITE]);
  });

  test.each([
    "https://elsewhere.example",
    "https://app.example.com.evil.example",
    "http://app.example.com",
    "https://app.example.com:8443",
    "null",
  ])("a page of %s is refused before anything is spent, and reads nothing", async (origin) => {
    const { key, id } = await gateway.createKey({ allowed_origins: [SITE] });
    const asked = [
      ask("/v1/chat/completions", { key, origin, body: CHAT }),
      ask("/v1/messages/count_tokens", { key, origin, body: { model: CHAT.model, messages: CHAT.messages } }),
      ask("/v1/models", { key, origin }),
      ask("/v1/responses/resp_1", { key, origin }),
    ];
    for (const response of await Promise.all(asked)) {
      expect([response.status, allowed(response)]).toEqual([403, null]);
      expect((await response.json()).error.code).toBe("origin_not_allowed");
    }
    const read = await ask(`/v1/manage/keys/${id}`, { key: gateway.adminKey });
    expect((await read.json()).budget_used).toBe(0);
  });

  test("programs, which send no origin, call with it as before", async () => {
    const response = await ask("/v1/chat/completions", { key: open.key, body: CHAT });
    expect([response.status, allowed(response)]).toEqual([200, null]);
  });

  test("the list is read and changed by admin keys, and a change holds for the next request", async () => {
    const { id, key } = await gateway.createKey({ allowed_origins: [SITE] });
    const path = `/v1/manage/keys/${id}`;
    const patch = async (body: unknown) => ask(path, { key: gateway.adminKey, method: "PATCH", body });
    expect((await (await ask(path, { key: gateway.adminKey })).json()).allowed_origins).toEqual([SITE]);
    for (const wrong of ["*", "https://*.example.com", "app.example.com", `${SITE}/chat`]) {
      const refused = await patch({ allowed_origins: [wrong] });
      expect([wrong, refused.status]).toEqual([wrong, 422]);
    }
    expect((await patch({ allowed_origins: ["https://other.example"] })).status).toBe(200);
    expect((await ask("/v1/models", { key, origin: SITE })).status).toBe(403);
    expect((await (await patch({ allowed_origins: null })).json()).allowed_origins).toEqual([]);
    expect((await ask("/v1/models", { key, origin: SITE })).status).toBe(200);
  });
});

test("a key without origins answers every client, and no page reads it", async () => {
  const response = await ask("/v1/chat/completions", { key: plain.key, origin: SITE, body: CHAT });
  expect([response.status, allowed(response)]).toEqual([200, null]);
  const unknown = await ask("/v1/models", { key: "gw_nobody", origin: SITE });
  expect([unknown.status, allowed(unknown)]).toEqual([401, null]);
});
