import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type Browser, type Portal, type SignedIn, startPortal } from "../support/portal";

let portal: Portal;
const people = {} as Record<"owner" | "admin" | "member" | "colleague" | "stranger", SignedIn>;
let requestId: string;

beforeAll(async () => {
  portal = await startPortal();
  const away = await portal.addOrganisation("Needle Works");
  people.owner = await portal.signInAs("owner", { adminMode: true });
  people.admin = await portal.signInAs("org_admin", { adminMode: true });
  people.member = await portal.signInAs("member");
  people.colleague = await portal.signInAs("member");
  people.stranger = await portal.signInAs("org_admin", { organisationId: away, adminMode: true });
  const made = await people.member.browser.post("/dashboard/keys/new", { name: "needle 100%" }, { json: true });
  const { key } = (await made.json()) as { key: string };
  await people.stranger.browser.post("/dashboard/keys/new", { name: "needle elsewhere" }, { json: true });
  await fetch(`${portal.url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "sandbox-chat", messages: [{ role: "user", content: "Hello" }] }),
  });
  await vi.waitFor(async () => {
    const [row] = await portal.sql("SELECT request_id::text FROM usage_event");
    requestId = row.request_id;
  }, 10_000);
}, 120_000);
afterAll(() => portal?.close());

type Result = { kind: string; label: string; to: string; switch_org_id?: number };
const find = async (browser: Browser, q: string): Promise<Result[]> => {
  const answer = await browser.getJson(`/dashboard/search?q=${encodeURIComponent(q)}`);
  expect(answer.status).toBe(200);
  return ((await answer.json()) as { results: Result[] }).results;
};
const labels = async (browser: Browser, q: string) => (await find(browser, q)).map(({ kind, label }) => [kind, label]);

test("everybody finds what they may see, and nothing else", async () => {
  expect(await labels(people.member.browser, "needle")).toEqual([["key", "needle 100%"]]);
  expect(await labels(people.colleague.browser, "needle")).toEqual([]);
  expect(await labels(people.admin.browser, "needle")).toEqual([["key", "needle 100%"]]);
  expect(await labels(people.stranger.browser, "needle")).toEqual([["key", "needle elsewhere"]]);
  const all = await find(people.owner.browser, "NEEDLE");
  expect(all.map(({ kind }) => kind).toSorted()).toEqual(["key", "key", "organisation"]);
  expect(all.find(({ kind }) => kind === "organisation")?.switch_org_id).toBe(people.stranger.person.organisationId);
});

test("signs that mean something to the database are signs like others", async () => {
  expect(await labels(people.member.browser, "0%")).toEqual([["key", "needle 100%"]]);
  expect(await labels(people.member.browser, "e_1")).toEqual([]);
});

test("people are found by admins in their view only", async () => {
  const { email } = people.colleague.person;
  expect((await find(people.admin.browser, email)).map(({ to }) => to)).toEqual([
    `/dashboard/admin/users/${people.colleague.person.userId}`,
  ]);
  expect(await find(people.stranger.browser, email)).toEqual([]);
  expect(await find(people.member.browser, email)).toEqual([]);
  await people.admin.browser.post("/dashboard/toggle-admin-mode", {}, { json: true });
  expect(await find(people.admin.browser, email)).toEqual([]);
});

test("the id of a request leads to it, whoever may see it", async () => {
  const [found] = await find(people.member.browser, ` request ${requestId}`);
  expect(found?.kind).toBe("request");
  expect((await people.member.browser.get(found?.to ?? "")).status).toBe(200);
  expect(await find(people.colleague.browser, requestId)).toEqual([]);
  expect(await find(people.stranger.browser, requestId)).toEqual([]);
});

test("models are found, those that only break are not", async () => {
  const models = (await find(people.member.browser, "sandbox")).filter(({ kind }) => kind === "model");
  expect(models.length).toBeGreaterThan(0);
  expect(await find(people.member.browser, "sandbox-fault")).toEqual([]);
});

test("one letter is too little, and whoever asks all the time has to wait", async () => {
  const ask = (q: string) => people.colleague.browser.getJson(`/dashboard/search?q=${q}`);
  expect((await ask("n")).status).toBe(422);
  let last = await ask("nothing");
  for (let more = 0; more < 130 && last.status === 200; more += 1) last = await ask("nothing");
  expect(last.status).toBe(429);
  expect(Number(last.headers.get("retry-after"))).toBeGreaterThan(0);
  expect((await people.stranger.browser.getJson("/dashboard/search?q=needle")).status).toBe(200);
});
