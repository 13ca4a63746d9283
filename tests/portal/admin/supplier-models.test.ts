import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Portal, type SignedIn, startPortal } from "../../support/portal";

const NEW = "/dashboard/admin/providers";
let portal: Portal;
let operator: SignedIn;
let supplier: Server;
let base: string;
const seen: { path: string; authorization: string | undefined; key: string | undefined }[] = [];

beforeAll(async () => {
  supplier = createServer((request, response) => {
    const { authorization, "x-api-key": key } = request.headers;
    seen.push({ path: request.url ?? "", authorization, key: key as string | undefined });
    const answer = (status: number, body: unknown) =>
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    if (request.url === "/good/models")
      return answer(200, { data: [{ id: "gpt-4.1" }, { id: "gpt-4.1-mini" }, { id: "house model" }] });
    if (request.url === "/closed/models") return answer(401, { error: { message: "no such key" } });
    if (request.url === "/broken/models") return answer(503, { error: { message: "down" } });
    if (request.url === "/page/models") return answer(200, "<html>");
    return answer(404, { error: { message: "no such path" } });
  });
  await new Promise<void>((resolve) => supplier.listen(0, "127.0.0.1", resolve));
  base = `http://127.0.0.1:${(supplier.address() as AddressInfo).port}`;
  portal = await startPortal({ env: { GW_ALLOW_PRIVATE_UPSTREAMS: "true" } });
  operator = await portal.signInAs("platform_admin");
}, 120_000);
afterAll(async () => {
  await portal?.close();
  supplier?.close();
});

async function aSupplier(name: string, base_url: string, kind = "chat"): Promise<number> {
  const response = await operator.browser.post(NEW, { name, kind, base_url, api_key: "sk-far" }, { json: true });
  expect(response.status).toBe(200);
  return ((await response.json()) as { provider_id: number }).provider_id;
}
/** Returns the page that answers the form of a browser without script. */
const pageOf = async (id: number) => (await operator.browser.post(`${NEW}/${id}/models`, { act: "test" })).text();
const testedOf = (id: number) =>
  portal.sql("SELECT actor_id, after FROM act WHERE action = 'supplier.test' AND target_id = $1 ORDER BY id", [
    String(id),
  ]);

test.each([
  ["good", "Works", "has 3 models", "works"],
  ["closed", "Key rejected", "answered 401", "refused"],
  ["broken", "Failing", "answered 503", "failing"],
  ["page", "No list of models", "not with a list of models", "no_list"],
  ["nothing", "No list of models", "not with a list of models", "no_list"],
])("the connection to /%s is told: %s", async (path, badge, sentence, result) => {
  const id = await aSupplier(`test-${path}`, `${base}/${path}`);
  const page = await pageOf(id);
  expect(page).toContain(badge);
  expect(page).toContain(sentence);
  expect(page).not.toContain("sk-far");
  expect(seen.at(-1)).toMatchObject({ path: `/${path}/models`, authorization: "Bearer sk-far" });
  const records = await testedOf(id);
  expect(records).toMatchObject([{ actor_id: operator.person.userId, after: { result } }]);
  expect(JSON.stringify(records[0].after)).not.toContain("sk-far");
});

test("looking at the page calls nobody; the button beside a supplier does, and a program reads the result", async () => {
  const id = await aSupplier("test-looked-at", `${base}/good`);
  const before = seen.length;
  const page = await (await operator.browser.get(`${NEW}/${id}/models`)).text();
  expect(page).toContain("Test connection");
  expect(await (await operator.browser.get("/dashboard/admin/models")).text()).toContain(`${NEW}/${id}/models`);
  expect([seen.length, (await testedOf(id)).length]).toEqual([before, 0]);
  const answer = await operator.browser.post(`${NEW}/${id}/models`, { act: "test" }, { json: true });
  expect(await answer.json()).toMatchObject({ ok: true, result: "works", offered: 3, imported: null });
  expect([seen.length, (await testedOf(id)).length]).toEqual([before + 1, 1]);
  expect((await operator.browser.post(`${NEW}/${id}/models`, { act: "look" }, { json: true })).status).toBe(422);
});

test("an address where nobody listens is unreachable", async () => {
  const page = await pageOf(await aSupplier("test-nobody", "http://127.0.0.1:9"));
  expect(page).toContain("Unreachable");
  expect(page).toContain("The connection failed, or there was no answer within ten seconds.");
});

test("a supplier of the messages API is asked with its own headers", async () => {
  await pageOf(await aSupplier("test-messages", `${base}/good`, "messages"));
  expect(seen.at(-1)).toMatchObject({ key: "sk-far", authorization: undefined });
});

test("models are served at their list prices, once, in any number of clicks", async () => {
  const id = await aSupplier("openai", `${base}/good`);
  const act = async (body: object) => {
    const response = await operator.browser.post(`${NEW}/${id}/models`, body, { json: true });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  const offered = await pageOf(id);
  expect(offered).toContain("Serve 2 models at their list prices");
  expect(offered).toContain("$0.40");
  expect(offered).not.toContain("0.400000000");
  expect(await act({ model: "gpt-4.1" })).toMatchObject({
    status: 200,
    body: { imported: { models: ["gpt-4.1"] } },
  });
  expect(await act({})).toMatchObject({
    status: 200,
    body: { imported: { models: ["gpt-4.1-mini"], added: 1, known: 1, left_out: 1 } },
  });
  expect(await act({})).toMatchObject({
    status: 200,
    body: { importable: 0, imported: { models: [], added: 0, known: 2, left_out: 1 } },
  });
  expect((await act({ model: "house model" })).status).toBe(422);
  expect((await act({ model: "gpt-unknown" })).status).toBe(409);
  expect(await act({ model: "gpt-4.1" })).toMatchObject({
    status: 200,
    body: { imported: { added: 0, known: 1, left_out: 0 } },
  });
  const prices = await portal.sql(
    `SELECT r.model_id, p.input_per_mtok, p.output_per_mtok FROM price p JOIN model_route r ON r.id = p.route_id
      WHERE r.supplier_id = $1 ORDER BY 1`,
    [id],
  );
  expect(prices).toEqual([
    { model_id: "gpt-4.1", input_per_mtok: 2_000_000_000n, output_per_mtok: 8_000_000_000n },
    { model_id: "gpt-4.1-mini", input_per_mtok: 400_000_000n, output_per_mtok: 1_600_000_000n },
  ]);
  expect(await pageOf(id)).toContain("Served");
});

test("a model without a list price leads to the form of its price, filled with its supplier and name", async () => {
  const id = await aSupplier("test-priced", `${base}/good`);
  const page = (await pageOf(id)).replaceAll("&amp;", "&");
  const links = [...page.matchAll(/href="([^"#]*serve=[^"#]*)#price"/g)].map(([, to = ""]) => to);
  expect(links).toHaveLength(3);
  const formOf = async (to: string | undefined) => (await operator.browser.get(to ?? "no link")).text();
  const named = await formOf(links.find((to) => to.includes("serve=gpt-4.1&")));
  expect(named).toMatch(new RegExp(`<option value="${id}" selected=""`));
  expect(named).toMatch(/<input[^>]*name="model"[^>]*value="gpt-4.1"/);
  // A name that is invalid as a model id is prefilled only as the supplier's model name.
  const spaced = await formOf(links.find((to) => to.includes("serve=house+model&")));
  expect(spaced).toMatch(/<input[^>]*name="upstream_model"[^>]*value="house model"/);
  expect(spaced).not.toMatch(/<input[^>]*name="model"[^>]*value="house/);
  expect(await formOf("/dashboard/admin/models?tab=prices&serve=x&by=999999")).not.toContain('value="x"');
});

test("a supplier of the configuration is tested, and its models stay in the file", async () => {
  const [{ id } = { id: 0 }] = await portal.sql("SELECT id FROM supplier WHERE name = 'sandbox'");
  expect((await operator.browser.get(`${NEW}/${id}/models`)).status).toBe(200);
  expect((await operator.browser.post(`${NEW}/${id}/models`, {}, { json: true })).status).toBe(409);
});

test("nobody else asks a supplier, and one that is not there is not found", async () => {
  const id = await aSupplier("test-rights", `${base}/good`);
  const before = seen.length;
  const admin = await portal.signInAs("org_admin");
  expect((await admin.browser.get(`${NEW}/${id}/models`)).status).toBe(403);
  expect((await admin.browser.post(`${NEW}/${id}/models`, {}, { json: true })).status).toBe(403);
  for (const role of ["org_admin", "department_admin", "member", "viewer"] as const) {
    const { browser } = await portal.signInAs(role);
    expect((await browser.post(`${NEW}/${id}/models`, { act: "test" }, { json: true })).status).toBe(403);
  }
  const visitor = portal.visitor();
  expect((await visitor.post(`${NEW}/${id}/models`, { act: "test" }, { json: true })).status).toBe(401);
  expect(await testedOf(id)).toEqual([]);
  expect(seen).toHaveLength(before);
  expect((await operator.browser.get(`${NEW}/1999999999/models`)).status).toBe(404);
  const nobody = await operator.browser.post(`${NEW}/1999999999/models`, { act: "test" }, { json: true });
  expect(nobody.status).toBe(404);
});
