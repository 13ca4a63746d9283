import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type Portal, type SignedIn, startPortal } from "../../support/portal";

// Days with a change of daylight saving time in one of the zones, and days between them.
const ZONES = ["UTC", "Europe/Berlin", "America/New_York", "Asia/Kathmandu", "Australia/Lord_Howe", "Pacific/Apia"];
const [SINCE, UNTIL] = ["2026-03-07", "2026-04-06"];
const CHANGES = ["2026-03-08T05:00Z", "2026-03-29T00:00Z", "2026-04-04T13:30Z"];
const CALLS = 30;
const GROUPS = ["model", "key", "user", "department", "project", "supplier", "region"];

type Row = { started_at: Date; model: string; supplier: string; project_id: number | null; charged: string };
type Sum = { start: string; requests: number; charged_usd: number };
type Answer = {
  total: Sum;
  bins: Sum[];
  groups: { id: number | string | null; requests: number; charged_usd: number }[];
  series: { id: number | string | null; bins: Sum[] }[];
};

let portal: Portal;
let admin: SignedIn;
let project: number;
let rows: Row[];

beforeAll(async () => {
  portal = await startPortal();
  admin = await portal.signInAs("org_admin", { adminMode: true });
  const { key } = await (await admin.browser.post("/dashboard/keys/new", { name: "Days" }, { json: true })).json();
  const call = async (at: number) => {
    const response = await fetch(`${portal.url}/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({
        model: at % 2 === 0 ? "sandbox-chat" : "sandbox-messages",
        messages: [{ role: "user", content: `Hello ${"again ".repeat(at)}` }],
      }),
    });
    expect(response.status).toBe(200);
  };
  await Promise.all(Array.from({ length: CALLS }, (_, at) => call(at)));
  await vi.waitFor(async () => {
    const [{ n }] = await portal.sql("SELECT count(*)::int AS n FROM usage_event");
    expect(n).toBe(CALLS);
  }, 10_000);
  [{ id: project }] = await portal.sql(
    "INSERT INTO project (organisation_id, name) SELECT min(id), 'Days' FROM organisation RETURNING id",
  );
  await spread();
  rows = await portal.sql("SELECT started_at, model, supplier, project_id, charged::text FROM usage_event");
}, 120_000);
afterAll(() => portal?.close());

/**
 * Creates ten calls around each clock change, 53 minutes apart, in usage rows and in hourly sums. Some are of a
 * project and some of another supplier.
 */
async function spread(): Promise<void> {
  await portal.sql("ALTER TABLE usage_event DISABLE TRIGGER ALL; ALTER TABLE usage_hour DISABLE TRIGGER ALL");
  await portal.sql(
    `UPDATE usage_event u SET started_at = ($1::timestamptz[])[1 + n % 3] + (n / 3 - 5) * interval '53 minutes',
            project_id = CASE WHEN n % 4 = 0 THEN $2::integer END, supplier = CASE WHEN n % 5 = 0 THEN 'another' ELSE u.supplier END
       FROM (SELECT id, (row_number() OVER (ORDER BY id) - 1)::integer AS n FROM usage_event) p WHERE p.id = u.id`,
    [CHANGES, project],
  );
  const sums = ["input_tokens", "cached_input_tokens", "cache_write_tokens", "output_tokens", "reasoning_tokens"];
  const columns = [...sums, "cost", "charged", "latency_ms"];
  await portal.sql("DELETE FROM usage_hour");
  await portal.sql(
    `INSERT INTO usage_hour (organisation_id, hour, key_id, user_id, department_id, project_id, model, supplier, region, requests,
       errors, failovers, routed, saved, first_byte_ms, first_bytes, ${columns.join(", ")})
     SELECT organisation_id, date_trunc('hour', started_at, 'UTC'), key_id, coalesce(user_id, 0), coalesce(department_id, 0),
            coalesce(project_id, 0), model, supplier, region, count(*), 0, 0, 0, 0, sum(coalesce(first_byte_ms, 0)),
            count(first_byte_ms), ${columns.map((name) => `sum(${name})`).join(", ")}
       FROM usage_event GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9`,
  );
  await portal.sql("UPDATE usage_days SET closed_before = date_trunc('day', now(), 'UTC')");
  await portal.sql("DO $$ BEGIN WHILE usage_add_up_next() LOOP NULL; END LOOP; END $$");
}

const nano = (usd: number | string) => Math.round(Number(usd) * 1e9);
const add = (sums: readonly { charged_usd: number | string }[]) =>
  sums.reduce((total, { charged_usd }) => total + nano(charged_usd), 0);
const charged = (some: readonly Row[]) => some.reduce((total, row) => total + Number(row.charged), 0);

async function csvOf(query: string): Promise<{ charged_usd: string; requests: string }[]> {
  const text = await (await admin.browser.get(`/dashboard/usage/export?${query}`)).text();
  const [head = "", ...lines] = text.trim().split("\r\n");
  const names = head.split(",");
  return lines.map((line) => Object.fromEntries(line.split(",").map((cell, at) => [names[at], cell])) as never);
}

test.each(ZONES)(
  "%s: on days of 23 to 25 hours answer, chart, table, file and rows agree, by every group",
  async (timeZone) => {
    await portal.sql("UPDATE app_user SET time_zone = $1 WHERE id = $2", [timeZone, admin.person.userId]);
    const day = new Intl.DateTimeFormat("sv-SE", { timeZone });
    const filters: [string, (row: Row) => boolean][] = [
      ["", () => true],
      [`&project=${project}`, ({ project_id }) => project_id === project],
      ["&supplier=another", ({ supplier }) => supplier === "another"],
      [
        `&supplier=another&project=${project}&model=sandbox-chat`,
        (row) => row.supplier === "another" && row.project_id === project && row.model === "sandbox-chat",
      ],
    ];
    for (const [filter, matches] of filters) {
      const matching = rows.filter(matches);
      for (const group of GROUPS) {
        const query = `since=${SINCE}&until=${UNTIL}&tz=local&group=${group}${filter}`;
        const response = await admin.browser.getJson(`/dashboard/api/usage?${query}`);
        expect(response.status, query).toBe(200);
        const answer = (await response.json()) as Answer;
        const all = charged(matching);
        expect([query, nano(answer.total.charged_usd), answer.total.requests]).toEqual([query, all, matching.length]);
        expect([query, add(answer.bins)]).toEqual([query, all]);
        expect([query, add(answer.groups)]).toEqual([query, all]);
        expect([query, add(answer.series.flatMap(({ bins }) => bins))]).toEqual([query, all]);
        const file = await csvOf(query);
        expect([query, add(file)]).toEqual([query, all]);
        expect(file.reduce((sum, { requests }) => sum + Number(requests), 0)).toBe(matching.length);
        for (const bin of answer.bins) {
          const own = matching.filter(({ started_at }) => day.format(started_at) === day.format(new Date(bin.start)));
          expect([query, bin.start, nano(bin.charged_usd), bin.requests]).toEqual([
            query,
            bin.start,
            charged(own),
            own.length,
          ]);
        }
      }
    }
    const [{ booked }] = await portal.sql(
      `SELECT sum(e.amount)::text AS booked FROM ledger_entry e JOIN ledger_account a ON a.id = e.account_id
      WHERE a.kind IN ('revenue', 'exempt_usage')`,
    );
    expect(charged(rows)).toBe(Number(booked));
  },
);

test("the groups of project and supplier have the calls of each", async () => {
  const sumsOf = async (group: string) => {
    const query = `since=${SINCE}&until=${UNTIL}&group=${group}`;
    const { groups } = (await (await admin.browser.getJson(`/dashboard/api/usage?${query}`)).json()) as Answer;
    return new Map(groups.map(({ id, requests, charged_usd }) => [id, [requests, nano(charged_usd)]]));
  };
  const own = rows.filter(({ project_id }) => project_id === project);
  expect((await sumsOf("project")).get(project)).toEqual([own.length, charged(own)]);
  const another = rows.filter(({ supplier }) => supplier === "another");
  expect((await sumsOf("supplier")).get("another")).toEqual([another.length, charged(another)]);
});
