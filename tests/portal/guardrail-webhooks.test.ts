import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type Browser, type Portal, type SignedIn, startPortal } from "../support/portal";

const PAGE = "/dashboard/guardrails/webhook";
type Told = { data: { texts: string[]; set_by: string; test: boolean; model: string; key: string | null } };
let portal: Portal;
let hook: Server;
let url: string;
let received: { path: string; headers: Record<string, string>; body: string; told: Told }[] = [];
let answers: Record<string, { status?: number; body: unknown } | "silence"> = {};
const people = {} as Record<"admin" | "member" | "other", SignedIn>;
let key: string;
let keyId: number;

beforeAll(async () => {
  hook = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const body = Buffer.concat(pieces).toString("utf8");
    const path = request.url ?? "";
    received.push({ path, headers: request.headers as Record<string, string>, body, told: JSON.parse(body) });
    const answer = answers[path] ?? { body: { action: "allow" } };
    if (answer !== "silence") response.writeHead(answer.status ?? 200).end(JSON.stringify(answer.body));
  });
  await new Promise<void>((resolve) => hook.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(hook.address() as AddressInfo).port}`;
  portal = await startPortal({ env: { GW_ALLOW_PRIVATE_WEBHOOKS: "true" } });
  people.admin = await portal.signInAs("org_admin", { adminMode: true });
  people.member = await portal.signInAs("member");
  people.other = await portal.signInAs("member");
  const made = await people.member.browser.post("/dashboard/keys/new", { name: "hooked" }, { json: true });
  ({ key } = await made.json());
  [{ id: keyId }] = await portal.sql("SELECT id FROM api_key WHERE name = 'hooked'");
}, 120_000);
afterAll(async () => {
  await portal?.close();
  hook?.closeAllConnections();
  hook?.close();
});

const act = async (browser: Browser, body: Record<string, string>) => {
  const answer = await browser.post(PAGE, body, { json: true });
  return { status: answer.status, ...(await answer.json()) };
};
const ofKey = (body: Record<string, string>) => ({ key_id: String(keyId), ...body });

async function say(content: string, model = "sandbox-chat"): Promise<{ status: number; text: string }> {
  const response = await fetch(`${portal.url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ model, messages: [{ role: "user", content }] }),
  });
  return { status: response.status, text: await response.text() };
}
/** Calls until the webhook's setting is in effect in the gateway. */
const until = (content: string, status: number) =>
  vi.waitFor(
    async () => {
      const answer = await say(content);
      expect(answer.status).toBe(status);
      return answer.text;
    },
    { timeout: 15_000, interval: 100 },
  );

test("who may change guardrails may set a webhook; its secret is answered once and signs", async () => {
  const save = { act: "save", url: `${url}/key`, timeout_ms: "10000" };
  expect((await act(people.member.browser, save)).status).toBe(403);
  expect((await act(people.other.browser, ofKey(save))).status).toBe(404);
  expect((await act(people.member.browser, ofKey({ act: "save", url: "https://u:p@example.com" }))).status).toBe(400);
  expect((await act(people.member.browser, ofKey({ ...save, timeout_ms: "50" }))).status).toBe(422);
  expect((await act(people.member.browser, ofKey({ act: "rotate" }))).status).toBe(404);
  const made = await act(people.member.browser, ofKey(save));
  expect(made).toMatchObject({ status: 200, secret: expect.stringMatching(/^whsec_/) });
  expect(await act(people.member.browser, ofKey({ ...save, timeout_ms: "9000" }))).not.toHaveProperty("secret");
  await vi.waitFor(async () => {
    expect((await say("Hello to the hook")).status).toBe(200);
    expect(received.length).toBeGreaterThan(0);
  }, 10_000);
  const { headers, body, told } = received.at(-1)!;
  expect(() => new Webhook(made.secret).verify(body, headers)).not.toThrow();
  expect(told.data).toMatchObject({ set_by: "key", test: false, model: "sandbox-chat", texts: ["Hello to the hook"] });
  const rotated = await act(people.member.browser, ofKey({ act: "rotate" }));
  expect(rotated.secret).not.toBe(made.secret);
  const { browser } = people.member;
  const shown = async (path: string) => (await (await browser.get(path)).text()).includes(rotated.secret);
  const page = `/dashboard/guardrails?key=${ofKey({}).key_id}`;
  for (const _ of ["at once", "when the page is loaded again"]) expect(await shown(page)).toBe(true);
  expect(await shown("/dashboard/budgets/alerts")).toBe(false);
  expect((await browser.post("/dashboard/secret-stored")).status).toBe(303);
  expect(await shown(page)).toBe(false);
});

test("it gets what is redacted by then, and what it refuses costs nothing and leaves no hold behind", async () => {
  const rule = { name: "Ticket", kind: "words", text: "zebra", on: "input", action: "redact", key_id: String(keyId) };
  await people.member.browser.post("/dashboard/guardrails/add", rule, { json: true });
  answers = { "/key": { body: { action: "refuse", reason: "Ask the\nlegal team." } } };
  const text = await until("A zebra asks", 400);
  expect(JSON.parse(text).error).toMatchObject({
    code: "request_rejected",
    human_message: "The key’s guardrail webhook does not allow this request. Ask the legal team.",
  });
  await vi.waitFor(async () => {
    await say("A zebra asks");
    expect(received.at(-1)!.told.data.texts).toEqual(["A ***** asks"]);
  }, 10_000);
  await vi.waitFor(async () => {
    const rows = await portal.sql(
      "SELECT charged::text, routing FROM usage_event WHERE key_id = $1 AND error_code = 'request_rejected'",
      [keyId],
    );
    expect(rows.length).toBeGreaterThanOrEqual(2);
    for (const row of rows) expect(row.charged).toBe("0");
    expect(rows.at(-1).routing.guardrails).toContainEqual({
      ...{ kind: "webhook", by: "key", action: "refuse", reason: "Ask the legal team.", problem: null },
      ms: expect.any(Number),
    });
  }, 10_000);
  expect(await portal.sql("SELECT 1 FROM hold WHERE key_id = $1 AND state = 'dispatched'", [keyId])).toEqual([]);
  const log = await (await people.member.browser.get("/dashboard/request-log?guardrail=refuse")).text();
  const [, request] = /request-log\/([\da-f-]{36})"/.exec(log) ?? [];
  const page = await (await people.member.browser.get(`/dashboard/request-log/${request}`)).text();
  expect(page).toContain("Ask the legal team.");
});

test("one that gives no answer refuses or allows as was chosen, and the request log says which", async () => {
  answers = { "/key": { status: 500, body: {} } };
  const text = await until("Anybody there?", 503);
  expect(JSON.parse(text).error.code).toBe("service_unavailable");
  const open = { act: "save", url: `${url}/key`, timeout_ms: "100", on_failure: "allow" };
  expect((await act(people.member.browser, ofKey(open))).status).toBe(200);
  await until("Anybody there?", 200);
  answers = { "/key": "silence" };
  expect((await say("Still there?")).status).toBe(200);
  await vi.waitFor(async () => {
    const [{ routing }] = await portal.sql(
      "SELECT routing FROM usage_event WHERE key_id = $1 AND status = 200 ORDER BY id DESC LIMIT 1",
      [keyId],
    );
    expect(routing.guardrails.at(-1)).toMatchObject({
      ...{ kind: "webhook", action: "allow", problem: "the webhook did not answer in time" },
    });
  }, 10_000);
});

test("the organisation's is asked first, and a key cannot get round it", async () => {
  answers = { "/org": { body: { action: "flag", reason: "noted" } } };
  const patient = { url: `${url}/key`, timeout_ms: "10000" };
  expect((await act(people.member.browser, ofKey({ act: "save", ...patient }))).status).toBe(200);
  const save = { act: "save", url: `${url}/org`, timeout_ms: "10000" };
  expect((await act(people.admin.browser, save)).status).toBe(200);
  await vi.waitFor(async () => {
    received = [];
    expect((await say("Two of them")).status).toBe(200);
    expect(received.map(({ path }) => path)).toEqual(["/org", "/key"]);
  }, 10_000);
  answers = { "/org": { body: { action: "refuse" } } };
  received = [];
  expect((await say("Two of them")).status).toBe(400);
  expect(received.map(({ path }) => path)).toEqual(["/org"]);
  const seen = await (await people.member.browser.get(`/dashboard/guardrails?key=${keyId}`)).text();
  expect(seen).toContain("organisation’s webhook");
  expect(seen).not.toContain(`${url}/org`);
});

test("it is tried from the page, only when that is asked for", async () => {
  answers = { "/org": { body: { action: "flag", reason: "seen" } } };
  received = [];
  const attempt = async (body: Record<string, string>) =>
    (await people.member.browser.post("/dashboard/guardrails/test", ofKey(body), { json: true })).json();
  expect(await attempt({ sample: "a zebra" })).toMatchObject({ webhooks: [] });
  expect(received).toEqual([]);
  const tried = await attempt({ sample: "a zebra", webhook: "true" });
  expect(tried.webhooks).toMatchObject([
    { by: "organisation", action: "flag", reason: "seen" },
    { by: "key", action: "allow" },
  ]);
  expect(received.map(({ told }) => [told.data.test, told.data.texts])).toEqual([
    [true, ["a *****"]],
    [true, ["a *****"]],
  ]);
});

test("once removed nobody is asked, and the audit log knows who changed what, without secrets", async () => {
  expect((await act(people.admin.browser, { act: "remove" })).status).toBe(200);
  expect((await act(people.member.browser, ofKey({ act: "remove" }))).status).toBe(200);
  expect((await act(people.member.browser, ofKey({ act: "remove" }))).status).toBe(404);
  await vi.waitFor(async () => {
    received = [];
    expect((await say("Nobody asks")).status).toBe(200);
    expect(received).toEqual([]);
  }, 10_000);
  const acts = JSON.stringify(
    await portal.sql("SELECT action, before, after FROM act WHERE action LIKE '%.guardrails'"),
  );
  expect(acts).toContain("127.0.0.1");
  expect(acts).not.toMatch(/whsec_|gw1\.|\/key|\/org/);
});
