import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { expectCleanBooks } from "../support/chat-gateway";
import { type Portal, type SignedIn, startPortal } from "../support/portal";

const FREE = 12;
const price = { input_per_mtok: 0.5, output_per_mtok: 1.5 };
const model = (id: string, ...routes: { supplier: string; upstream_model: string }[]) => ({
  ...{ id, capability: "chat", context_tokens: 128_000, max_output_tokens: 4_000 },
  routes: routes.map((route, index) => ({ ...route, priority: index + 1, weight: 1, price })),
});
const free = { supplier: "play", upstream_model: "sandbox-chat" };
const paid = { supplier: "sandbox", upstream_model: "m" };
/** A sandbox under another name, and a real supplier named "sandbox". */
const config = {
  suppliers: [
    { name: "play", kind: "sandbox", region: "global" },
    {
      ...{ name: "sandbox", kind: "chat", region: "eu", base_url: "http://127.0.0.1:9/v1" },
      credentials: [{ name: "main", api_key: "sk-none" }],
    },
  ],
  models: [
    model("sandbox-chat", free),
    model("paid", paid),
    model("mixed", free, paid),
    model("mixed-the-other-way", paid, free),
  ],
};

let portal: Portal;
beforeAll(async () => {
  portal = await startPortal({ config, env: { GW_SANDBOX_FREE_RPM: String(FREE) } });
}, 120_000);
afterAll(async () => {
  await expectCleanBooks(portal);
  await portal?.close();
});

type FirstCaller = SignedIn & { key: string; keyId: number };

/** Creates a person whose organisation pays for its usage and has an empty wallet. */
async function aNewcomer(fields: object = {}): Promise<FirstCaller> {
  const organisationId = await portal.addOrganisation();
  const signedIn = await portal.signInAs("org_admin", { organisationId });
  const made = await signedIn.browser.post("/dashboard/keys/new", { name: "first", ...fields }, { json: true });
  const { key, id } = (await made.json()) as { key: string; id: number };
  return { ...signedIn, key, keyId: id };
}

const call = (key: string, body: object = {}, headers: Record<string, string> = {}) =>
  fetch(`${portal.url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...headers },
    body: JSON.stringify({
      ...{ model: "sandbox-chat", max_tokens: 20, messages: [{ role: "user", content: "Hello" }] },
      ...body,
    }),
  });
const codeOf = async (answer: Response) =>
  answer.ok ? null : ((await answer.json()) as { error: { code: string } }).error.code;
const usageOf = (callId: string) =>
  vi.waitFor(async () => {
    const [row] = await portal.sql(
      "SELECT exempt, charged::text, routing, attempts, first_byte_ms, latency_ms FROM usage_event WHERE request_id = $1",
      [callId],
    );
    expect(row).toBeDefined();
    return row;
  }, 10_000);
const moved = async (organisationId: number) =>
  Number(
    (
      await portal.sql(
        `SELECT count(*) AS n FROM ledger_entry e JOIN ledger_account a ON a.id = e.account_id
          WHERE a.organisation_id = $1 AND a.kind = 'wallet'`,
        [organisationId],
      )
    )[0].n,
  );

describe("a newcomer without any money", () => {
  test("has an answer of the sandbox, which costs as ever and charges no wallet, and is marked", async () => {
    const { key, browser, person } = await aNewcomer();
    const answer = await call(key);
    expect(answer.status).toBe(200);
    expect(Number(answer.headers.get("x-gw-cost-usd"))).toBeGreaterThan(0);
    const id = answer.headers.get("x-request-id") as string;
    const usage = await usageOf(id);
    expect(usage).toMatchObject({ exempt: true, routing: { notCharged: "sandbox" } });
    expect(Number(usage.charged)).toBeGreaterThan(0);
    expect(await moved(person.organisationId)).toBe(0);
    const page = await (await browser.get(`/dashboard/request-log/${id}`)).text();
    expect(page).toContain("Not charged: the sandbox is free");
    expect(page).not.toContain("Exempt from billing");
    const file = await (await browser.get("/dashboard/request-log/export")).text();
    expect(file.split("\n")[0]).toContain("not_charged");
    expect(file).toContain("sandbox");
  });

  test("is refused for whatever could reach another supplier, first or last", async () => {
    const { key, person } = await aNewcomer();
    for (const name of ["paid", "mixed", "mixed-the-other-way"])
      expect(await codeOf(await call(key, { model: name })), name).toBe("billing_limit_reached");
    expect(await codeOf(await call(key))).toBeNull();
    expect(await moved(person.organisationId)).toBe(0);
  });

  test("is held to the budget of the key, by what calls would cost", async () => {
    const { key, browser, keyId } = await aNewcomer({ budget_limit: "0.0001", budget_period: "monthly" });
    expect(await codeOf(await call(key))).toBeNull();
    expect(await codeOf(await call(key, { max_tokens: 4_000 }))).toBe("budget_exceeded");
    await vi.waitFor(async () => {
      const [row] = await portal.sql(
        `SELECT c.spent::text, c.held::text FROM budget b JOIN budget_counter c ON c.budget_id = b.id
          WHERE b.scope_kind = 'key' AND b.scope_id = $1`,
        [keyId],
      );
      expect(Number(row.spent)).toBeGreaterThan(0);
    });
    expect((await browser.get(`/dashboard/keys/${keyId}`)).status).toBe(200);
  });

  test("repeats a call under its Idempotency-Key, once", async () => {
    const { key, person } = await aNewcomer();
    const headers = { "idempotency-key": "only-once" };
    const [first, second] = [await call(key, {}, headers), await call(key, {}, headers)];
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(await second.text()).toBe(await first.text());
    await usageOf(first.headers.get("x-request-id") as string);
    const rows = await portal.sql("SELECT 1 FROM usage_event WHERE organisation_id = $1", [person.organisationId]);
    expect(rows).toHaveLength(1);
  });

  test("who is suspended is refused, free or not", async () => {
    const { key, person } = await aNewcomer();
    expect((await call(key)).ok).toBe(true);
    const { browser: owner } = await portal.signInAs("owner");
    const suspended = { status: "suspended" };
    const done = await owner.post(`/dashboard/admin/users/${person.userId}/status`, suspended, { json: true });
    expect(done.status).toBe(200);
    await vi.waitFor(async () => expect((await call(key)).ok).toBe(false), 15_000);
  });
});

test("an organisation has so many free calls a minute, of all its keys, and is told when to come again", async () => {
  const newcomer = await aNewcomer();
  const second = await newcomer.browser.post("/dashboard/keys/new", { name: "second" }, { json: true });
  const { key: other } = (await second.json()) as { key: string };
  const answers = await Promise.all(
    Array.from({ length: FREE + 6 }, (_, at) => call(at % 2 === 0 ? newcomer.key : other)),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(FREE);
  const refused = answers.find(({ status }) => status === 429) as Response;
  const wait = Number(refused.headers.get("retry-after"));
  expect(wait).toBeGreaterThan(0);
  expect(wait).toBeLessThanOrEqual(61);
  expect(await codeOf(refused)).toBe("rate_limit_exceeded");
  // Each newcomer has a separate limit.
  expect((await call((await aNewcomer()).key)).status).toBe(200);
});

test("a refused call leaves the allowance as it was", async () => {
  const { key } = await aNewcomer({ budget_limit: "0.0001", budget_period: "monthly" });
  for (let at = 0; at < FREE + 2; at += 1)
    expect(await codeOf(await call(key, { max_tokens: 4_000 }))).toBe("budget_exceeded");
  expect((await call(key)).status).toBe(200);
});

test("a stream is its supplier's until it ends", async () => {
  const { key } = await aNewcomer();
  const content = "Answer with 60 words please.";
  const answer = await call(key, { stream: true, max_tokens: 400, messages: [{ role: "user", content }] });
  await answer.text();
  const {
    attempts,
    first_byte_ms: first,
    latency_ms: all,
  } = await usageOf(answer.headers.get("x-request-id") as string);
  expect(attempts[0].endedMs).toBeGreaterThan(first + 200);
  expect(attempts[0].endedMs).toBeLessThanOrEqual(all);
  expect(all - attempts[0].endedMs).toBeLessThan(attempts[0].endedMs - first);
});

describe("Get started", () => {
  type State = {
    news: string;
    first_request_at: string | null;
    rejected: { code: string; request_id: string; human_message: string; remedy: { kind: string; url: string } } | null;
  };
  const stateOf = async ({ browser }: SignedIn) =>
    (await (await browser.getJson("/dashboard/get-started/state")).json()) as State;

  test("tells a first request that was rejected, why, and the one thing to do; an answer ends that", async () => {
    const newcomer = await aNewcomer();
    expect(await stateOf(newcomer)).toMatchObject({ news: "", rejected: null, first_request_at: null });
    const refused = await call(newcomer.key, { model: "paid" });
    const id = refused.headers.get("x-request-id") as string;
    await vi.waitFor(async () => expect((await stateOf(newcomer)).news).toBe(id), 10_000);
    const { rejected } = await stateOf(newcomer);
    expect(rejected).toMatchObject({ code: "billing_limit_reached", request_id: id });
    expect(rejected?.remedy).toEqual({ kind: "sample", url: "#first-request" });
    const page = await (await newcomer.browser.get("/dashboard/get-started")).text();
    for (const text of ["Your request arrived and was rejected.", "billing_limit_reached", `data-await-known="${id}"`])
      expect(page).toContain(text);
    // The model that the page offers works.
    expect(page).toContain("sandbox-chat");
    const answered = await call(newcomer.key);
    const first = answered.headers.get("x-request-id") as string;
    await vi.waitFor(async () => expect((await stateOf(newcomer)).news).toBe(first), 10_000);
    expect((await stateOf(newcomer)).rejected).toBeNull();
    const after = await (await newcomer.browser.get("/dashboard/get-started")).text();
    expect(after).not.toContain("was rejected");
    expect(after).toContain("the sandbox is free");
    expect(after).toContain(`/dashboard/request-log/${first}`);
  });

  test("tells nobody of a colleague's rejected request", async () => {
    const newcomer = await aNewcomer();
    const colleague = await portal.signInAs("org_admin", { organisationId: newcomer.person.organisationId });
    await call(newcomer.key, { model: "paid" });
    await vi.waitFor(async () => expect((await stateOf(newcomer)).rejected).not.toBeNull(), 10_000);
    expect((await stateOf(colleague)).rejected).toBeNull();
  });

  test("leads from the id of a rejected request to its page with the remedy, and strangers nowhere", async () => {
    const newcomer = await aNewcomer();
    const refused = await call(newcomer.key, { model: "paid" });
    const id = refused.headers.get("x-request-id") as string;
    await vi.waitFor(async () => expect((await stateOf(newcomer)).rejected).not.toBeNull(), 10_000);
    const answer = await newcomer.browser.get(`/dashboard/request-log/${id}`);
    expect(answer.status).toBe(200);
    const page = (await answer.text()).replace(/<!-- -->/g, "");
    for (const text of [
      "Rejected request",
      "Rejected · 403",
      "billing_limit_reached",
      "Balance with credit",
      "Missing",
    ])
      expect(page).toContain(text);
    expect(page).toContain("Nothing was sent to a supplier, and nothing was charged.");
    // No payment processor is set up, so only the operator can add credit.
    expect(page).toContain("Contact the operator");
    const stranger = await aNewcomer();
    expect((await stranger.browser.getJson(`/dashboard/request-log/${id}`)).status).toBe(404);
  });
});

test("every request of a burst has a page by its id, which says which of them it shows", async () => {
  const caller = await aNewcomer();
  const colleague = await portal.signInAs("org_admin", { organisationId: caller.person.organisationId });
  const stranger = await aNewcomer();
  const ask = async () => (await call(caller.key, { model: "no-such-model" })).headers.get("x-request-id") as string;
  const [first, second, third] = [await ask(), await ask(), await ask()];
  const open = async ({ browser }: SignedIn, id: string) => {
    const answer = await browser.get(`/dashboard/request-log/${id}`);
    return { status: answer.status, html: (await answer.text()).replace(/<!-- -->/g, "") };
  };
  await vi.waitFor(async () => expect((await open(caller, third)).html).toContain("One of 3 requests"), 10_000);
  const { html } = await open(caller, third);
  expect(html).toContain(`href="/dashboard/request-log/${first}"`);
  expect(html).toContain('href="/dashboard/models"');
  expect(html).toMatch(new RegExp(`data-copy="http://[^"/]+/dashboard/request-log/${third}"`));
  expect((await open(caller, second)).html).toContain(first);
  expect((await open(caller, first)).html).toContain("This is the first one.");
  const search = await (await caller.browser.getJson(`/dashboard/search?q=${third}`)).json();
  expect((search as { results: { to: string }[] }).results.map(({ to }) => to)).toEqual([
    `/dashboard/request-log/${third}`,
  ]);
  // An id of the same moment that no burst stores: the page lists the bursts that were going on.
  const unknown = `${second.slice(0, 13)}-7abc-8abc-abcdefabcdef`;
  const around = await open(caller, unknown);
  expect(around.status).toBe(200);
  for (const text of ["This request came while these ran", first]) expect(around.html).toContain(text);
  const statuses = async (who: SignedIn) =>
    Promise.all([first, third, unknown].map(async (id) => (await open(who, id)).status));
  expect({ colleague: await statuses(colleague), stranger: await statuses(stranger) }).toEqual({
    colleague: [200, 200, 200],
    stranger: [404, 404, 404],
  });
});
