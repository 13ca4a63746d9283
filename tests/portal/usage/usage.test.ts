import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type Browser, type Portal, type SignedIn, startPortal } from "../../support/portal";

const ZONES = ["UTC", "Europe/Berlin", "America/New_York", "Asia/Kathmandu", "Australia/Lord_Howe", "Pacific/Apia"];
const DAY_MS = 86_400_000;

let portal: Portal;
let home: number;
const people = {} as Record<"admin" | "departmentAdmin" | "member" | "colleague" | "stranger", SignedIn>;
let memberKey: number;

beforeAll(async () => {
  portal = await startPortal();
  [{ id: home }] = await portal.sql("SELECT min(id)::int AS id FROM organisation");
  const away = await portal.addOrganisation("CANARY-away");
  const departmentId = await portal.addDepartment(home, "Research");
  people.admin = await portal.signInAs("org_admin", { adminMode: true });
  people.departmentAdmin = await portal.signInAs("department_admin", { departmentId, adminMode: true });
  people.member = await portal.signInAs("member", { departmentId, name: "Mira" });
  people.colleague = await portal.signInAs("member");
  people.stranger = await portal.signInAs("org_admin", { organisationId: away, adminMode: true });
  const keys = await Promise.all([people.member, people.colleague].map((who) => createKey(who.browser)));
  memberKey = keys[0]?.id as number;
  const calls = [...Array(7).fill(0), ...Array(5).fill(1)] as number[];
  await Promise.all(
    calls.map((which, index) => call((keys[which] as { key: string }).key, MODELS[index % 2] as string)),
  );
  await vi.waitFor(async () => {
    const [{ n }] = await portal.sql("SELECT count(*)::int AS n FROM usage_event");
    expect(n).toBe(12);
  }, 10_000);
  await spreadOverDays();
}, 120_000);
afterAll(() => portal?.close());

const MODELS = ["sandbox-chat", "sandbox-messages"];

async function createKey(browser: Browser): Promise<{ id: number; key: string }> {
  return (await browser.post("/dashboard/keys/new", { name: "CANARY-key" }, { json: true })).json();
}

async function call(key: string, model: string): Promise<void> {
  const response = await fetch(`${portal.url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ model, messages: [{ role: "user", content: `Hello ${Math.random()}` }] }),
  });
  expect(response.status).toBe(200);
}

/** Moves today's calls to different days, in the usage rows and in the hourly sums. */
async function spreadOverDays(): Promise<void> {
  await portal.sql("ALTER TABLE usage_event DISABLE TRIGGER ALL; ALTER TABLE usage_hour DISABLE TRIGGER ALL");
  await portal.sql(`UPDATE usage_event SET started_at = started_at - (id % 9) * interval '29 hours 47 minutes'`);
  const sums = [
    "input_tokens",
    "cached_input_tokens",
    "cache_write_tokens",
    "output_tokens",
    "reasoning_tokens",
    "cost",
  ];
  const columns = [...sums, "charged", "latency_ms"];
  await portal.sql(`DELETE FROM usage_hour`);
  await portal.sql(
    `INSERT INTO usage_hour (organisation_id, hour, key_id, user_id, department_id, project_id, model, supplier, region, requests,
       errors, failovers, routed, saved, first_byte_ms, first_bytes, ${columns.join(", ")})
     SELECT organisation_id, date_trunc('hour', started_at, 'UTC'), key_id, coalesce(user_id, 0), coalesce(department_id, 0),
            coalesce(project_id, 0), model, supplier, region, count(*), 0, 0, 0, 0, sum(coalesce(first_byte_ms, 0)),
            count(first_byte_ms), ${columns.map((name) => `sum(${name})`).join(", ")}
       FROM usage_event GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9`,
  );
}

type Answer = {
  total: { requests: number; charged_usd: number };
  bins: { start: string; requests: number; charged_usd: number }[];
  groups: { id: number | string | null; name: string | null; requests: number; charged_usd: number }[];
  series: { id: number | string; bins: { charged_usd: number }[] }[];
};
const ask = async (browser: Browser, query: string, path = "/dashboard/api/usage"): Promise<Answer> => {
  const response = await browser.getJson(`${path}?${query}`);
  expect(response.status, query).toBe(200);
  return response.json() as Promise<Answer>;
};
const nano = (usd: number | string) => Math.round(Number(usd) * 1e9);
const add = (values: readonly (number | string)[]) => values.reduce((sum: number, value) => sum + nano(value), 0);
const dateOf = (at: number) => new Date(at).toISOString().slice(0, 10);

async function csvOf(browser: Browser, query: string): Promise<Record<string, string>[]> {
  const text = await (await browser.get(`/dashboard/usage/export?${query}`)).text();
  const [head = "", ...lines] = text.trim().split("\r\n");
  const names = head.split(",");
  return lines.map((line) => Object.fromEntries(line.split(",").map((cell, index) => [names[index], cell])));
}

describe("one number everywhere", () => {
  test.each(ZONES)("%s: answer, chart, table, file and ledger say the same, whatever is filtered", async (timeZone) => {
    const { admin } = people;
    await portal.sql("UPDATE app_user SET time_zone = $1 WHERE id = $2", [timeZone, admin.person.userId]);
    const days = `since=${dateOf(Date.now() - 20 * DAY_MS)}&until=${dateOf(Date.now() + DAY_MS)}&tz=local`;
    for (const filter of ["", `&key=${memberKey}`, "&model=sandbox-chat", "&region=nowhere"]) {
      for (const group of ["model", "key", "user", "department", "region"]) {
        const query = `${days}&group=${group}${filter}`;
        const answer = await ask(admin.browser, query);
        const file = await csvOf(admin.browser, query);
        const all = nano(answer.total.charged_usd);
        expect([add(answer.bins.map((bin) => bin.charged_usd)), query]).toEqual([all, query]);
        expect(add(answer.groups.map((each) => each.charged_usd))).toBe(all);
        expect(add(answer.series.flatMap(({ bins }) => bins.map((bin) => bin.charged_usd)))).toBe(all);
        expect(add(file.map((line) => line.charged_usd as string))).toBe(all);
        expect(file.reduce((sum, line) => sum + Number(line.requests), 0)).toBe(answer.total.requests);
      }
    }
    const [{ booked }] = await portal.sql(
      `SELECT sum(e.amount)::text AS booked FROM ledger_entry e JOIN ledger_account a ON a.id = e.account_id
        WHERE a.kind IN ('revenue', 'exempt_usage')`,
    );
    const { total } = await ask(admin.browser, days);
    expect([nano(total.charged_usd), total.requests]).toEqual([Number(booked), 12]);
  });

  test("days begin at midnight where the reader is", async () => {
    const { browser, person } = people.admin;
    await portal.sql("UPDATE app_user SET time_zone = 'Pacific/Apia' WHERE id = $1", [person.userId]);
    const { bins } = await ask(browser, "since=2026-04-01&until=2026-04-07&tz=local");
    // Midnight in Apia (UTC+13).
    expect(bins.map(({ start }) => start.slice(0, 16))).toEqual(
      Array.from({ length: 7 }, (_, day) => `${dateOf(Date.UTC(2026, 2, 31 + day))}T11:00`),
    );
    const hourly = await ask(browser, "since=2026-04-01&tz=utc");
    expect([hourly.bins.length, hourly.bins[0]?.start]).toEqual([24, "2026-04-01T00:00:00.000Z"]);
  });

  test("the page shows them, and a row leads to its group alone", async () => {
    const { browser } = people.admin;
    const page = await (await browser.get("/dashboard/usage?group=user")).text();
    expect(page).toContain("Mira");
    expect(page).toContain(`group=model&amp;user=${people.member.person.userId}`);
  });
});

describe("whose usage", () => {
  test("each sees what their role reaches", async () => {
    const requests = async (who: SignedIn) => (await ask(who.browser, "range=30d")).total.requests;
    expect(await requests(people.admin)).toBe(12);
    expect(await requests(people.departmentAdmin)).toBe(7);
    expect(await requests(people.member)).toBe(7);
    expect(await requests(people.colleague)).toBe(5);
    expect(await requests(people.stranger)).toBe(0);
  });

  test("a filter narrows and never widens", async () => {
    const { browser } = people.colleague;
    for (const filter of [`key=${memberKey}`, `user=${people.member.person.userId}`, `organisation=${home}&model=x`]) {
      expect((await ask(browser, filter)).total.requests, filter).toBe(0);
      const page = await (await browser.get(`/dashboard/usage?${filter}`)).text();
      expect(page).not.toContain("CANARY-key");
    }
  });

  test("an administrator reads one person's, within what they govern", async () => {
    const path = "/dashboard/admin/api/usage";
    const of = (who: SignedIn) => `user_id=${who.person.userId}`;
    const { browser } = people.departmentAdmin;
    expect((await ask(browser, of(people.member), path)).total.requests).toBe(7);
    for (const refused of [of(people.colleague), of(people.stranger), "user_id=1999999999"])
      expect((await browser.getJson(`${path}?${refused}`)).status).toBe(404);
    expect((await people.stranger.browser.getJson(`${path}?${of(people.member)}`)).status).toBe(404);
    expect((await people.member.browser.getJson(`${path}?${of(people.member)}`)).status).toBe(403);
    expect((await browser.getJson(path)).status).toBe(422);
  });

  test("the administration's chart is of everybody below", async () => {
    const response = await people.admin.browser.getJson("/dashboard/admin/api/dashboard?range=30d");
    const answer = (await response.json()) as Answer & { users: { name: string; requests: number }[] };
    expect(answer.total.requests).toBe(12);
    expect(answer.users.find(({ name }) => name === "Mira")?.requests).toBe(7);
    expect((await people.member.browser.getJson("/dashboard/admin/api/dashboard")).status).toBe(403);
  });
});

describe("rejected requests", () => {
  const days = "range=7d";
  let rejected: { key: string; id: number };

  beforeAll(async () => {
    rejected = await createKey(people.colleague.browser);
    for (let call = 0; call < 3; call += 1) {
      const response = await fetch(`${portal.url}/v1/chat/completions`, {
        method: "POST",
        headers: { authorization: `Bearer ${rejected.key}`, "content-type": "application/json" },
        body: JSON.stringify({ model: "nobody-serves-this", messages: [{ role: "user", content: "Hello" }] }),
      });
      expect(response.status).toBe(404);
    }
    await vi.waitFor(async () => {
      const [{ n }] = await portal.sql("SELECT coalesce(sum(refusals), 0)::int AS n FROM refusal_hour");
      expect(n).toBe(3);
    }, 10_000);
  }, 60_000);

  type Counted = { rejections: number | null };
  type WithRejections = {
    total: Counted & { requests: number };
    bins: Counted[];
    groups: (Counted & { id: number | null; requests: number })[];
    rejection_codes: { code: string; rejections: number }[] | null;
  };
  const read = async (browser: Browser, query: string) => (await ask(browser, query)) as unknown as WithRejections;
  const sum = (rows: readonly Counted[]) => rows.reduce((all, { rejections }) => all + (rejections ?? 0), 0);

  test.each(["key", "user", "department", "project"])("are counted by %s, in answer and file alike", async (group) => {
    const query = `${days}&group=${group}`;
    const answer = await read(people.admin.browser, query);
    expect([answer.total.rejections, sum(answer.bins), sum(answer.groups)]).toEqual([3, 3, 3]);
    expect(answer.rejection_codes).toEqual([{ code: expect.any(String), rejections: 3 }]);
    const file = await csvOf(people.admin.browser, query);
    expect(file.reduce((all, line) => all + Number(line.rejections), 0)).toBe(3);
    expect(file.reduce((all, line) => all + Number(line.requests), 0)).toBe(answer.total.requests);
  });

  test("a key of which everything was rejected has a row of its own, which leads to them", async () => {
    const { groups } = await read(people.admin.browser, `${days}&group=key`);
    expect(groups.find(({ id }) => id === rejected.id)).toMatchObject({ requests: 0, rejections: 3 });
    const page = await (await people.admin.browser.get(`/dashboard/usage?${days}&group=key`)).text();
    expect(page).toMatch(new RegExp(`/dashboard/request-log\\?[^"]*key=${rejected.id}&amp;outcome=rejected`));
  });

  test("show by reason over time, also where nothing else was", async () => {
    const page = await (
      await people.colleague.browser.get(`/dashboard/usage?${days}&metric=rejections&key=${rejected.id}`)
    ).text();
    expect(page).toContain("Rejected requests by reason and time");
  });

  test("nobody counts them by model, supplier or region, and nobody says zero", async () => {
    const byModel = await read(people.admin.browser, `${days}&group=model`);
    expect([byModel.total.rejections, sum(byModel.bins)]).toEqual([3, 3]);
    expect(byModel.groups.map(({ rejections }) => rejections)).toEqual(byModel.groups.map(() => null));
    const narrowed = await read(people.admin.browser, `${days}&model=sandbox-chat`);
    expect([narrowed.total.rejections, narrowed.rejection_codes]).toEqual([null, null]);
    const [line] = await csvOf(people.admin.browser, `${days}&model=sandbox-chat`);
    expect(line?.rejections).toBe("");
    const page = await people.admin.browser.get(`/dashboard/usage?${days}&model=sandbox-chat&metric=rejections`);
    expect(await page.text()).toContain("Rejections are not counted by model, supplier or region");
  });

  test("are those of whom somebody sees", async () => {
    const total = async (who: SignedIn) => (await read(who.browser, days)).total.rejections;
    expect(await total(people.colleague)).toBe(3);
    expect([await total(people.member), await total(people.stranger), await total(people.departmentAdmin)]).toEqual([
      0, 0, 0,
    ]);
    expect((await read(people.member.browser, `${days}&key=${rejected.id}&group=key`)).groups).toEqual([]);
  });
});

test("the page says when all usage was compared with the ledger, and what came out", async () => {
  const text = async () => (await people.member.browser.get("/dashboard/usage")).text();
  await portal.sql("DELETE FROM audit_run");
  expect(await text()).toContain("Not compared with the ledger yet.");
  const run = (defects: string, at: string) =>
    portal.sql(
      `INSERT INTO audit_run (started_at, finished_at, defects, clearing, credited, charged_cents, returned_cents, processor)
       VALUES ($1, $1, $2::jsonb, 0, 0, 0, 0, 'none')`,
      [at, defects],
    );
  await run("[]", "2026-05-02T03:04:00Z");
  expect(await text()).toMatch(/All usage was compared with the ledger on .*2026.* \(UTC\): equal to the nano-dollar/);
  await run('[{"defect":"usage_sum","subject":"CANARY","detail":"x"}]', "2026-05-02T04:04:00Z");
  const different = await text();
  expect(different).toMatch(/The comparison of all usage with the ledger on .* found differences/);
  expect(different).not.toContain("CANARY");
});

test.each([
  "since=2026-05-02&until=2026-05-01",
  "since=2024-01-01&until=2026-01-01",
  "since=tomorrow",
  "until=0101-01-26",
  "since=9999-12-31",
  "key=x",
  "metric=y",
])("%s is refused with the field that is wrong", async (query) => {
  const response = await people.member.browser.getJson(`/dashboard/api/usage?${query}`);
  expect(response.status).toBe(422);
});

test("the page lists the dearest 25 and sums up the others in one line, which leads to all of them", async () => {
  await portal.sql(`
    INSERT INTO usage_hour SELECT (jsonb_populate_record(NULL::usage_hour, to_jsonb(h) || jsonb_build_object('key_id', n))).*
      FROM (SELECT * FROM usage_hour WHERE charged > 0 ORDER BY hour DESC LIMIT 1) h, generate_series(9001, 9040) n`);
  const listed = async (more: string) => {
    const html = await (await people.admin.browser.get(`/dashboard/usage?group=key&range=30d${more}`)).text();
    const table = html.slice(html.indexOf('data-table="usage"'));
    const body = table.slice(table.indexOf("<tbody>"), table.indexOf("</tbody>"));
    const total = /<tfoot>.*?data-col="spend"[^>]*>(.*?)<\/td>/.exec(table)?.[1];
    return {
      rows: body.split("<tr").length - 1,
      link: /href="[^"]*groups=all[^"]*"[^>]*>(\d+) more</.exec(body)?.[1],
      total,
    };
  };
  const [some, all] = [await listed(""), await listed("&groups=all")];
  expect(all.rows).toBeGreaterThan(40);
  expect(all.link).toBeUndefined();
  expect(some).toEqual({ rows: 26, link: String(all.rows - 25), total: all.total });
});
