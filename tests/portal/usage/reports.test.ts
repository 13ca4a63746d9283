import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type Browser, type Portal, type SignedIn, startPortal } from "../../support/portal";

const ZONES = ["UTC", "Europe/Berlin", "America/New_York", "Asia/Kathmandu", "Australia/Lord_Howe", "Pacific/Apia"];
const REPORTS = "/dashboard/reports";

let portal: Portal;
const people = {} as Record<"admin" | "member" | "colleague" | "away" | "stranger", SignedIn>;

beforeAll(async () => {
  portal = await startPortal();
  const [{ id: home }] = await portal.sql("SELECT min(id)::int AS id FROM organisation");
  const departmentId = await portal.addDepartment(home, "Research");
  const away = await portal.addOrganisation("Away");
  people.admin = await portal.signInAs("org_admin", { adminMode: true });
  people.member = await portal.signInAs("member", { departmentId });
  people.colleague = await portal.signInAs("member", { departmentId });
  people.away = await portal.signInAs("member");
  people.stranger = await portal.signInAs("org_admin", { organisationId: away, adminMode: true });
  for (const [who, model] of [
    ["member", "=SUM(1)"],
    ["colleague", "sandbox-chat"],
  ] as const) {
    const made = await people[who].browser.post("/dashboard/keys/new", { name: "k" }, { json: true });
    const { key } = (await made.json()) as { key: string };
    for (let calls = 0; calls < 3; calls += 1) await call(key);
    await vi.waitFor(async () => expect(await callsOf(people[who])).toBe(3), 10_000);
    await rename(people[who].person.userId, model);
  }
}, 120_000);
afterAll(() => portal?.close());

async function call(key: string): Promise<void> {
  const response = await fetch(`${portal.url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "sandbox-chat", messages: [{ role: "user", content: `Hello ${Math.random()}` }] }),
  });
  expect(response.status).toBe(200);
}

const callsOf = async ({ person }: SignedIn): Promise<number> =>
  (await portal.sql("SELECT count(*)::int AS n FROM usage_event WHERE user_id = $1", [person.userId]))[0].n;

/** Renames the model of a person's calls, in both tables from which reports read sums. */
async function rename(userId: number, model: string): Promise<void> {
  await portal.sql("ALTER TABLE usage_event DISABLE TRIGGER ALL; ALTER TABLE usage_hour DISABLE TRIGGER ALL");
  for (const table of ["usage_event", "usage_hour"])
    await portal.sql(`UPDATE ${table} SET model = $2 WHERE user_id = $1`, [userId, model]);
  await portal.sql("ALTER TABLE usage_event ENABLE TRIGGER ALL; ALTER TABLE usage_hour ENABLE TRIGGER ALL");
}

const post = (browser: Browser, path: string, body: Record<string, string> = {}) =>
  browser.post(path, body, { json: true });

async function save(browser: Browser, body: Record<string, string>): Promise<number> {
  const response = await post(browser, REPORTS, body);
  expect(response.status, await response.clone().text()).toBe(200);
  return (await response.json()).id;
}

type Report = { name: string; version: number; total: Record<string, number>; rows: Record<string, string | number>[] };
const read = async (browser: Browser, id: number): Promise<Report> =>
  (await browser.getJson(`/dashboard/api/reports/${id}`)).json();
const statusFor = async (who: SignedIn, id: number) =>
  (await who.browser.getJson(`/dashboard/api/reports/${id}`)).status;

describe("a saved report", () => {
  test("answers the same in its page, its JSON and its file as the usage page and the ledger, in six time zones", async () => {
    const { browser } = people.admin;
    const [{ charged, requests }] = await portal.sql(
      "SELECT sum(charged)::text AS charged, count(*)::int AS requests FROM usage_event WHERE organisation_id = 1",
    );
    for (const zone of ZONES)
      for (const interval of ["total", "day", "hour"]) {
        const question = `range=30d&zone=${zone}&interval=${interval}&group=user&charged_usd=on&requests=on`;
        const id = await save(browser, { name: `${zone} ${interval}`, question });
        const { rows, total } = await read(browser, id);
        const nano = (usd: string | number | undefined) => Math.round(Number(usd) * 1e9);
        const sum = (field: string) => rows.reduce((all, row) => all + nano(row[field]), 0);
        expect([sum("charged_usd"), nano(total.charged_usd)]).toEqual([Number(charged), Number(charged)]);
        expect([sum("requests") / 1e9, total.requests]).toEqual([requests, requests]);
        const file = await (await browser.get(`${REPORTS}/${id}/export`)).text();
        const [header, ...lines] = file
          .trim()
          .split("\r\n")
          .map((line) => line.split(","));
        const column = header?.indexOf("charged_usd") as number;
        expect(lines.reduce((all, line) => all + nano(line[column]), 0)).toBe(Number(charged));
        expect(await (await browser.get(`${REPORTS}/${id}/view`)).text()).toContain(`${zone} ${interval}`);
      }
    const usage = await (await browser.getJson("/dashboard/api/usage?range=30d")).json();
    expect(Math.round(usage.total.charged_usd * 1e9)).toBe(Number(charged));
  });

  test("is opened in the builder, whose address is its question", async () => {
    const { browser } = people.member;
    const id = await save(browser, { name: "Opened", question: "requests=on&group=key&range=7d&after=3&nonsense=1" });
    const response = await browser.get(`${REPORTS}/${id}/open`);
    expect(response.status).toBe(303);
    const location = response.headers.get("location") as string;
    expect(location).toBe("/dashboard/reports?range=7d&group=key&requests=on");
    const page = await (await browser.get(location)).text();
    expect(page).toContain('<option value="key" selected="">');
    const plain = await save(browser, { name: "All as it comes" });
    expect((await browser.get(`${REPORTS}/${plain}/open`)).headers.get("location")).toBe("/dashboard/reports");
  });

  test("runs no formula of its rows in a spreadsheet", async () => {
    const { browser } = people.member;
    const id = await save(browser, { name: "Formula", question: "group=model&requests=on" });
    expect(await (await browser.get(`${REPORTS}/${id}/export`)).text()).toContain("'=SUM(1),'=SUM(1),3");
  });

  test("is shared as a question: its readers see what they may see, and nobody else finds it", async () => {
    const question = "group=user&requests=on&charged_usd=on";
    const id = await save(people.admin.browser, { name: "Everybody", visibility: "organisation", question });
    expect((await read(people.admin.browser, id)).rows).toHaveLength(2);
    const mine = await read(people.member.browser, id);
    expect(mine.rows.map(({ user, requests }) => [user, requests])).toEqual([[people.member.person.userId, 3]]);
    expect((await read(people.away.browser, id)).rows).toEqual([]);
    expect(await statusFor(people.stranger, id)).toBe(404);
    const team = await save(people.member.browser, { name: "Team", visibility: "department", question });
    const own = await save(people.member.browser, { name: "Own", question });
    const { member, colleague, away, admin } = people;
    const seen = async (report: number) =>
      Promise.all([member, colleague, away, admin].map((who) => statusFor(who, report)));
    expect(await seen(team)).toEqual([200, 200, 404, 404]);
    expect(await seen(own)).toEqual([200, 404, 404, 404]);
    const filter = await save(colleague.browser, { name: "Theirs", question: `user=${member.person.userId}` });
    expect((await read(colleague.browser, filter)).total.requests).toBe(0);
  });

  test("that is shared with a department which is deleted is its owner's alone", async () => {
    const [{ id: home }] = await portal.sql("SELECT min(id)::int AS id FROM organisation");
    const departmentId = await portal.addDepartment(home, `Gone ${Math.random()}`);
    const person = await portal.signInAs("member", { departmentId });
    const id = await save(person.browser, { name: "Of a department", visibility: "department" });
    await portal.sql("UPDATE app_user SET department_id = NULL WHERE department_id = $1", [departmentId]);
    await portal.sql("DELETE FROM department WHERE id = $1", [departmentId]);
    expect(await read(person.browser, id)).toMatchObject({
      name: "Of a department",
      visibility: "private",
      version: 2,
    });
  });

  test("is renamed and deleted by its owner, and by an organisation admin where it is shared", async () => {
    const { admin, member, colleague, stranger } = people;
    const shared = await save(member.browser, { name: "Shared", visibility: "organisation" });
    const own = await save(member.browser, { name: "Private" });
    const change = async (who: SignedIn, id: number, body: Record<string, string>) =>
      (await post(who.browser, `${REPORTS}/${id}/rename`, body)).status;
    expect(await change(colleague, shared, { name: "x" })).toBe(404);
    expect(await change(stranger, shared, { name: "x" })).toBe(404);
    expect(await change(admin, own, { name: "x" })).toBe(404);
    expect(await change(admin, shared, { name: "Weekly", version: "1" })).toBe(200);
    expect(await change(member, shared, { name: "Late", version: "1" })).toBe(409);
    expect(await change(member, shared, { name: "private" })).toBe(409);
    expect(await read(member.browser, shared)).toMatchObject({ name: "Weekly", version: 2 });
    for (const who of [colleague, stranger])
      expect((await post(who.browser, `${REPORTS}/${shared}/delete`)).status).toBe(404);
    expect((await post(admin.browser, `${REPORTS}/${shared}/delete`)).status).toBe(200);
    expect(await statusFor(member, shared)).toBe(404);
  });

  test("has a name of its own, also when the same is saved at once", async () => {
    const { browser } = people.colleague;
    const tries = Array.from({ length: 8 }, () => post(browser, REPORTS, { name: "Once" }));
    const statuses = (await Promise.all(tries)).map(({ status }) => status).sort();
    expect(statuses).toEqual([200, ...Array(7).fill(409)]);
  });

  test.each([
    [{ name: "" }],
    [{ name: "Zone", question: "zone=Nowhere/Land" }],
    [{ name: "Order", question: "since=2026-02-01&until=2026-01-01" }],
    [{ name: "Hours", question: "since=2026-01-01&until=2026-12-01&interval=hour" }],
    [{ name: "Long", question: `model=${"m".repeat(3_000)}` }],
    [{ name: "Group", question: "group=password" }],
    [{ name: "Nobody", visibility: "department" }],
    [{ name: "Field", user_id: "1" }],
  ])("is refused as %j", async (body) => {
    const response = await post(people.away.browser, REPORTS, body as Record<string, string>);
    expect(response.status).toBeGreaterThanOrEqual(400);
    expect(response.status).toBeLessThan(500);
    expect((await people.away.browser.get(REPORTS)).status).toBe(200);
  });

  test("goes along with its owner as a private one, and is gone with them", async () => {
    const leaver = await portal.signInAs("member");
    const id = await save(leaver.browser, { name: "Leaver’s", visibility: "organisation" });
    expect(await statusFor(people.away, id)).toBe(200);
    const { userId } = leaver.person;
    await portal.sql("UPDATE app_user SET organisation_id = $2 WHERE id = $1", [
      userId,
      await portal.addOrganisation("Elsewhere"),
    ]);
    expect(await statusFor(people.away, id)).toBe(404);
    expect(await portal.sql("SELECT visibility FROM saved_report WHERE id = $1", [id])).toEqual([
      { visibility: "private" },
    ]);
    await portal.sql("UPDATE app_user SET status = 'deleted' WHERE id = $1", [userId]);
    expect(await portal.sql("SELECT id FROM saved_report WHERE id = $1", [id])).toEqual([]);
  });
});

test("the builder shows its result for whatever its address asks, and keeps a form that was refused", async () => {
  const { browser } = people.member;
  const page = await (await browser.get(`${REPORTS}?group=none&interval=day&output_tokens=on`)).text();
  expect(page).toContain("Output tokens");
  expect(page).toContain('value="group=none&amp;interval=day&amp;output_tokens=on"');
  const refused = await browser.post(REPORTS, { name: "", question: "group=key" });
  expect(refused.status).toBe(422);
  expect(await refused.text()).toContain('value="group=key"');
});

describe("a file of a report", () => {
  type Status = { status: string; percent: number; rows: number; bytes: number; sha256: string | null };
  const EXPORTS = `${REPORTS}/exports`;

  async function start(who: SignedIn, report: number, format: string): Promise<string> {
    const response = await post(who.browser, `${REPORTS}/${report}/exports`, { format });
    expect(response.status, await response.clone().text()).toBe(200);
    return (await response.json()).id;
  }

  async function whenDone(who: SignedIn, id: string): Promise<Status> {
    let last: Status | undefined;
    await vi.waitFor(async () => {
      last = await (await who.browser.getJson(`${EXPORTS}/${id}`)).json();
      expect(last?.status).toBe("done");
    }, 20_000);
    return last as Status;
  }

  test("is written in the background and downloaded whole or in parts, with the rows of the report", async () => {
    const { member } = people;
    const report = await save(member.browser, {
      name: "For a file",
      question: "group=model&requests=on&charged_usd=on",
    });
    const id = await start(member, report, "csv");
    const { rows, bytes, sha256 } = await whenDone(member, id);
    expect(rows).toBe(1);
    const whole = await member.browser.get(`${EXPORTS}/${id}/download`);
    const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer());
    const file = await bytesOf(whole);
    expect(file).toEqual(await bytesOf(await member.browser.get(`${REPORTS}/${report}/export`)));
    expect([file.length, whole.headers.get("etag")]).toEqual([bytes, `"${sha256}"`]);
    const range = async (value: string) =>
      member.browser.fetch(`${EXPORTS}/${id}/download`, { headers: { range: value, "if-range": `"${sha256}"` } });
    const rest = await range("bytes=7-");
    expect([rest.status, await bytesOf(rest)]).toEqual([206, file.subarray(7)]);
    expect((await range(`bytes=${bytes}-`)).status).toBe(416);
    expect(await (await member.browser.get(`${REPORTS}/${report}/view`)).text()).toContain(`${EXPORTS}/${id}/download`);
    for (const format of ["jsonl", "xlsx"]) await whenDone(member, await start(member, report, format));
  });

  test("is its person’s alone, and gone when their place changes", async () => {
    const { admin, colleague, stranger } = people;
    const leaver = await portal.signInAs("member");
    const report = await save(leaver.browser, { name: "For the file of a leaver", visibility: "organisation" });
    const id = await start(leaver, report, "csv");
    await whenDone(leaver, id);
    for (const { browser } of [admin, colleague, stranger]) {
      expect((await browser.getJson(`${EXPORTS}/${id}`)).status).toBe(404);
      expect((await browser.getJson(`${EXPORTS}/${id}/download`)).status).toBe(404);
      expect((await post(browser, `${EXPORTS}/${id}/cancel`)).status).toBe(404);
    }
    expect((await post(leaver.browser, `${EXPORTS}/${id}/cancel`)).status).toBe(409);
    expect((await post(stranger.browser, `${REPORTS}/${report}/exports`, { format: "csv" })).status).toBe(404);
    await portal.sql("UPDATE app_user SET organisation_id = $2 WHERE id = $1", [
      leaver.person.userId,
      await portal.addOrganisation("Another"),
    ]);
    expect((await leaver.browser.getJson(`${EXPORTS}/${id}`)).status).toBe(404);
    expect(await portal.sql("SELECT 1 FROM report_export_piece WHERE export_id = $1", [id])).toEqual([]);
  });

  test("is refused in a format that there is not", async () => {
    const { member } = people;
    const report = await save(member.browser, { name: "For no file" });
    expect((await post(member.browser, `${REPORTS}/${report}/exports`, { format: "exe" })).status).toBe(422);
  });
});

test("a report is scheduled, arrives by mail when it is due, and is reviewed", async () => {
  const { member, stranger } = people;
  const { browser, person } = member;
  const report = await save(browser, { name: "Every day", question: "group=model&requests=on" });
  const schedule = { report_id: String(report), cadence: "daily", zone: "Europe/Berlin", by_mail: "on" };
  expect((await post(stranger.browser, `${REPORTS}/schedules`, schedule)).status).toBe(404);
  expect(
    (await post(browser, `${REPORTS}/schedules`, { ...schedule, cadence: "custom", cron: "* * * * *" })).status,
  ).toBe(400);
  const { id } = await (await post(browser, `${REPORTS}/schedules`, schedule)).json();
  expect(await (await browser.get(REPORTS)).text()).toContain(`${REPORTS}/schedules/${id}/disable`);
  await portal.sql("UPDATE report_schedule SET next_run_at = now() WHERE id = $1", [id]);
  const { subject, text } = await portal.mail(person.email);
  expect(subject).toBe("Report ready: Every day");
  const [, file] = /(\/dashboard\/reports\/exports\/exp_[0-9a-f]+\/download)/.exec(text) ?? [];
  expect(await (await browser.get(file as string)).text()).toContain("model,name,requests");
  const page = await (await browser.get(REPORTS)).text();
  const [review] = /\/dashboard\/reports\/schedule-runs\/\d+\/review/.exec(page) ?? [];
  expect((await post(stranger.browser, review as string)).status).toBe(404);
  expect((await post(browser, review as string)).status).toBe(200);
  expect((await post(stranger.browser, `${REPORTS}/schedules/${id}/disable`)).status).toBe(404);
  expect((await post(browser, `${REPORTS}/schedules/${id}/disable`)).status).toBe(200);
  expect(await (await browser.get(REPORTS)).text()).not.toContain(`${REPORTS}/schedules/${id}/disable`);
});
