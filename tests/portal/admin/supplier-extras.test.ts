import { randomUUID } from "node:crypto";
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type Portal, type SignedIn, startPortal } from "../../support/portal";

const NEW = "/dashboard/admin/providers";
const CANARY = "canary-value-0123456789";
let portal: Portal;
let operator: SignedIn;
let far: Server;
let key: string;
const seen: { headers: IncomingHttpHeaders; url: string }[] = [];

beforeAll(async () => {
  far = createServer(async (request, response) => {
    for await (const _ of request);
    seen.push({ headers: request.headers, url: request.url ?? "" });
    const usage = { prompt_tokens: 10, completion_tokens: 2, total_tokens: 12 };
    const choices = [{ index: 0, message: { role: "assistant", content: "Hello." }, finish_reason: "stop" }];
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ id: "c", object: "chat.completion", created: 1, model: "m", choices, usage }));
  });
  await new Promise<void>((resolve) => far.listen(0, "127.0.0.1", resolve));
  portal = await startPortal({ env: { GW_ALLOW_PRIVATE_UPSTREAMS: "true" } });
  operator = await portal.signInAs("platform_admin");
  const created = await operator.browser.post("/dashboard/keys/new", { name: "key" }, { json: true });
  ({ key } = (await created.json()) as { key: string });
}, 120_000);
afterAll(async () => {
  await portal?.close();
  far?.close();
});

const send = async (path: string, body: Record<string, unknown>) => {
  const response = await operator.browser.post(path, body, { json: true });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
};
const base = () => `http://127.0.0.1:${(far.address() as AddressInfo).port}/v1`;
async function aSupplier(more: Record<string, unknown> = {}) {
  const name = `far-${randomUUID().slice(0, 8)}`;
  const fields = { name, kind: "chat", base_url: base(), ...more };
  const { status, body } = await send(NEW, fields);
  return { status, body, name, id: body.provider_id as number };
}
const extra = (id: number, body: Record<string, unknown>) => send(`${NEW}/${id}/extras`, body);
const pageOf = async (id: number) => (await operator.browser.get(`${NEW}/${id}/extras`)).text();
const sealedOf = async (id: number) => {
  const [row] = await portal.sql("SELECT sealed_extras AS sealed FROM supplier WHERE id = $1", [id]);
  return row.sealed as string | null;
};
const events = (id: number) =>
  portal.sql("SELECT action, before, after FROM act WHERE target_kind = 'supplier' AND target_id = $1 ORDER BY id", [
    String(id),
  ]);

/** Calls until the supplier receives a request that satisfies `wanted`. */
const reached = (model: string, wanted: (request: (typeof seen)[number]) => void) =>
  vi.waitFor(
    async () => {
      const response = await fetch(`${portal.url}/v1/chat/completions`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json", "x-team": "of the client" },
        body: JSON.stringify({ model, messages: [{ role: "user", content: "Hello" }] }),
      });
      expect(response.status).toBe(200);
      wanted(seen.at(-1) as (typeof seen)[number]);
    },
    { timeout: 15_000, interval: 200 },
  );

test("headers and parameters that are given with a supplier go with its requests, and no page or record has their values", async () => {
  const { id, name } = await aSupplier({
    ...{ api_key: "sk-far", key_header: "X-Own-Key" },
    headers: { "X-Team": CANARY },
    query: `\napi-version=${CANARY}=1\n`,
  });
  await send("/dashboard/admin/prices", { supplier_id: id, model: name, input_per_mtok: "1", output_per_mtok: "1" });
  await reached(name, ({ headers, url }) => {
    expect(headers).toMatchObject({ "x-team": CANARY, "x-own-key": "sk-far" });
    expect(headers.authorization).toBeUndefined();
    expect(url).toContain(`api-version=${encodeURIComponent(`${CANARY}=1`)}`);
  });
  expect(await sealedOf(id)).toMatch(/^gw1\./);
  const html = await pageOf(id);
  for (const shown of ["x-team", "api-version", "x-own-key"]) expect(html).toContain(shown);
  expect(html).not.toContain(CANARY);
  expect(JSON.stringify(await events(id))).not.toContain(CANARY);
  expect((await events(id))[0]?.after).toMatchObject({ headers: ["x-team"], query: ["api-version"] });
});

test("one is set and removed by a form, also without script, in force from the next request on", async () => {
  const { id, name } = await aSupplier();
  await send("/dashboard/admin/prices", { supplier_id: id, model: name, input_per_mtok: "1", output_per_mtok: "1" });
  const path = `${NEW}/${id}/extras`;
  const sent = await operator.browser.post(path, { in: "header", name: " X-Team ", value: CANARY });
  expect([sent.status, sent.headers.get("location")]).toEqual([303, path]);
  await reached(name, ({ headers }) => expect(headers["x-team"]).toBe(CANARY));
  expect((await extra(id, { in: "header", name: "x-team", value: "other" })).status).toBe(200);
  await reached(name, ({ headers }) => expect(headers["x-team"]).toBe("other"));
  // Saving the same value again is not a change.
  expect((await extra(id, { in: "header", name: "x-team", value: "other" })).status).toBe(200);
  expect((await extra(id, { act: "remove", in: "header", name: "x-team" })).status).toBe(200);
  await reached(name, ({ headers }) => expect(headers["x-team"]).toBeUndefined());
  expect(await sealedOf(id)).toBeNull();
  const changes = (await events(id)).filter(({ action }) => action === "supplier.update");
  expect(changes.map(({ after }) => after)).toEqual([
    { headers: ["x-team"], query: [], key_header: null },
    { headers: ["x-team"], query: [], key_header: null, replaced: "x-team" },
    { headers: [], query: [], key_header: null },
  ]);
});

test.each([
  [{ in: "header", name: "Host", value: "elsewhere" }, 422],
  [{ in: "header", name: "content-type", value: "text/plain" }, 422],
  [{ in: "header", name: "Proxy-Authorization", value: "x" }, 422],
  [{ in: "header", name: "two words", value: "x" }, 422],
  [{ in: "header", name: "x-team", value: "line\r\nx-other: 1" }, 422],
  [{ in: "header", name: "x-team", value: "ä" }, 422],
  [{ in: "header", name: "x-team", value: "x".repeat(4_001) }, 422],
  [{ in: "header", name: "x-team" }, 422],
  [{ in: "header", name: "x".repeat(101), value: "x" }, 422],
  [{ in: "query", name: "alt", value: "json" }, 422],
  [{ in: "query", name: "a&b", value: "1" }, 422],
  [{ in: "header", name: "Authorization", value: "Bearer x" }, 409],
  [{ in: "header", name: "x-api-key", value: "x" }, 409],
])("%j is refused", async (body, status) => {
  const { id } = await aSupplier({ api_key: "sk-far" });
  expect((await extra(id, body)).status).toBe(status);
  expect(await sealedOf(id)).toBeNull();
});

test("a header that signs in takes the place of a key, and a key is then refused", async () => {
  const { id } = await aSupplier({ headers: "Authorization: Basic abc" });
  expect((await send(`${NEW}/${id}/update`, { api_key: "sk-far" })).status).toBe(409);
  expect((await aSupplier({ headers: "Authorization: Basic abc", api_key: "sk-far" })).status).toBe(409);
  const other = await aSupplier({ key_header: "x-own-key" });
  expect((await send(`${NEW}/${other.id}/update`, { kind: "messages" })).status).toBe(409);
});

test("the form that adds a supplier refuses lines without a name, a name twice, and more than twenty", async () => {
  const many = Array.from({ length: 21 }, (_, at) => `x-${at}: 1`).join("\n");
  for (const headers of ["no divider", "x-a: 1\nX-A: 2", many, "host: x", { "x-a": "" }])
    expect((await aSupplier({ headers })).status, JSON.stringify(headers)).toBe(422);
  const { id } = await aSupplier({ headers: many.split("\n").slice(1).join("\n") });
  expect((await extra(id, { in: "header", name: "x-one-more", value: "1" })).status).toBe(409);
  expect((await extra(id, { in: "query", name: "one", value: "1" })).status).toBe(200);
});

test("they never go to another host, and are gone with their supplier", async () => {
  const { id, name } = await aSupplier({ headers: { "x-team": CANARY } });
  const moved = await send(`${NEW}/${id}/update`, { base_url: "https://elsewhere.example/v1" });
  expect([moved.status, JSON.stringify(moved.body)]).toEqual([409, expect.stringContaining("another host")]);
  expect((await send(`${NEW}/${id}/update`, { base_url: `${base()}/other` })).status).toBe(200);
  expect((await send(`${NEW}/${id}/delete`, { confirm: name })).status).toBe(200);
  expect(await sealedOf(id)).toBeNull();
  expect((await operator.browser.get(`${NEW}/${id}/extras`)).status).toBe(404);
  expect((await extra(id, { in: "header", name: "x-team", value: "1" })).status).toBe(404);
});

test("those that no secret opens are said to be lost, and can be set again", async () => {
  const { id } = await aSupplier({ headers: { "x-team": "1" } });
  await portal.sql("UPDATE supplier SET sealed_extras = 'gw1.nothing' WHERE id = $1", [id]);
  expect(await pageOf(id)).toContain("decrypted");
  expect((await extra(id, { in: "header", name: "x-team", value: "1" })).status).toBe(200);
  expect(await pageOf(id)).not.toContain("decrypted");
});

test("of the configuration they are read only, and all of it is for platform admins who have just proved who they are", async () => {
  const [{ id }] = await portal.sql("SELECT id FROM supplier WHERE source = 'config' LIMIT 1");
  expect(await pageOf(id as number)).not.toContain('name="value"');
  const own = await aSupplier();
  const body = { in: "header", name: "x-team", value: "1" };
  expect((await extra(id as number, body)).status).toBe(409);
  const admin = await portal.signInAs("org_admin");
  expect((await admin.browser.get(`${NEW}/${own.id}/extras`)).status).toBe(403);
  expect((await admin.browser.post(`${NEW}/${own.id}/extras`, body, { json: true })).status).toBe(403);
  const late = await portal.signInAs("platform_admin");
  await portal.sql("UPDATE session SET proved_at = now() - interval '1 day' WHERE user_id = $1", [late.person.userId]);
  expect((await late.browser.post(`${NEW}/${own.id}/extras`, body, { json: true })).status).toBe(401);
  expect(await sealedOf(own.id)).toBeNull();
});
