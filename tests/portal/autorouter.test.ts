import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type Browser, type Portal, type SignedIn, startPortal } from "../support/portal";

let portal: Portal;
const people = {} as Record<"admin" | "member" | "colleague" | "stranger", SignedIn>;
let key: { id: number; key: string };

beforeAll(async () => {
  portal = await startPortal();
  people.admin = await portal.signInAs("org_admin", { adminMode: true });
  people.member = await portal.signInAs("member");
  people.colleague = await portal.signInAs("member");
  const away = await portal.addOrganisation("Away");
  people.stranger = await portal.signInAs("org_admin", { organisationId: away, adminMode: true });
  const made = await people.member.browser.post("/dashboard/keys/new", { name: "steered" }, { json: true });
  key = await made.json();
}, 120_000);
afterAll(() => portal?.close());

async function ask(model: string): Promise<{ status: number; code?: string; model?: string }> {
  const response = await fetch(`${portal.url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${key.key}`, "content-type": "application/json" },
    body: JSON.stringify({ model, messages: [{ role: "user", content: `Hello ${Math.random()}` }] }),
  });
  const body = await response.json();
  return { status: response.status, code: body.error?.code, model: body.model };
}

const set = async (browser: Browser, path: string, body: Record<string, string>): Promise<number> =>
  (await browser.post(path, body, { json: true })).status;
const USER = "/dashboard/autorouter/user";
const KEY = "/dashboard/autorouter/api-key";
const ANY_KEY = "/dashboard/admin/autorouter/api-key";
const ORGANISATION = "/dashboard/admin/autorouter/org";
const effective = async () => {
  const answer = await (await people.member.browser.getJson("/dashboard/api/autorouter")).json();
  return answer.keys.find(({ id }: { id: number }) => id === key.id).effective;
};

test("the settings of organisation, person and key steer the very next request, the narrowest first", async () => {
  expect((await ask("auto")).status).toBe(200);
  expect(await set(people.admin.browser, ORGANISATION, { autorouter: "off" })).toBe(200);
  expect(await ask("auto")).toMatchObject({ status: 400, code: "unsupported_auto_mode" });
  expect(await effective()).toMatchObject({ autorouter: "off", from: "organisation" });
  expect(await set(people.member.browser, USER, { autorouter: "cheapest" })).toBe(200);
  expect((await ask("auto")).status).toBe(200);
  expect(await set(people.member.browser, KEY, { autorouter: "off", key_id: String(key.id) })).toBe(200);
  expect((await ask("auto")).code).toBe("unsupported_auto_mode");
  const fastest = { autorouter: "fastest", default_model: "sandbox-messages", key_id: String(key.id) };
  expect(await set(people.admin.browser, ANY_KEY, fastest)).toBe(200);
  expect((await ask("auto")).status).toBe(200);
  expect(await effective()).toEqual({
    ...{ autorouter: "fastest", from: "key", default_model: "sandbox-messages", default_from: "key" },
  });
});

test("nobody sets what is not theirs, and a default model has to be a chat model", async () => {
  const body = { autorouter: "off", key_id: String(key.id) };
  expect(await set(people.colleague.browser, KEY, body)).toBe(404);
  expect(await set(people.admin.browser, KEY, body)).toBe(404);
  expect(await set(people.colleague.browser, ANY_KEY, body)).toBe(403);
  expect(await set(people.stranger.browser, ANY_KEY, body)).toBe(404);
  expect(await set(people.member.browser, ORGANISATION, { autorouter: "off" })).toBe(403);
  const [{ id }] = await portal.sql("SELECT min(id)::int AS id FROM organisation");
  expect(await set(people.stranger.browser, ORGANISATION, { autorouter: "off", org_id: String(id) })).toBe(404);
  const none = { autorouter: "", default_model: "sandbox-embedding" };
  expect(await set(people.member.browser, USER, none)).toBeGreaterThanOrEqual(400);
  expect((await effective()).autorouter).toBe("fastest");
});

test("what was saved is the sum of its rows, and requests that named a model are the override rate", async () => {
  await ask("sandbox-chat");
  type Row = { charged_usd: number; default_usd: number; saved_usd: number; default_model: string; request_id: string };
  const report = async (browser: Browser) =>
    (await browser.getJson("/dashboard/api/autorouter?days=1")).json() as Promise<
      Row & { requests: number; eligible_requests: number; overridden_requests: number; data: Row[]; bins: Row[] }
    >;
  await vi.waitFor(async () => {
    const { eligible_requests, requests } = await report(people.member.browser);
    expect([eligible_requests, requests]).toEqual([4, 3]);
  }, 10_000);
  const mine = await report(people.member.browser);
  expect(mine.overridden_requests).toBe(1);
  expect(mine.data).toHaveLength(3);
  const nano = (usd: number) => Math.round(usd * 1e9);
  const sum = (rows: Row[], field: "charged_usd" | "default_usd" | "saved_usd") =>
    rows.reduce((total, row) => total + nano(row[field]), 0);
  for (const field of ["charged_usd", "default_usd", "saved_usd"] as const)
    expect(sum(mine.data, field)).toBe(nano(mine[field]));
  expect(sum(mine.bins, "saved_usd")).toBe(nano(mine.saved_usd));
  for (const row of mine.data) expect(nano(row.saved_usd)).toBe(nano(row.default_usd) - nano(row.charged_usd));
  const latest = mine.data[0] as Row;
  expect(latest.default_model).toBe("sandbox-messages");
  const page = await (await people.member.browser.get("/dashboard/autorouter")).text();
  expect(page).toContain(`/dashboard/request-log/${latest.request_id}`);
  for (const other of [people.colleague, people.stranger]) expect((await report(other.browser)).requests).toBe(0);
});

test("an explanation is hidden for good, and shown again when wanted", async () => {
  const { browser } = people.member;
  const first = await (await browser.get("/dashboard/autorouter")).text();
  expect(first).toContain("How the autorouter works");
  expect(await set(browser, "/dashboard/autorouter/help", { shown: "false" })).toBe(200);
  expect(await (await browser.get("/dashboard/autorouter")).text()).not.toContain("How the autorouter works");
  expect(await (await people.admin.browser.get("/dashboard/autorouter")).text()).toContain("How the autorouter works");
  expect(await set(browser, "/dashboard/autorouter/help", { shown: "true" })).toBe(200);
  expect(await (await browser.get("/dashboard/autorouter")).text()).toContain("How the autorouter works");
});

test("the page has the newest 25 keys until all of them are wanted, and the form always offers them", async () => {
  const member = await portal.signInAs("member");
  for (let made = 0; made < 26; made += 1)
    await member.browser.post("/dashboard/keys/new", { name: `key ${made}` }, { json: true });
  const read = async (query: string) => {
    const page = await (await member.browser.get(`/dashboard/autorouter${query}`)).text();
    const table = page.slice(page.indexOf('id="keys"'), page.indexOf('id="algorithms"'));
    return { page, rows: table.match(/\/dashboard\/keys\/\d+/g)?.length };
  };
  const some = await read("");
  expect(some.rows).toBe(25);
  expect(some.page).toContain("Show the 26 newest keys");
  expect(some.page).toContain(">key 0<");
  const all = await read("?keys=all");
  expect(all.rows).toBe(26);
  expect(all.page).not.toContain("newest keys");
});
