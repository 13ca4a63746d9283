import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type Browser, type Portal, type SignedIn, startPortal } from "../../support/portal";

const SETTINGS = "/dashboard/qualitative/settings";
let portal: Portal;
let home: number;
const people = {} as Record<"admin" | "member" | "stranger", SignedIn>;

beforeAll(async () => {
  portal = await startPortal();
  [{ id: home }] = await portal.sql("SELECT min(id)::int AS id FROM organisation");
  people.admin = await portal.signInAs("org_admin", { adminMode: true });
  people.member = await portal.signInAs("member");
  const away = await portal.addOrganisation("Away");
  people.stranger = await portal.signInAs("org_admin", { organisationId: away, adminMode: true });
  const made = await people.member.browser.post("/dashboard/keys/new", { name: "asks" }, { json: true });
  const { key } = await made.json();
  const models = [...Array(6).fill("sandbox-chat"), "sandbox-fault-503", "sandbox-fault-503", "sandbox-messages"];
  await Promise.all(models.map((model: string) => call(key, model)));
  await vi.waitFor(async () => {
    const [{ n }] = await portal.sql("SELECT count(*)::int AS n FROM usage_event");
    expect(n).toBe(models.length);
  }, 10_000);
  // The figures exclude the current day, so move the calls into the past.
  await portal.sql("ALTER TABLE usage_event DISABLE TRIGGER ALL");
  await portal.sql("UPDATE usage_event SET started_at = started_at - interval '2 days'");
  await portal.sql(
    "UPDATE usage_event SET output_tokens = 0 WHERE id = (SELECT min(id) FROM usage_event WHERE model = 'sandbox-chat')",
  );
}, 120_000);
afterAll(() => portal?.close());

async function call(key: string, model: string): Promise<void> {
  await fetch(`${portal.url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ model, messages: [{ role: "user", content: `Hello ${Math.random()}` }] }),
  });
}

type Row = { model: string; supplier: string; requests: number } & Record<string, number | null>;
const rowsOf = async (browser: Browser, query = ""): Promise<Row[]> =>
  (await (await browser.getJson(`/dashboard/api/qualitative?${query}`)).json()).data;
const save = async (browser: Browser, body: Record<string, string>): Promise<number> =>
  (await browser.post(SETTINGS, body, { json: true })).status;

test("nothing is shown of an organisation that has not opted in", async () => {
  for (const { browser } of Object.values(people)) expect(await rowsOf(browser)).toEqual([]);
});

test("groups are shown once they are as large as the organisation asks for, to everybody, without a name", async () => {
  expect(await save(people.admin.browser, { opt_in: "true", minimum: "5" })).toBe(200);
  for (const { browser } of [people.member, people.stranger]) {
    const rows = await rowsOf(browser);
    expect(rows.map(({ model, requests }) => [model, requests])).toEqual([["sandbox-chat", 6]]);
    expect(rows[0]).toMatchObject({ complete_share: 1, failed_share: 0 });
    expect(rows[0]?.empty_share).toBeCloseTo(1 / 6, 5);
  }
  const [all] = await rowsOf(people.stranger.browser, "group=supplier");
  expect(all?.requests).toBe(9);
  expect(all?.failed_share).toBeCloseTo(2 / 9, 5);
  expect((all?.rate_limited ?? 0) + (all?.timed_out ?? 0) + (all?.unavailable ?? 0) + (all?.refused ?? 0)).toBe(2);
  expect(await save(people.admin.browser, { opt_in: "true", minimum: "7" })).toBe(200);
  expect(await rowsOf(people.member.browser)).toEqual([]);
  expect(await save(people.admin.browser, { opt_in: "true", minimum: "4" })).toBe(422);
});

test("the calls are read once for all who look; what organisations choose holds at once", async () => {
  await save(people.admin.browser, { opt_in: "true", minimum: "5" });
  const [before] = await rowsOf(people.member.browser);
  await portal.sql("UPDATE usage_event SET latency_ms = latency_ms + 100000");
  expect(await rowsOf(people.stranger.browser)).toEqual([before]);
  await save(people.admin.browser, { opt_in: "false", minimum: "5" });
  expect(await rowsOf(people.stranger.browser)).toEqual([]);
  await save(people.admin.browser, { opt_in: "true", minimum: "6" });
  const [after] = await rowsOf(people.stranger.browser);
  expect(after?.latency_p50_ms).toBe((before?.latency_p50_ms ?? 0) + 100_000);
});

test("page, file and JSON show the same", async () => {
  await save(people.admin.browser, { opt_in: "true", minimum: "5" });
  const { browser } = people.stranger;
  const [row] = await rowsOf(browser);
  const [header, line, ...rest] = (await (await browser.get("/dashboard/qualitative/export")).text())
    .trim()
    .split("\r\n");
  expect(rest).toEqual([]);
  const cells = line?.split(",") ?? [];
  expect(header?.split(",")).toEqual(Object.keys(row ?? {}));
  expect(cells).toEqual(Object.values(row ?? {}).map((value) => (value === null ? "" : String(value))));
  const page = await (await browser.get("/dashboard/qualitative")).text();
  expect(page).toContain("sandbox-chat");
  expect(page).not.toContain("sandbox-messages");
  await save(people.admin.browser, { opt_in: "false", minimum: "5" });
  expect(await (await browser.get("/dashboard/qualitative")).text()).not.toContain("sandbox-chat");
});

test("only an organisation's own admins decide for it", async () => {
  expect(await save(people.member.browser, { opt_in: "true", minimum: "5" })).toBe(403);
  expect(await save(people.stranger.browser, { opt_in: "true", minimum: "5", org_id: String(home) })).toBe(404);
  const [{ opted }] = await portal.sql(`SELECT quality_opt_in AS opted FROM organisation WHERE id = ${home}`);
  expect(opted).toBe(false);
});

test("a single request is explained alike, whether it exists or not", async () => {
  const [{ id }] = await portal.sql("SELECT request_id::text AS id FROM usage_event LIMIT 1");
  const read = async (which: string) => {
    const response = await people.stranger.browser.get(`/dashboard/qualitative/detail/${which}`);
    return [response.status, (await response.text()).includes("not available here")];
  };
  expect(await read(id)).toEqual([200, true]);
  expect(await read("nothing")).toEqual([200, true]);
});
