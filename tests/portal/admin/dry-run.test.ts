import { afterAll, beforeAll, expect, test } from "vitest";
import { pageText } from "../../support/page-text";
import { type Portal, startPortal } from "../../support/portal";

const PAGE = "/dashboard/admin/models/dry-run";
const price = { input_per_mtok: 1, output_per_mtok: 2 };
const supplier = (name: string, region: string) => ({
  ...{ name, kind: "chat", base_url: "http://127.0.0.1:9/v1", region, timeout_ms: 1_000, idle_timeout_ms: 1_000 },
  credentials: [{ name: "main", api_key: "sk-nobody" }],
});
const model = (id: string, routes: object[], more: object = {}) => ({
  ...{ id, owned_by: "test", capability: "chat", context_tokens: 10_000, max_output_tokens: 1_000, routes },
  ...more,
});
const at = (name: string, more: object = {}) => ({
  ...{ supplier: name, upstream_model: `up-${name}`, priority: 1, weight: 1, price },
  ...more,
});

let portal: Portal;
let dry: (query: string) => Promise<string>;
beforeAll(async () => {
  portal = await startPortal({
    config: {
      suppliers: [supplier("near", "eu"), supplier("far", "us"), supplier("dear", "eu")],
      models: [
        model("several", [
          at("near"),
          at("far"),
          at("dear", { priority: 2, price: { input_per_mtok: 10, output_per_mtok: 20 } }),
        ]),
        model("unpriced", [at("near", { price: undefined })]),
        model("plain", [at("far")], { tools: false }),
      ],
    },
  });
  const { browser } = await portal.signInAs("platform_admin");
  dry = async (query) => {
    const response = await browser.get(`${PAGE}${query}`);
    expect(response.status).toBe(200);
    const html = await response.text();
    return pageText(html.slice(html.indexOf("<main")));
  };
}, 120_000);
afterAll(() => portal?.close());

test("names the suppliers in their order, what it costs there, and what would be held", async () => {
  const text = await dry("?model=several&region=eu&input_tokens=1000&max_tokens=100");
  expect(text.indexOf("near up-near eu 1 / 1")).toBeGreaterThan(0);
  expect(text.indexOf("dear up-dear eu 2 / 1")).toBeGreaterThan(text.indexOf("near up-near"));
  // 1,000 input and 100 output tokens at 1 and 2, or 10 and 20, USD per million. Input is at most one token per byte.
  expect(text).toContain("$0.001200000 $0.004200000");
  expect(text).toContain("$0.012000000 $0.042000000");
  expect(text).toContain("$0.042 would be held");
  expect(text).toMatch(/Excluded suppliers .*far · us up-far Outside the allowed regions/);
});

test("says why a request would be refused, and what stands in each supplier's way", async () => {
  expect(await dry("?model=none")).toContain("model_not_found");
  expect(await dry("?model=unpriced")).toMatch(/supplier_price_unresolved .*near · eu up-near No price/);
  expect(await dry("?model=several&region=asia")).toMatch(
    /sovereign_route_unavailable .*far · us .*Outside the allowed/,
  );
  expect(await dry("?model=plain&tools=true")).toContain("model_does_not_support_tools");
  expect(await dry("?model=several&input_tokens=1000&max_tokens=100&endpoint=messages&images=true")).toContain(
    "would be held",
  );
});

test("shows how the autorouter compares the models", async () => {
  const text = await dry("?model=auto&algorithm=cheapest&tools=true&endpoint=responses");
  expect(text).toContain("The autorouter would choose several (Cheapest)");
  expect(text).toMatch(/Models it left out .*plain Doesn’t call tools/);
});

test("applies the models and regions of a key", async () => {
  const { browser, person } = await portal.signInAs("platform_admin");
  const [key] = await portal.sql(
    `INSERT INTO api_key (public_id, organisation_id, user_id, kind, name, secret_hmac, secret_prefix, secret_last4, allowed_models, allowed_regions)
     VALUES ('key_dry', $1, $2, 'inference', 'k', '\\x00', 'gw_', 'abcd', '{several}', '{us}') RETURNING id`,
    [person.organisationId, person.userId],
  );
  const page = async (query: string) => pageText(await (await browser.get(`${PAGE}?key_id=${key.id}${query}`)).text());
  expect(await page("&model=several")).toMatch(/far up-far us .*near · eu up-near Outside the allowed regions/);
  expect(await page("&model=plain")).toContain("model_not_allowed");
});

test("sends nothing, holds nothing, and is for platform admins", async () => {
  const counts = () =>
    portal.sql(
      "SELECT (SELECT count(*) FROM hold)::int AS holds, (SELECT count(*) FROM usage_event)::int AS calls, (SELECT count(*) FROM act)::int AS acts",
    );
  const before = await counts();
  for (const endpoint of ["chat", "completions", "messages", "responses"])
    await dry(`?model=several&endpoint=${endpoint}`);
  expect(await counts()).toEqual(before);
  for (const role of ["org_admin", "member"] as const) {
    const { browser } = await portal.signInAs(role);
    expect((await browser.get(`${PAGE}?model=several`)).status).toBe(403);
  }
  const { browser } = await portal.signInAs("platform_admin");
  for (const query of ["?model=several&input_tokens=-1", "?model=several&endpoint=x", `?model=${"x".repeat(201)}`])
    expect((await browser.getJson(`${PAGE}${query}`)).status, query).toBe(422);
  expect((await browser.getJson(`${PAGE}?model=several&key_id=1999999999`)).status).toBe(404);
});

test("whoever has a key sees where its requests would go, as is set for it, and nothing of the operator's own", async () => {
  const owner = await portal.signInAs("member");
  const colleague = await portal.signInAs("member");
  const made = await owner.browser.post(
    "/dashboard/keys/new",
    { name: "mine", allowed_models: "several" },
    { json: true },
  );
  const { id } = await made.json();
  const own = "/dashboard/autorouter/dry-run";
  const read = async (query: string) => (await owner.browser.get(`${own}${query}`)).text();
  expect(await read("")).toContain("mine");
  const auto = await read(`?key_id=${id}&input_tokens=1000&max_tokens=100`);
  expect(auto).toContain("The autorouter would choose several (Balanced)");
  expect(auto).not.toContain("up-near");
  expect(auto).not.toContain("Priority");
  expect(await read(`?key_id=${id}&model=plain`)).toContain("This request would be rejected");
  await owner.browser.post("/dashboard/autorouter/api-key", { autorouter: "cheapest", key_id: String(id) });
  expect(await read(`?key_id=${id}`)).toContain("(Cheapest)");
  await owner.browser.post("/dashboard/autorouter/api-key", { autorouter: "off", key_id: String(id) });
  expect(await read(`?key_id=${id}`)).toContain("unsupported_auto_mode");
  expect((await colleague.browser.get(`${own}?key_id=${id}`)).status).toBe(404);
});
