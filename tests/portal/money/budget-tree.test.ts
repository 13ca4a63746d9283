import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Portal, type SignedIn, startPortal } from "../../support/portal";
import { aTenant, type Tenant } from "../../support/tenants";

let portal: Portal;
let tenant: Tenant;
let other: Tenant;
beforeAll(async () => {
  portal = await startPortal();
  [tenant, other] = [await aTenant(portal, "tree"), await aTenant(portal, "other")];
}, 120_000);
afterAll(() => portal?.close());

const KINDS = ["organisation", "department", "project", "user", "key"] as const;
type Kind = (typeof KINDS)[number];
const idOf = ({ objects }: Tenant, kind: Kind) => objects[kind === "organisation" ? "org_id" : `${kind}_id`] as string;
const LIMIT = "/dashboard/budgets/limit";
const set = ({ browser }: SignedIn, kind: Kind, more: object, of = tenant) =>
  browser.post(LIMIT, { kind, id: idOf(of, kind), ...more }, { json: true });
const inForce = async (kind: Kind, of = tenant) =>
  (
    await portal.sql("SELECT limit_amt::text, period FROM budget WHERE scope_kind = $1 AND scope_id = $2 AND active", [
      kind,
      Number(idOf(of, kind)),
    ])
  )[0] ?? null;
const read = async ({ browser }: SignedIn, query = "", path = "/dashboard/budgets") =>
  (await (await browser.get(`${path}${query}`)).text()).replace(/<!-- -->/g, "");

describe.each(KINDS)("the limit of a %s", (kind) => {
  test("is set on one page by those who may, and by nobody else", async () => {
    const { orgAdmin, departmentAdmin, member, viewer } = tenant.people;
    for (const [who, status] of [
      [viewer, 403],
      [member, kind === "key" ? 200 : 403],
      [departmentAdmin, kind === "key" ? 200 : 403],
      [orgAdmin, 200],
    ] as const)
      expect((await set(who, kind, { budget_limit: "7" })).status).toBe(status);
    const period = kind === "organisation" ? "monthly" : "daily";
    const answer = await set(orgAdmin, kind, { budget_limit: "12.5", budget_period: "daily" });
    expect(await answer.json()).toMatchObject({
      ...{ ok: true, kind, budget_limit: "12.500000000", budget_period: period },
      before: { budget_limit: "7.000000000", budget_period: "monthly" },
    });
    expect(await inForce(kind)).toEqual({ limit_amt: "12500000000", period });
    // Without a period, it stays as it is.
    await set(orgAdmin, kind, { budget_limit: "13" });
    expect(await inForce(kind)).toEqual({ limit_amt: "13000000000", period });
    await set(orgAdmin, kind, { budget_limit: "", budget_period: "monthly" });
    expect(await inForce(kind)).toEqual({ limit_amt: null, period: "monthly" });
  });

  test("of others is like one that does not exist", async () => {
    const missing = { ...tenant, objects: new Proxy({}, { get: () => "1999999999" }) };
    const answers = [];
    for (const of of [other, missing]) {
      const answer = await set(tenant.people.orgAdmin, kind, { budget_limit: "1" }, of);
      answers.push(`${answer.status} ${((await answer.json()) as { code: string }).code}`);
    }
    expect(answers).toEqual(["404 not_found", "404 not_found"]);
    expect((await inForce(kind, other))?.limit_amt ?? null).toBeNull();
  });

  test("is refused where it is none, and nothing has changed", async () => {
    const before = await inForce(kind);
    for (const body of [
      {},
      { budget_limit: "-1" },
      { budget_limit: "much" },
      { budget_limit: ["1", "2"] },
      { budget_limit: "9".repeat(400) },
      { budget_limit: "1", budget_period: "yearly" },
      { budget_limit: "1", was_limit: "x" },
      { budget_limit: "1", organisation_id: "1" },
    ])
      expect((await set(tenant.people.orgAdmin, kind, body)).status, JSON.stringify(body)).toBe(422);
    expect(await inForce(kind)).toEqual(before);
  });

  test("is changed once by those who change it at the same time, and undone unless it has changed since", async () => {
    const { orgAdmin } = tenant.people;
    await set(orgAdmin, kind, { budget_limit: "5" });
    const seen = { was_limit: "5", was_period: "monthly" };
    const answers = await Promise.all(
      ["6", "7", "8"].map((limit) => set(orgAdmin, kind, { budget_limit: limit, ...seen })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
    const changed = (await inForce(kind)) as { limit_amt: string };
    const now = String(BigInt(changed.limit_amt) / 1_000_000_000n);
    const undo = { budget_limit: "5", budget_period: "monthly", was_limit: now, was_period: "monthly" };
    expect((await set(orgAdmin, kind, undo)).status).toBe(200);
    expect(await inForce(kind)).toEqual({ limit_amt: "5000000000", period: "monthly" });
    const again = await set(orgAdmin, kind, { ...undo, budget_limit: "4" });
    expect([again.status, ((await again.json()) as { code: string }).code]).toEqual([409, "conflict"]);
    await set(orgAdmin, kind, { budget_limit: "" });
  });
});

describe("the page", () => {
  test("changes a limit by a form, and offers to undo it", async () => {
    const { orgAdmin } = tenant.people;
    await set(orgAdmin, "department", { budget_limit: "5" });
    const { browser } = orgAdmin;
    const saved = await browser.post(LIMIT, {
      ...{ kind: "department", id: idOf(tenant, "department"), budget_limit: "9", budget_period: "monthly" },
      ...{ was_limit: "5.00", was_period: "monthly" },
    });
    expect([saved.status, saved.headers.get("location")]).toEqual([303, "/dashboard/budgets"]);
    const page = await read(orgAdmin);
    expect(page).toContain("$5.00 a month → $9.00 a month");
    expect(page).toContain('name="was_limit" value="9.00"');
    expect(await read(orgAdmin)).not.toContain("→");
    const late = await browser.post(LIMIT, {
      ...{ kind: "department", id: idOf(tenant, "department"), budget_limit: "1", budget_period: "monthly" },
      ...{ was_limit: "5.00", was_period: "monthly" },
    });
    expect(late.status).toBe(303);
    expect(await read(orgAdmin)).toContain("This budget has changed since you opened the page");
    expect(await inForce("department")).toEqual({ limit_amt: "9000000000", period: "monthly" });
  });

  test("shows everybody what they may see, and a sum of limits above the limit", async () => {
    const { orgAdmin, departmentAdmin, member } = tenant.people;
    await set(orgAdmin, "organisation", { budget_limit: "40" });
    await set(orgAdmin, "department", { budget_limit: "50.5" });
    await set(orgAdmin, "user", { budget_limit: "61" });
    await set(orgAdmin, "key", { budget_limit: "62" });
    const whole = await read(orgAdmin, `?open=department-${idOf(tenant, "department")},user-${idOf(tenant, "user")}`);
    for (const text of ["$40.00 a month", "$50.50 a month", "add up to $50.50: $10.50 more", "$61.00", "$62.00"])
      expect(whole).toContain(text);
    const ofDepartment = await read(departmentAdmin);
    for (const text of ["$50.50 a month", "Set by an admin", "$61.00"]) expect(ofDepartment).toContain(text);
    expect(ofDepartment).not.toContain("$40.00");
    const own = await read(member);
    for (const text of ["$61.00", "$62.00", "Set by an admin"]) expect(own).toContain(text);
    for (const text of ["$40.00", "$50.50"]) expect(own).not.toContain(text);
    expect(whole + ofDepartment + own).not.toContain(other.canary);
    const file = await read(member, "", "/dashboard/budgets/export");
    expect(file).toContain("62.000000000");
    expect(file).not.toContain("40.000000000");
  });

  test("is filtered and sorted by its address, and has nothing of others in it", async () => {
    const { orgAdmin } = tenant.people;
    const keys = await read(orgAdmin, "?kind=key&sort=-limit");
    expect(keys).toContain("$62.00");
    expect(keys).not.toContain("$50.50 a month");
    expect(await read(orgAdmin, "?q=nobody-is-called-that")).toContain("No matching budgets");
    expect(await read(orgAdmin, `?edit=key-${idOf(tenant, "key")}`)).toMatch(/<details open[^>]*>/);
    expect(await read(orgAdmin, `?edit=key-${idOf(other, "key")}`)).toContain("No matching budgets");
    const foreign = await orgAdmin.browser.get(`/dashboard/budgets?at=department-${idOf(other, "department")}`);
    expect(foreign.status).toBe(404);
    expect((await read(orgAdmin, `?open=user-${idOf(other, "user")}`)).includes(other.canary)).toBe(false);
    for (const query of ["?sort=secret", "?at=key", "?at=key-0", "?open=x", "?after=-1", "?kind=wallet", "?state=bad"])
      expect((await orgAdmin.browser.get(`/dashboard/budgets${query}`)).status, query).toBe(422);
    const csv = await read(orgAdmin, "?kind=department", "/dashboard/budgets/export");
    expect(csv.trim().split("\n")).toHaveLength(2);
    expect(csv).toContain("50.500000000");
  });
});

test("a budget that is too small for one request says what one may cost, and what helps", async () => {
  const { member } = tenant.people;
  const made = await member.browser.post(
    "/dashboard/keys/new",
    { name: "Small", budget_limit: "0.000001" },
    { json: true },
  );
  const { id, key } = (await made.json()) as { id: number; key: string };
  const answer = await fetch(`${portal.url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "sandbox-chat", messages: [{ role: "user", content: "Hello" }] }),
  });
  expect(answer.status).toBe(429);
  const text = "Too small for one request, which can cost up to $";
  await expect.poll(() => read(member, "", `/dashboard/keys/${id}`), { timeout: 30_000 }).toContain(text);
  for (const [path, query] of [
    ["/dashboard/keys", ""],
    ["/dashboard/budgets", `?edit=key-${id}`],
  ] as const) {
    const page = await read(member, query, path);
    expect(page).toContain(text);
    expect(page).not.toContain("out of budget");
    expect(page).toContain("Shorten answers");
  }
  await member.browser.post(`/dashboard/keys/${id}`, { intent: "update", fit_output: "true" });
  expect(await read(member, "", "/dashboard/keys")).not.toContain("Shorten answers");
  await set(member, "key", { id: String(id), budget_limit: "5" });
  expect(await read(member, "", "/dashboard/keys")).not.toContain(text);
});
