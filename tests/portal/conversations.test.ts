import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type Browser, type Portal, type SignedIn, startPortal } from "../support/portal";

const PAGE = "/dashboard/admin/conversations";
let portal: Portal;
let home: number;
const people = {} as Record<"admin" | "departmentAdmin" | "member" | "stranger", SignedIn>;
let key: string;
const SECRET = "Xylophone-prompt-canary";

beforeAll(async () => {
  portal = await startPortal();
  [{ id: home }] = await portal.sql("SELECT min(id)::int AS id FROM organisation");
  people.admin = await portal.signInAs("org_admin", { adminMode: true });
  people.departmentAdmin = await portal.signInAs("department_admin", {
    adminMode: true,
    departmentId: await portal.addDepartment(home, "Research"),
  });
  people.member = await portal.signInAs("member");
  const away = await portal.addOrganisation("Away");
  people.stranger = await portal.signInAs("org_admin", { organisationId: away, adminMode: true });
  const made = await people.member.browser.post("/dashboard/keys/new", { name: "talks" }, { json: true });
  ({ key } = await made.json());
}, 120_000);
afterAll(() => portal?.close());

async function say(text: string, session: string | null, stream = false): Promise<void> {
  const response = await fetch(`${portal.url}/v1/chat/completions`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
      ...(session === null ? {} : { "x-session-id": session }),
    },
    body: JSON.stringify({ model: "sandbox-chat", stream, messages: [{ role: "user", content: text }] }),
  });
  expect(response.status).toBe(200);
  await response.text();
}

const set = async (browser: Browser, body: Record<string, string>): Promise<number> =>
  (await browser.post(`${PAGE}/settings`, body, { json: true })).status;
/** Returns the sessions of the conversations in the list, in its order. */
async function list(browser: Browser, query = ""): Promise<string[]> {
  const page = await (await browser.get(`${PAGE}?${query}`)).text();
  const ids = [...page.matchAll(/admin\/conversations\/(\d+)"/g)].map(([, id]) => id);
  const rows = await portal.sql("SELECT id, session_id AS session FROM conversation");
  return ids.map((id) => rows.find((row: { id: number }) => row.id === Number(id))?.session ?? "none");
}
const idOf = async (session: string | null): Promise<number> =>
  (await portal.sql("SELECT id FROM conversation WHERE session_id IS NOT DISTINCT FROM $1", [session]))[0].id;
const stored = async () => (await portal.sql("SELECT count(*)::int AS n FROM conversation_turn"))[0].n as number;
const settled = (n: number) => vi.waitFor(async () => expect(await stored()).toBe(n), 10_000);

test("nothing is stored until an organisation's admin chooses so, and its people are told", async () => {
  await say(SECRET, null);
  expect(await set(people.member.browser, { stored: "true" })).toBe(403);
  expect(await set(people.departmentAdmin.browser, { stored: "true" })).toBe(403);
  expect(await set(people.stranger.browser, { stored: "true", org_id: String(home) })).toBe(404);
  expect(await (await people.member.browser.get("/dashboard/settings")).text()).not.toContain(
    "Your organisation stores",
  );
  const choice = { stored: "true", days: "7", redact_email: "true", words: "falcon\nosprey" };
  expect(await set(people.admin.browser, choice)).toBe(200);
  expect(await stored()).toBe(0);
  expect(await (await people.member.browser.get("/dashboard/settings")).text()).toContain("for 7 days");
});

test("requests of one session are one conversation, encrypted and redacted, in no log", async () => {
  await say(`${SECRET} one, write to ada@example.com about Falcon`, "s1");
  await settled(1);
  await say(`${SECRET} two`, "s1", true);
  await settled(2);
  await say("something else", null);
  await settled(3);
  expect(await list(people.admin.browser)).toEqual(["none", "s1"]);
  const rows = JSON.stringify(
    await portal.sql("SELECT * FROM conversation_turn t JOIN conversation_key k ON k.id = t.key_used"),
  );
  expect(rows).not.toContain("Xylophone");
  const detail = await (await people.admin.browser.get(`${PAGE}/${await idOf("s1")}`)).text();
  expect(detail).toContain(`${SECRET} one, write to [redacted] about [redacted]`);
  expect(detail).toContain(`${SECRET} two`);
  const opened = detail.match(/<pre[^>]*>([^<]+)<\/pre>/g);
  expect(opened).toHaveLength(4);
  const [{ n }] = await portal.sql("SELECT count(*)::int AS n FROM act WHERE action = 'conversation.read'");
  expect(n).toBe(1);
  const acts = JSON.stringify(await portal.sql("SELECT before, after, target_label FROM act"));
  expect(acts).not.toMatch(/Xylophone|falcon/i);
});

test("a text is found, and exported, by the organisation's admins alone", async () => {
  expect(await list(people.admin.browser, "q=xylophone")).toEqual(["s1"]);
  expect(await list(people.admin.browser, "q=ada@example.com")).toEqual([]);
  expect(await list(people.stranger.browser, "q=xylophone")).toEqual([]);
  const file = await (await people.admin.browser.get(`${PAGE}/export?session=s1`)).text();
  expect(file.match(/Xylophone/g)?.length).toBeGreaterThanOrEqual(2);
  expect(await (await people.stranger.browser.get(`${PAGE}/export`)).text()).not.toContain("Xylophone");
  for (const path of [PAGE, `${PAGE}/export`])
    expect((await people.departmentAdmin.browser.getJson(path)).status).toBe(403);
});

test("a stored request opens in the playground, for the organisation's admins alone, and leaves a trace", async () => {
  const conversation = await idOf("s1");
  const [{ id }] = await portal.sql(
    "SELECT request_id::text AS id FROM conversation_turn WHERE conversation_id = $1 ORDER BY at LIMIT 1",
    [conversation],
  );
  const { browser } = people.admin;
  await browser.post("/dashboard/keys/new", { name: "of the admin" }, { json: true });
  const address = `/dashboard/playground?request=${id}`;
  const read = async ({ browser: own }: SignedIn, path: string) => (await own.get(path)).text();
  const traces = async () =>
    (await portal.sql("SELECT count(*)::int AS n FROM act WHERE action = 'conversation.read'"))[0].n as number;
  expect(await read(people.admin, `/dashboard/request-log/${id}`)).toContain(`href="${address}"`);
  const before = await traces();
  expect(await read(people.admin, address)).toContain(`${SECRET} one`);
  expect(await traces()).toBe(before + 1);
  expect(await read(people.member, `/dashboard/request-log/${id}`)).not.toContain("/dashboard/playground?request=");
  for (const who of [people.member, people.departmentAdmin, people.stranger])
    expect(await read(who, address)).not.toContain(SECRET);
  expect(await traces()).toBe(before + 1);
  expect((await browser.getJson("/dashboard/playground?request=1")).status).toBe(422);
});

test("a deleted conversation is gone, and another organisation's is like none", async () => {
  const single = await idOf(null);
  const path = `/api/admin/conversations/${single}`;
  const remove = (browser: Browser) => browser.post(path, {}, { json: true, method: "DELETE" });
  expect((await people.stranger.browser.getJson(`${PAGE}/${single}`)).status).toBe(404);
  expect((await remove(people.stranger.browser)).status).toBe(404);
  expect((await remove(people.member.browser)).status).toBe(403);
  expect((await remove(people.admin.browser)).status).toBe(200);
  expect((await remove(people.admin.browser)).status).toBe(404);
  expect(await stored()).toBe(2);
});

test("what is older than the retention is deleted by the job", async () => {
  await portal.sql(
    "UPDATE conversation_turn SET expires_at = now() - interval '1 second' WHERE at = (SELECT min(at) FROM conversation_turn)",
  );
  const owner = await portal.signInAs("owner", { adminMode: true });
  expect((await owner.browser.post("/dashboard/admin/jobs/purge-conversations/run", {}, { json: true })).status).toBe(
    200,
  );
  await settled(1);
  expect(await portal.sql("SELECT turns FROM conversation")).toEqual([{ turns: 1 }]);
});

test("switching off deletes everything and the key; switched on again, it stores anew", async () => {
  expect(await set(people.admin.browser, { stored: "false" })).toBe(200);
  expect(await stored()).toBe(0);
  expect(await portal.sql("SELECT 1 FROM conversation_key")).toEqual([]);
  await say("unheard", "s2");
  expect(await set(people.admin.browser, { stored: "true", days: "1" })).toBe(200);
  await say("heard again", "s2");
  await settled(1);
  expect(await list(people.admin.browser, "q=heard again")).toEqual(["s2"]);
});

test("conversations go with their person and with their organisation", async () => {
  const { userId, email } = people.member.person;
  const owner = await portal.signInAs("owner", { adminMode: true });
  const deleted = await owner.browser.post(
    `/dashboard/admin/users/${userId}/hard-delete`,
    { confirm: email },
    { json: true },
  );
  expect(deleted.status).toBe(200);
  expect(await stored()).toBe(0);
  await portal.sql(
    `INSERT INTO conversation (organisation_id, key_id, model, started_at, last_at) VALUES (${home}, 1, 'm', now(), now())`,
  );
  await portal.sql(`UPDATE organisation SET closed_at = now() WHERE id = ${home}`);
  expect(await portal.sql("SELECT 1 FROM conversation")).toEqual([]);
});
