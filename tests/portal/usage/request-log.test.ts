import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type Browser, type Portal, type SignedIn, startPortal } from "../../support/portal";

let portal: Portal;
const people = {} as Record<"admin" | "departmentAdmin" | "member" | "colleague" | "stranger", SignedIn>;
const keys = {} as Record<"member" | "colleague", { id: number; key: string }>;
type Row = { id: string; request_id: string; user_id: number; model: string; cost: string; error_code: string | null };
let rows: Row[];

beforeAll(async () => {
  portal = await startPortal();
  const [{ id: home }] = await portal.sql("SELECT min(id)::int AS id FROM organisation");
  const away = await portal.addOrganisation("away");
  const departmentId = await portal.addDepartment(home, "Research");
  people.admin = await portal.signInAs("org_admin", { adminMode: true });
  people.departmentAdmin = await portal.signInAs("department_admin", { departmentId, adminMode: true });
  people.member = await portal.signInAs("member", { departmentId });
  people.colleague = await portal.signInAs("member");
  people.stranger = await portal.signInAs("org_admin", { organisationId: away, adminMode: true });
  for (const who of ["member", "colleague"] as const)
    keys[who] = (await (
      await people[who].browser.post("/dashboard/keys/new", { name: `CANARY ${who}` }, { json: true })
    ).json()) as { id: number; key: string };
  for (const model of ["sandbox-chat", "sandbox-chat", "sandbox-messages", "sandbox-fault-500"]) {
    await call(keys.member.key, model);
    if (model !== "sandbox-fault-500") await call(keys.colleague.key, model);
  }
  await vi.waitFor(async () => {
    rows = await portal.sql(
      "SELECT id::text, request_id::text, user_id, model, cost::text, error_code FROM usage_event ORDER BY id DESC",
    );
    expect(rows.length).toBe(7);
  }, 10_000);
}, 120_000);
afterAll(() => portal?.close());

async function call(key: string, model: string): Promise<void> {
  await fetch(`${portal.url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ model, messages: [{ role: "user", content: "Hello" }] }),
  }).then((response) => response.arrayBuffer());
}

/** Returns the ids of the requests on a page, in the form that clients received. */
const linkedOn = (page: string) =>
  [...page.matchAll(/href="\/dashboard\/request-log\/([\da-f-]{36})"/g)].map(([, id]) => id as string);
const idsOn = (page: string) =>
  linkedOn(page).map((linked) => rows.find(({ request_id }) => request_id === linked)?.id ?? linked);
const log = async (browser: Browser, query = "") =>
  idsOn(await (await browser.get(`/dashboard/request-log?${query}`)).text());
const idsOf = (who: SignedIn) => rows.filter(({ user_id }) => user_id === who.person.userId).map(({ id }) => id);

describe("the list", () => {
  test("has what the reader's role reaches, newest first", async () => {
    expect(await log(people.admin.browser)).toEqual(rows.map(({ id }) => id));
    expect(await log(people.departmentAdmin.browser)).toEqual(idsOf(people.member));
    expect(await log(people.member.browser)).toEqual(idsOf(people.member));
    expect(await log(people.colleague.browser)).toEqual(idsOf(people.colleague));
    expect(await log(people.stranger.browser)).toEqual([]);
  });

  test("is narrowed by every filter, and never widened", async () => {
    const { browser } = people.admin;
    const failed = rows.filter(({ model }) => model === "sandbox-fault-500").map(({ id }) => id);
    expect(await log(browser, "outcome=failed")).toEqual(failed);
    expect(await log(browser, `code=${rows.find(({ id }) => id === failed[0])?.error_code}`)).toEqual(failed);
    expect(await log(browser, "model=sandbox-messages")).toHaveLength(2);
    expect(await log(browser, `key=${keys.colleague.id}`)).toEqual(idsOf(people.colleague));
    expect(await log(browser, `user=${people.member.person.userId}`)).toEqual(idsOf(people.member));
    expect(await log(browser, "since=2020-01-01&until=2020-01-02")).toEqual([]);
    expect(await log(browser, "range=24h&least_cost=0")).toHaveLength(7);
    expect(await log(browser, "least_cost=1000")).toEqual([]);
    expect(await log(browser, "outcome=error")).toEqual(failed);
    expect(await log(browser, "most_cost=0")).toEqual(failed);
    expect(await log(browser, "most_cost=1000&most_ms=86400000")).toHaveLength(7);
    const [{ hour }] = await portal.sql(
      "SELECT to_char(date_trunc('hour', max(started_at), 'UTC') AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"') AS hour FROM usage_event",
    );
    const inHour = await portal.sql("SELECT id::text FROM usage_event WHERE started_at >= $1 ORDER BY id DESC", [hour]);
    expect(await log(browser, `hour=${hour}`)).toEqual(inHour.map(({ id }) => id));
    expect(await log(browser, "hour=2020-01-01T00:00:00Z")).toEqual([]);
    expect(await log(people.colleague.browser, `key=${keys.member.id}`)).toEqual([]);
    expect(await log(people.colleague.browser, `user=${people.member.person.userId}`)).toEqual([]);
    const [{ request_id }] = await portal.sql("SELECT request_id FROM usage_event WHERE id = $1", [rows[2]?.id]);
    expect(await log(browser, `request=${request_id}`)).toEqual([rows[2]?.id]);
    expect(await log(people.stranger.browser, `request=${request_id}`)).toEqual([]);
  });

  test.each([
    "least_ms=0",
    "most_cost=1000&model=sandbox-chat",
    "least_cost=0.0000001",
    "outcome=complete",
    "code=none",
  ])("has a chart of the same requests, narrowed by %s", async (query) => {
    const html = await (await people.admin.browser.get(`/dashboard/request-log?range=24h&${query}`)).text();
    const [, figures = ""] = /<caption[^>]*>Requests over time<\/caption>(.*?)<\/table>/s.exec(html) ?? [];
    const counts = [...figures.matchAll(/<td[^>]*>(\d+)<\/td>/g)].map(([, count]) => Number(count));
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(idsOn(html).length);
    expect(idsOn(html).length > 0).toBe(query !== "code=none");
  });

  test("a person is found by name or address, among those that the reader administers", async () => {
    const { email } = people.member.person;
    expect(await log(people.admin.browser, `person=${encodeURIComponent(email)}`)).toEqual(idsOf(people.member));
    expect(await log(people.admin.browser, "person=nobody-of-this-name")).toEqual([]);
    expect(await log(people.stranger.browser, `person=${encodeURIComponent(email)}`)).toEqual([]);
    expect(await log(people.stranger.browser, `person=${people.member.person.userId}`)).toEqual([]);
  });

  test("names what it is narrowed by, only to those whom it shows something", async () => {
    const page = async (who: SignedIn, query: string) =>
      (await (await who.browser.get(`/dashboard/request-log?${query}`)).text()).replace(/<!-- -->/g, "");
    const narrow = `key=${keys.member.id}`;
    expect(await page(people.admin, narrow)).toContain("<b>CANARY member</b>");
    for (const who of [people.colleague, people.stranger])
      expect(await page(who, narrow)).not.toContain("CANARY member");
  });

  test("of days that are over has the same scopes, filters and pages", async () => {
    const old = [rows[1], rows[3], rows[4]].map((row) => row?.id as string);
    const moved = await portal.sql(
      "WITH o AS (SELECT id, started_at FROM usage_event WHERE id = ANY ($1)) UPDATE usage_event u SET started_at = '2026-01-05T10:00Z' FROM o WHERE o.id = u.id RETURNING u.id::text, o.started_at",
      [old],
    );
    const day = "since=2026-01-05&until=2026-01-06";
    expect(await log(people.admin.browser, day)).toEqual(old);
    expect(await log(people.admin.browser, `${day}&after=${old[0]}`)).toEqual(old.slice(1));
    expect(await log(people.member.browser, day)).toEqual(old.filter((id) => idsOf(people.member).includes(id)));
    expect(await log(people.admin.browser, `${day}&key=${keys.colleague.id}`)).toEqual(
      old.filter((id) => idsOf(people.colleague).includes(id)),
    );
    expect(await log(people.stranger.browser, day)).toEqual([]);
    expect(await log(people.admin.browser, "since=2026-01-07&until=2026-01-07")).toEqual([]);
    for (const { id, started_at } of moved)
      await portal.sql("UPDATE usage_event SET started_at = $2 WHERE id = $1", [id, started_at]);
  });

  test("goes on where a page ends", async () => {
    expect(await log(people.admin.browser, `after=${rows[2]?.id}`)).toEqual(rows.slice(3).map(({ id }) => id));
  });

  test("keeps its chart on later pages, whose bars lead to a first page; failures are red in it", async () => {
    const { browser } = people.admin;
    const query = `range=24h&after=${rows[2]?.id}`;
    const html = (await (await browser.get(`/dashboard/request-log?${query}`)).text()).replaceAll("&amp;", "&");
    expect(html).toContain("Requests over time");
    const bars = [...html.matchAll(/<a href="([^"]*)" tabindex="-1".*?fill="([^"]*)"/gs)];
    const failed = bars.find(([, to]) => to?.includes("outcome=error"));
    expect(failed?.[2]).toBe("var(--bad)");
    expect(bars.filter(([, , fill]) => fill === "var(--bad)")).toHaveLength(1);
    expect(bars.filter(([, to]) => to?.includes("after="))).toEqual([]);
  });

  test("is a file of the same requests, with their cost to the nano-dollar", async () => {
    const text = await (await people.admin.browser.get("/dashboard/request-log/export?model=sandbox-chat")).text();
    const [head = "", ...lines] = text.trim().split("\r\n");
    const cost = head.split(",").indexOf("charged_usd");
    const wanted = rows.filter(({ model }) => model === "sandbox-chat");
    expect(lines.map((line) => line.split(",")[0])).toEqual(wanted.map(({ id }) => id));
    expect(lines.map((line) => Math.round(Number(line.split(",")[cost]) * 1e9))).toEqual(
      wanted.map((row) => Number(row.cost)),
    );
  });

  test.each([
    "until=0101-01-26",
    "outcome=maybe",
    "hour=2026-05-01T10:30:00Z",
    "hour=tomorrow",
    "most_ms=-1",
    "request=x",
    "after=x",
    "least_cost=cheap",
    "since=2026-05-02&until=2026-05-01",
  ])("%s is refused", async (query) => {
    expect((await people.admin.browser.getJson(`/dashboard/request-log?${query}`)).status).toBe(422);
  });
});

test("requests in flight are listed and found to those within whose reach they are, and are no file", async () => {
  const made = await people.member.browser.post(
    "/dashboard/keys/new",
    { name: "CANARY in flight", budget_limit: "5", budget_period: "monthly" },
    { json: true },
  );
  const { key } = (await made.json()) as { key: string };
  const client = new AbortController();
  const running = await fetch(`${portal.url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({
      ...{ model: "sandbox-fault-slow", stream: true, max_tokens: 60 },
      messages: [{ role: "user", content: "Hello" }],
    }),
    signal: client.signal,
  });
  const id = running.headers.get("x-request-id");
  const listed = async (who: SignedIn, query = "") =>
    (await (await who.browser.get(`/dashboard/request-log?outcome=in_flight${query}`)).text()).includes(`${id}`);
  const found = async (who: SignedIn) =>
    ((await (await who.browser.getJson(`/dashboard/search?q=${id}`)).json()) as { results: unknown[] }).results.length;
  for (const who of [people.member, people.admin, people.departmentAdmin]) {
    expect(await listed(who)).toBe(true);
    expect(await found(who)).toBe(1);
  }
  for (const who of [people.colleague, people.stranger]) {
    expect(await listed(who, `&user=${people.member.person.userId}`)).toBe(false);
    expect(await found(who)).toBe(0);
  }
  expect(await listed(people.admin, `&user=${people.colleague.person.userId}`)).toBe(false);
  expect(await listed(people.admin, "&model=sandbox-chat")).toBe(false);
  expect((await people.admin.browser.getJson("/dashboard/request-log/export?outcome=in_flight")).status).toBe(422);
  client.abort();
});

describe("requests that were refused before a supplier was called", () => {
  type Burst = { request_id: string; times: number };
  let burst: Burst;
  beforeAll(async () => {
    for (const model of ["no-such-model", "no-such-model", "no-such-model"]) await call(keys.member.key, model);
    await vi.waitFor(async () => {
      const bursts = await portal.sql("SELECT request_id::text, times FROM gateway_refusal");
      expect(bursts.map(({ times }) => times)).toEqual([3]);
      burst = bursts[0] as Burst;
    }, 10_000);
  });
  const page = async (who: SignedIn, query: string) =>
    (await (await who.browser.get(`/dashboard/request-log?outcome=rejected&${query}`)).text()).replace(/<!-- -->/g, "");

  test("are one row a burst, with how many they are and what helps, for whom they are within reach", async () => {
    for (const who of [people.member, people.admin, people.departmentAdmin]) {
      const html = await page(who, "");
      expect(html).toContain("model_not_found");
      expect(html).toContain(`/dashboard/keys/${keys.member.id}#refusals`);
      expect(await page(who, `request=${burst.request_id}`)).toContain("CANARY member");
    }
    for (const who of [people.colleague, people.stranger])
      for (const query of ["", `request=${burst.request_id}`, `key=${keys.member.id}`])
        expect(await page(who, query)).not.toContain("model_not_found");
  });

  test("are counted on the overview, and are a file of their own", async () => {
    const overview = await (await people.member.browser.get("/dashboard")).text();
    expect(overview).toContain("Rejected requests");
    expect(overview).toContain("outcome=rejected");
    expect(await (await people.colleague.browser.get("/dashboard")).text()).not.toContain("model_not_found");
    const file = await people.member.browser.get("/dashboard/request-log/export?outcome=rejected");
    const [head = "", line = ""] = (await file.text()).split("\r\n");
    expect(line.split(",")[head.split(",").indexOf("times")]).toBe("3");
    expect(line).toContain(burst.request_id);
  });

  test("are said to be listed for seven days, where those of days before are counted", async () => {
    expect(await page(people.member, "range=30d")).toContain("appear here for 7 days");
    const day = new Date(Date.now() - 20 * 86_400_000).toISOString().slice(0, 10);
    await portal.sql(
      `INSERT INTO refusal_hour (hour, key_id, code, scope, refusals, last_at)
       VALUES ($1::date + interval '9 hours', $2, 'model_not_found', '', 4, $1::date + interval '9 hours')`,
      [day, keys.member.id],
    );
    const html = await page(people.member, `since=${day}&until=${day}`);
    expect(html).toContain("Details expired (kept 7 days)");
    expect(html).toContain("appear here for 7 days");
    const before = new Date(Date.now() - 25 * 86_400_000).toISOString().slice(0, 10);
    expect(await page(people.member, `since=${before}&until=${before}`)).toContain("No rejected requests");
  });

  test("are told in the reader's language, and what the client was told besides as it was said", async () => {
    const { key } = keys.member;
    const answer = await fetch(`${portal.url}/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ model: "sandbox-chat" }),
    });
    const { error } = (await answer.json()) as { error: { code: string; human_message: string } };
    expect(error.code).toBe("missing_fields");
    const inGerman = async () => {
      const headers = { "accept-language": "de" };
      return (await people.member.browser.fetch("/dashboard/request-log?outcome=rejected", { headers })).text();
    };
    await vi.waitFor(async () => expect(await inGerman()).toContain("missing_fields"), 10_000);
    const german = (await inGerman()).replace(/<!-- -->/g, "");
    expect(german).toContain("Es gibt kein Modell dieses Namens. (no-such-model)");
    expect(german).toContain("Es fehlten erforderliche Felder.");
    expect(german).toContain(`<span lang="en" class="text-ink-3"> ${error.human_message}</span>`);
    expect(await page(people.member, "")).not.toContain("Required fields were missing.");
  });

  test("are found by the search for their id", async () => {
    const found = async (who: SignedIn) =>
      (
        (await (await who.browser.getJson(`/dashboard/search?q=${burst.request_id}`)).json()) as {
          results: { to: string }[];
        }
      ).results;
    expect((await found(people.member)).map(({ to }) => to)).toEqual([`/dashboard/request-log/${burst.request_id}`]);
    expect(await found(people.colleague)).toEqual([]);
  });
});

describe("one request", () => {
  const open = (who: SignedIn, id: string) => who.browser.get(`/dashboard/request-log/${id}`);
  const page = async (who: SignedIn, id: string) => who.browser.follow(await open(who, id));
  const mine = () => idsOf(people.member).at(-1) as string;

  test("says what was held, how its cost comes about, and who answered", async () => {
    const [row] = await portal.sql(
      "SELECT u.cost::text, h.amount::text AS held FROM usage_event u LEFT JOIN hold h ON h.id = u.request_id WHERE u.id = $1",
      [mine()],
    );
    const html = (await (await page(people.member, mine())).text()).replace(/<!-- -->/g, "");
    expect(html).toContain(`$${decimal(row.cost)}`);
    if (row.held !== null) expect(html).toContain(`$${decimal(row.held)}`);
    // Without a hold, neither the held nor the released value is an amount.
    expect(html.match(/No hold needed/g)?.length ?? 0).toBe(row.held === null ? 2 : 0);
    for (const part of ["Paid by", "Exempt from billing: usage is counted"]) expect(html).toContain(part);
    const amountOf = (label: string) => new RegExp(`>${label}</[^$]*(\\$[\\d.]+)`).exec(html)?.[1];
    expect([amountOf("Cost"), amountOf("Charged")]).toEqual([`$${decimal(row.cost)}`, "$0.000000000"]);
    expect(html).toContain("Input tokens");
    expect(html).toContain("per million");
    const amounts = [...html.matchAll(/data-col="amount"[^>]*>(?:<[^>]*>)*(\$[\d.]+)/g)].map(([, amount]) => amount);
    expect(amounts.length).toBeGreaterThan(1);
    for (const amount of amounts) expect(amount, "points stand below each other").toMatch(/\.\d{9,}$/);
    expect(html).toContain("sandbox");
  });

  test("that failed says with what, and that it cost nothing", async () => {
    const failed = rows.find(({ model }) => model === "sandbox-fault-500") as Row;
    const html = await (await page(people.member, failed.id)).text();
    expect(html).toContain(`/api-docs/errors#${failed.error_code}`);
    expect(html).toContain("This request cost nothing.");
  });

  test("of somebody else is like one that does not exist", async () => {
    for (const who of [people.colleague, people.stranger]) {
      const [foreign, missing] = [await page(who, mine()), await page(who, "999999999")];
      expect([foreign.status, missing.status]).toEqual([404, 404]);
      expect(await foreign.text()).not.toContain("CANARY");
    }
    expect((await page(people.departmentAdmin, mine())).status).toBe(200);
    expect((await page(people.departmentAdmin, idsOf(people.colleague)[0] as string)).status).toBe(404);
    expect((await people.member.browser.getJson("/dashboard/request-log/abc")).status).toBe(422);
  });

  test("opens by the id that its client got, for whoever may see it, and is like a missing one for others", async () => {
    const [{ request_id: id }] = await portal.sql("SELECT request_id::text FROM usage_event WHERE id = $1", [mine()]);
    for (const address of [id, id.toUpperCase()]) {
      const html = await (await page(people.member, address)).text();
      for (const text of [id, "data-explained="]) expect(html).toContain(text);
    }
    const byNumber = await open(people.member, mine());
    expect([byNumber.status, byNumber.headers.get("location")]).toEqual([301, `/dashboard/request-log/${id}`]);
    expect((await open(people.colleague, mine())).headers.get("location")).toBeNull();
    const missing = "00000000-0000-4000-8000-00000000dead";
    for (const who of [people.colleague, people.stranger])
      expect([(await page(who, id)).status, (await page(who, missing)).status]).toEqual([404, 404]);
    expect((await page(people.departmentAdmin, id)).status).toBe(200);
    const list = await (await people.member.browser.get("/dashboard/request-log")).text();
    expect(linkedOn(list)).toContain(id);
  });
});

test("a request that its key or the call itself locks to regions has a lock, in the list, on its page and in the file", async () => {
  const { browser } = people.colleague;
  const make = async (fields: object) =>
    (await (await browser.post("/dashboard/keys/new", fields as never, { json: true })).json()) as {
      id: number;
      key: string;
    };
  const locked = await make({ name: "locked", allowed_regions: ["global"] });
  const open = await make({ name: "open" });
  const ask = (key: string, body: object) =>
    fetch(`${portal.url}/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ model: "sandbox-chat", messages: [{ role: "user", content: "Hello" }], ...body }),
    }).then((response) => response.arrayBuffer());
  await ask(locked.key, {});
  await ask(open.key, { region: "global" });
  await ask(open.key, {});
  const file = async (key: number) =>
    (await (await browser.get(`/dashboard/request-log/export?key=${key}`)).text()).trim().split("\r\n").slice(1);
  await vi.waitFor(async () => expect(await file(open.id)).toHaveLength(2), 10_000);
  expect((await file(locked.id)).map((line) => line.split(",").at(-2))).toEqual(["global"]);
  expect((await file(open.id)).map((line) => line.split(",").at(-2))).toEqual(["", "global"]);
  const list = await (await browser.get(`/dashboard/request-log?key=${locked.id}&columns=request-log:supplier`)).text();
  expect(list).toContain('role="img" aria-label="Locked to global"');
  const [id] = idsOn(list);
  expect(await (await browser.get(`/dashboard/request-log/${id}`)).text()).toContain("Locked to global");
  const others = await (await browser.get(`/dashboard/request-log?key=${open.id}&columns=request-log:supplier`)).text();
  expect(others.split("Locked to")).toHaveLength(3);
  for (const page of ["/dashboard/keys", `/dashboard/keys/${locked.id}`])
    expect(await (await browser.get(page)).text()).toContain('aria-label="Locked to global"');
  expect(await (await browser.get(`/dashboard/keys/${open.id}`)).text()).not.toContain("Locked to");
});

const decimal = (nanoUsd: string) => (Number(nanoUsd) / 1e9).toFixed(9);
