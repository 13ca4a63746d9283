import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Manage, manageBy } from "../../support/manage";
import { type Portal, type SignedIn, startPortal } from "../../support/portal";
import { aTenant, type Tenant } from "../../support/tenants";

let portal: Portal;
let tenant: Tenant;
let other: Tenant;
let owner: SignedIn;
let manage: Manage;
beforeAll(async () => {
  portal = await startPortal();
  [tenant, other] = [await aTenant(portal, "budgeted"), await aTenant(portal, "other")];
  owner = await portal.signInAs("owner");
  manage = (await manageBy(portal, tenant.people.orgAdmin)).send;
}, 120_000);
afterAll(() => portal?.close());

type Part = "department" | "project";
const PARTS: readonly Part[] = ["department", "project"];
const idOf = ({ objects }: Tenant, part: Part) => objects[`${part}_id`] as string;
const doorOf = (of: Tenant, part: Part, organisationId = of.organisationId) =>
  part === "project"
    ? `/dashboard/admin/projects/${idOf(of, part)}/budget`
    : `/dashboard/admin/organisations/${organisationId}/departments/${idOf(of, part)}/budget`;
const set = ({ browser }: SignedIn, path: string, body: object) => browser.post(path, body, { json: true });
const inForce = async (part: Part, of: Tenant) =>
  (
    await portal.sql("SELECT limit_amt::text, period FROM budget WHERE scope_kind = $1 AND scope_id = $2 AND active", [
      part,
      Number(idOf(of, part)),
    ])
  )[0] ?? null;

describe.each(PARTS)("the budget of a %s", (part) => {
  test("is set by the organisation's admins and those who run the installation, and by nobody else", async () => {
    const path = doorOf(tenant, part);
    for (const role of ["departmentAdmin", "member", "viewer"] as const)
      expect((await set(tenant.people[role], path, { budget_limit: "1" })).status, role).toBe(403);
    expect((await set(other.people.orgAdmin, path, { budget_limit: "1" })).status).toBe(404);
    expect(await inForce(part, tenant)).toBeNull();
    for (const [who, limit] of [
      [tenant.people.orgAdmin, "12.5"],
      [owner, "13"],
    ] as const) {
      const answer = await set(who, path, { budget_limit: limit, budget_period: "daily" });
      expect(answer.status).toBe(200);
      expect(await answer.json()).toMatchObject({ budget_limit: Number(limit).toFixed(9), budget_period: "daily" });
    }
    expect(await inForce(part, tenant)).toEqual({ limit_amt: "13000000000", period: "daily" });
  });

  test("of others is like one that does not exist, whose organisation the path names", async () => {
    const paths = [doorOf(other, part), doorOf(other, part, tenant.organisationId)];
    const missing = { ...tenant, objects: { ...tenant.objects, [`${part}_id`]: "1999999999" } };
    const answers = [];
    for (const path of [...paths, doorOf(missing, part)]) {
      const answer = await set(tenant.people.orgAdmin, path, { budget_limit: "1" });
      answers.push([answer.status, ((await answer.json()) as { code: string }).code]);
    }
    expect(new Set(answers.map(String))).toEqual(new Set(["404,not_found"]));
    expect(await inForce(part, other)).toBeNull();
  });

  test("is refused where it is none, and nothing has changed", async () => {
    const before = await inForce(part, tenant);
    for (const body of [
      {},
      { budget_limit: "-1" },
      { budget_limit: "much" },
      { budget_limit: "1", budget_period: "yearly" },
      { budget_limit: "1", organisation_id: "1" },
    ])
      expect((await set(tenant.people.orgAdmin, doorOf(tenant, part), body)).status, JSON.stringify(body)).toBe(422);
    expect(await inForce(part, tenant)).toEqual(before);
  });

  test("stands in the audit log once for each change, however often and at once it is sent", async () => {
    const events = async () =>
      (
        await portal.sql("SELECT 1 FROM act WHERE action = $1 AND target_id = $2 ORDER BY id", [
          `${part}.budget`,
          idOf(tenant, part),
        ])
      ).length;
    const before = await events();
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => set(tenant.people.orgAdmin, doorOf(tenant, part), { budget_limit: "21" })),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200));
    expect(await events()).toBe(before + 1);
    expect(await inForce(part, tenant)).toEqual({ limit_amt: "21000000000", period: "monthly" });
  });

  test("is taken away by an empty limit", async () => {
    expect((await set(tenant.people.orgAdmin, doorOf(tenant, part), { budget_limit: "" })).status).toBe(200);
    expect(await inForce(part, tenant)).toEqual({ limit_amt: null, period: "monthly" });
  });

  test("is read and set by the management API, under its own names", async () => {
    const path = `${part}s/${idOf(tenant, part)}`;
    const none = { budget_limit: null, budget_used: 0, budget_held: 0, budget_remaining: null };
    expect((await manage("GET", path)).json).toMatchObject({ id: Number(idOf(tenant, part)), ...none });
    const changed = await manage("PATCH", path, { budget_limit: 2.25 });
    expect(changed).toMatchObject({ status: 200, json: { budget_limit: 2.25, budget_period: "monthly" } });
    expect(changed.json).toMatchObject({ budget_used: 0, budget_remaining: 2.25, resets_at: expect.any(String) });
    const { json } = await manage("GET", `${part}s`);
    expect(json.next_cursor).toBeNull();
    expect(json.data.map(({ id }: { id: number }) => id)).toContain(Number(idOf(tenant, part)));
    expect(JSON.stringify(json)).not.toContain(other.canary);
    for (const body of [
      '{"budget_limit":1,"monthly_budget":2}',
      '{"budget_period":"daily"}',
      '{"budget_limit":-1}',
      '{"budget_limit":"1"}',
    ])
      expect((await manage("PATCH", path, body)).status, body).toBe(422);
    const foreign = await manage("PATCH", `${part}s/${idOf(other, part)}`, { budget_limit: 1 });
    const missing = await manage("PATCH", `${part}s/1999999999`, { budget_limit: 1 });
    expect([foreign.status, foreign.json]).toEqual([404, missing.json]);
    expect((await manage("GET", `${part}s/${idOf(other, part)}`)).json).toEqual(missing.json);
    expect(await inForce(part, other)).toBeNull();
  });
});

test("a call is refused by its department's and its project's budget, and told so", async () => {
  const { member } = tenant.people;
  for (const part of PARTS) {
    const key = (await (await set(member, "/dashboard/keys/new", { name: `in ${part}` })).json()) as {
      id: number;
      key: string;
    };
    if (part === "project")
      await portal.sql("UPDATE api_key SET project_id = $1 WHERE id = $2", [Number(idOf(tenant, part)), key.id]);
    await set(tenant.people.orgAdmin, doorOf(tenant, part), { budget_limit: "0.000001" });
    const answer = await fetch(`${portal.url}/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${key.key}`, "content-type": "application/json" },
      body: JSON.stringify({ model: "sandbox-chat", messages: [{ role: "user", content: "Hello" }] }),
    });
    const { error } = (await answer.json()) as { error: { code: string; details: { scope: string } } };
    expect([answer.status, error.code, error.details.scope]).toEqual([429, "budget_exceeded", part]);
    await set(tenant.people.orgAdmin, doorOf(tenant, part), { budget_limit: "" });
  }
});

test("the pages show what is spent, held, left and when it resets, and limits that add up to more than there is", async () => {
  const { orgAdmin, departmentAdmin } = tenant.people;
  for (const part of PARTS) await set(orgAdmin, doorOf(tenant, part), { budget_limit: "40" });
  await set(orgAdmin, "/dashboard/admin/organisation/monthly-budget", { monthly_budget: "30" });
  const read = async ({ browser }: SignedIn, path: string) =>
    (await (await browser.get(path)).text()).replace(/<!-- -->/g, "");
  const organisation = await read(orgAdmin, `/dashboard/admin/organisations/${tenant.organisationId}`);
  for (const text of ["$40.00", "Left", "Resets", "add up to $40.00, more than the organisation’s $30.00"])
    expect(organisation).toContain(text);
  const path = `/dashboard/admin/projects/${tenant.objects.project_id}`;
  const project = await read(orgAdmin, path);
  for (const text of ["$40.00", "Left", "Resets", 'name="budget_limit"']) expect(project).toContain(text);
  // The manager of a project sees its budget but cannot change it.
  const seen = await read(departmentAdmin, path);
  expect(seen).toContain("$40.00");
  expect(seen).not.toContain('name="budget_limit"');
});
