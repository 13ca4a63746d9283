import { afterAll, beforeAll, expect, test } from "vitest";
import { type Portal, startPortal } from "../support/portal";

const PAGE = "/dashboard/admin/models";
let portal: Portal;
beforeAll(async () => {
  portal = await startPortal();
}, 120_000);
afterAll(() => portal?.close());

const textOf = (html: string) => html.replace(/<[^>]+>/g, " ").replace(/\s+/g, " ");
const tab = async (query: string) => {
  const { browser } = await portal.signInAs("platform_admin");
  const response = await browser.get(`${PAGE}${query}`);
  expect(response.status).toBe(200);
  return textOf(await response.text());
};

test("shows platform admins the suppliers, the models and the prices, each in a tab with their number", async () => {
  const [counts] = await portal.sql(
    `SELECT (SELECT count(*) FROM supplier WHERE status <> 'inactive')::int AS suppliers,
            (SELECT count(*) FROM model WHERE active)::int AS models, (SELECT count(*) FROM model_route WHERE active)::int AS prices`,
  );
  const suppliers = await tab("");
  expect(suppliers).toContain(`Suppliers ${counts?.suppliers} Models ${counts?.models} Prices ${counts?.prices}`);
  expect(suppliers).toMatch(/sandbox Part of gw Sandbox \S+ Active No traffic yet \d+ \d+ – Configuration/);
  const models = await tab("?tab=models&q=sandbox-embed");
  expect(models).toContain("sandbox-embed Embeddings sandbox");
  expect(models).not.toContain("sandbox-chat");
  expect(await tab("?tab=prices&q=sandbox-embed")).toMatch(/sandbox-embed sandbox · \S+ \$\d/);
});

test("says how a supplier has answered", async () => {
  const { browser } = await portal.signInAs("member");
  const { key } = await (await browser.post("/dashboard/keys/new", { name: "k" }, { json: true })).json();
  const answer = await fetch(`${portal.url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "sandbox-chat", messages: [{ role: "user", content: "Hello" }] }),
  });
  expect(answer.status).toBe(200);
  expect(await tab("")).toMatch(/sandbox Part of gw Sandbox \S+ Active Healthy 100% answered/);
});

test("leads from the address of the prices to their tab", async () => {
  const { browser } = await portal.signInAs("platform_admin");
  const response = await browser.get("/dashboard/admin/prices");
  expect([response.status, response.headers.get("location")]).toEqual([303, `${PAGE}?tab=prices`]);
});

test("is for platform admins", async () => {
  const { browser } = await portal.signInAs("org_admin");
  expect((await browser.get(PAGE)).status).toBe(403);
  expect((await browser.get("/dashboard/admin/prices")).status).toBe(403);
});
