import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { pageText } from "../../support/page-text";
import { type Browser, type Portal, type SignedIn, startPortal } from "../../support/portal";

let portal: Portal;
let member: SignedIn;
let stranger: SignedIn;
let key: { id: number; key: string };

beforeAll(async () => {
  portal = await startPortal();
  member = await portal.signInAs("member");
  stranger = await portal.signInAs("member", { organisationId: await portal.addOrganisation("CANARY-away") });
  key = await createKey(member.browser, { name: "only two", allowed_models: ["sandbox-chat", "sandbox-embed"] });
}, 120_000);
afterAll(() => portal?.close());

async function createKey(browser: Browser, fields: Record<string, unknown>): Promise<{ id: number; key: string }> {
  return (await browser.post("/dashboard/keys/new", fields, { json: true })).json();
}

const call = (model = "sandbox-chat") =>
  fetch(`${portal.url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${key.key}`, "content-type": "application/json" },
    body: JSON.stringify({ model, messages: [{ role: "user", content: `Hello ${Math.random()}` }] }),
  });

const pageOf = async (browser: Browser, query = "") => (await browser.get(`/dashboard/models${query}`)).text();
const listed = (html: string) =>
  [...html.matchAll(/href="\/dashboard\/models\/([^"?]+)"/g)].map(([, id]) => decodeURIComponent(id!));
const rowOf = (html: string, model: string) =>
  pageText(
    html.split("<tr").find((row) => row.includes(`/dashboard/models/${encodeURIComponent(model)}"`)) ?? "no row",
  );

test("lists what can be called, narrowed by the address, and no model that only fails", async () => {
  const all = listed(await pageOf(member.browser));
  const priced = await portal.sql(
    `SELECT DISTINCT m.id FROM model m JOIN model_route r ON r.model_id = m.id AND r.active JOIN price p ON p.route_id = r.id
      WHERE m.active AND m.id NOT LIKE 'sandbox-fault-%' ORDER BY 1`,
  );
  expect(all).toEqual(priced.map(({ id }) => id));
  expect(all.length).toBeGreaterThan(3);
  expect(listed(await pageOf(member.browser, "?q=MESSAGES"))).toEqual(["sandbox-messages"]);
  expect(listed(await pageOf(member.browser, "?capability=embedding"))).toEqual(["sandbox-embed"]);
  expect(listed(await pageOf(member.browser, "?region=nowhere"))).toEqual([]);
  expect(listed(await pageOf(member.browser, `?key=${key.id}`))).toEqual(["sandbox-chat", "sandbox-embed"]);
});

test("a key of somebody else is no key", async () => {
  expect((await stranger.browser.get(`/dashboard/models?key=${key.id}`)).status).toBe(404);
  expect((await stranger.browser.get("/dashboard/models?key=1999999999")).status).toBe(404);
});

test("says how a model does where enough called it, and only the reader's own spend", async () => {
  expect(rowOf(await pageOf(member.browser), "sandbox-chat")).not.toContain("%");
  const answers = await Promise.all(Array.from({ length: 20 }, () => call()));
  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
  await vi.waitFor(async () => {
    const [{ n }] = await portal.sql("SELECT coalesce(sum(requests), 0)::int AS n FROM usage_hour");
    expect(n).toBe(20);
  }, 10_000);
  const [{ charged }] = await portal.sql("SELECT sum(charged)::bigint AS charged FROM usage_event");
  const spent = `$${(Number(charged) / 1e9).toFixed(9).replace(/0+$/, "")}`;
  // The portal refreshes response times every ten seconds.
  const own = await vi.waitFor(
    async () => {
      const row = rowOf(await pageOf(member.browser), "sandbox-chat");
      expect(row).toContain("p95");
      return row;
    },
    { timeout: 30_000, interval: 2_000 },
  );
  expect(own).toContain("100%");
  expect(own).toContain(spent);
  const others = rowOf(await pageOf(stranger.browser), "sandbox-chat");
  expect(others).toContain("100%");
  expect(others).not.toContain(spent);
}, 90_000);

test("a model's page has its suppliers, its prices over time, and calls that work when they are pasted", async () => {
  await portal.sql(
    `INSERT INTO price (route_id, input_per_mtok, output_per_mtok, valid_from)
     SELECT id, 7000000001, 9000000000, now() + interval '3 days' FROM model_route WHERE model_id = 'sandbox-chat' LIMIT 1`,
  );
  const html = await (await member.browser.get("/dashboard/models/sandbox-chat")).text();
  const text = pageText(html);
  expect(text).toContain("$7.000000001");
  expect(text).toContain("Scheduled");
  expect(text).not.toContain("Long inputs and service tiers");
  const [, body] = /-d &#x27;(.+?)&#x27;/.exec(html) ?? [];
  const answer = await fetch(`${portal.url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${key.key}`, "content-type": "application/json" },
    body: body!.replaceAll("&quot;", '"'),
  });
  expect(answer.status).toBe(200);
  expect((await member.browser.get("/dashboard/models/no%2Fsuch%27model")).status).toBe(404);
  expect((await member.browser.getJson("/dashboard/models/no-such-model")).headers.get("content-type")).toMatch(/json/);
});
