import { afterAll, beforeAll, expect, test } from "vitest";
import { type Manage, manageBy } from "../support/manage";
import { type Portal, startPortal } from "../support/portal";
import { aTenant, type Tenant } from "../support/tenants";
import { tell } from "./raw-socket";
import { FULL, faultIn, overAll, report } from "./target";

let portal: Portal;
let tenant: Tenant;
let other: Tenant;
let manage: Manage;
let adminKey: string;
beforeAll(async () => {
  portal = await startPortal();
  [tenant, other] = [await aTenant(portal, "budgeted"), await aTenant(portal, "other")];
  const by = await manageBy(portal, tenant.people.orgAdmin);
  [manage, adminKey] = [by.send, by.key];
  await portal.sql(
    "SELECT wallet_post(id, 'adjustment', 1000000000, 'adjustment', gen_random_uuid()::text, 'test', '') FROM ledger_account WHERE kind = 'wallet' AND organisation_id = $1",
    [tenant.organisationId],
  );
}, 180_000);
afterAll(() => portal?.close());

const PARTS = ["department", "project"] as const;
type Part = (typeof PARTS)[number];
const idOf = ({ objects }: Tenant, part: Part) => objects[`${part}_id`] as string;
const pathOf = (part: Part, of = tenant) => `${part}s/${idOf(of, part)}`;
const budgets = async () =>
  JSON.stringify(
    await portal.sql("SELECT scope_kind, scope_id, limit_amt::text, period, active FROM budget ORDER BY id"),
  );

/** Invalid limits and periods, as a client's JSON. */
const NONSENSE = [
  ...["-1", "-0.000000001", "1e400", "1e16", "9".repeat(400), "0.0000000001", '"1"', "true", "[]", "{}", '"NaN"'].map(
    (limit) => `{"budget_limit":${limit}}`,
  ),
  ...['"yearly"', "1", "null", '"daily\\u0000"', `"${"x".repeat(100_000)}"`].map(
    (period) => `{"budget_limit":1,"budget_period":${period}}`,
  ),
  ...["{", "[]", "null", "", '{"budget_limit":1,"organisation_id":1}'],
];

test("no body that is no budget changes one, and none fails over it", async () => {
  const before = await budgets();
  const tries = PARTS.flatMap((part) => NONSENSE.map((body) => ({ part, body })));
  const wrong = await overAll(tries, 4, async ({ part, body }) => {
    const { status, json } = await manage("PATCH", pathOf(part), body);
    const fault = faultIn(status, "application/json", JSON.stringify(json));
    const line = `${part} ${body.slice(0, 60)}`;
    if (status < 400) return `${line}: ${status}`;
    return fault === null ? null : `${line}: ${fault}`;
  });
  report({ group: "budgets of parts: nonsense", requests: tries.length, wrong });
  expect(wrong).toEqual([]);
  expect(await budgets()).toBe(before);
});

test("another organisation's parts are like missing ones, by any key, in path and body", async () => {
  const before = await budgets();
  const wrong: string[] = [];
  for (const part of PARTS) {
    const missing = await manage("PATCH", `${part}s/1999999999`, { budget_limit: 1 });
    for (const path of [pathOf(part, other), `${part}s/0`, `${part}s/-1`, `${part}s/99999999999999999999`]) {
      const { status, json } = await manage("PATCH", path, { budget_limit: 1 });
      if (status !== 404 || json.error.code !== missing.json.error.code) wrong.push(`${path}: ${status}`);
    }
    const url = `${portal.url}/v1/manage/${pathOf(part)}`;
    for (const key of [tenant.canary, "", adminKey.slice(0, -1)]) {
      const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
      const { status } = await fetch(url, { method: "PATCH", headers, body: '{"budget_limit":1}' });
      if (status !== 401) wrong.push(`${part} by no key: ${status}`);
    }
  }
  report({ group: "budgets of parts: foreign", requests: 16, wrong });
  expect(wrong).toEqual([]);
  expect(await budgets()).toBe(before);
});

test("a half-sent change changes nothing", async () => {
  const before = await budgets();
  const { host } = new URL(portal.url);
  for (const part of PARTS) {
    const head = `PATCH /v1/manage/${pathOf(part)} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${adminKey}\r\n`;
    await tell(portal.url, `${head}Content-Type: application/json\r\nContent-Length: 40\r\n\r\n{"budget_limit":1`, 500);
  }
  report({ group: "budgets of parts: half-sent", requests: 2, wrong: [] });
  expect(await budgets()).toBe(before);
});

test("changes at once leave one budget, one of those that were sent", async () => {
  for (const part of PARTS) {
    const limits = Array.from({ length: FULL ? 200 : 24 }, (_, index) => index + 1);
    const answers = await Promise.all(limits.map((budget_limit) => manage("PATCH", pathOf(part), { budget_limit })));
    const wrong = answers.filter(({ status }) => status !== 200).map(({ status }) => `${part}: ${status}`);
    report({ group: `budgets of parts: at once, ${part}`, requests: limits.length, wrong });
    expect(wrong).toEqual([]);
    const rows = await portal.sql(
      "SELECT limit_amt::text FROM budget WHERE scope_kind = $1 AND scope_id = $2 AND active",
      [part, Number(idOf(tenant, part))],
    );
    expect(rows).toHaveLength(1);
    expect(limits.map((limit) => `${limit}000000000`)).toContain(rows[0].limit_amt);
  }
});

test.each(PARTS)("calls at once never spend more than the budget of their %s, also while it changes", async (part) => {
  const { browser } = tenant.people.member;
  const made = await browser.post("/dashboard/keys/new", { name: `spends for a ${part}` }, { json: true });
  const key = (await made.json()) as { id: number; key: string };
  if (part === "project")
    await portal.sql("UPDATE api_key SET project_id = $1 WHERE id = $2", [Number(idOf(tenant, part)), key.id]);
  const call = async () => {
    const answer = await fetch(`${portal.url}/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${key.key}`, "content-type": "application/json" },
      body: JSON.stringify({ model: "sandbox-chat", max_tokens: 50, messages: [{ role: "user", content: "Hello" }] }),
    });
    return { status: answer.status, text: await answer.text() };
  };
  const spent = async () => {
    const { json } = await manage("GET", pathOf(part));
    return { used: json.budget_used as number, held: json.budget_held as number };
  };
  await manage("PATCH", pathOf(part), { budget_limit: null });
  const before = await spent();
  expect((await call()).status).toBe(200);
  const one = (await spent()).used - before.used;
  expect(one).toBeGreaterThan(0);
  const limit = Number(((await spent()).used + one * 6.5).toFixed(9));
  await manage("PATCH", pathOf(part), { budget_limit: limit });
  const calls = Array.from({ length: FULL ? 200 : 40 }, call);
  // Changes the period back and forth with the same limit, so the limit in effect is never higher.
  const changes = ["daily", "monthly", "daily", "monthly"].map((budget_period) =>
    manage("PATCH", pathOf(part), { budget_limit: limit, budget_period }),
  );
  const answers = await Promise.all(calls);
  await Promise.all(changes);
  const wrong = answers
    .filter(({ status, text }) => status !== 200 && !(status === 429 && text.includes('"budget_exceeded"')))
    .map(({ status, text }) => `${status} ${text.slice(0, 100)}`);
  const after = await spent();
  if (after.used > limit) wrong.push(`spent ${after.used} of ${limit}`);
  if (after.held !== 0) wrong.push(`still held: ${after.held}`);
  if (!answers.some(({ status }) => status === 429)) wrong.push("no call was refused");
  report({ group: `budgets of parts: spent at once, ${part}`, requests: answers.length, wrong });
  expect(wrong).toEqual([]);
  await manage("PATCH", pathOf(part), { budget_limit: null });
});
