import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Browser, type Portal, type SignedIn, startPortal } from "../support/portal";

let portal: Portal;
const people = {} as Record<"orgAdmin" | "departmentAdmin" | "member" | "colleague" | "viewer" | "stranger", SignedIn>;
const keys: number[] = [];
let foreign = 0;
let department = 0;

beforeAll(async () => {
  portal = await startPortal();
  const [{ id: home }] = await portal.sql("SELECT min(id)::int AS id FROM organisation");
  department = await portal.addDepartment(home, "Research");
  const away = await portal.addOrganisation("away");
  people.orgAdmin = await portal.signInAs("org_admin");
  people.departmentAdmin = await portal.signInAs("department_admin", { departmentId: department });
  people.member = await portal.signInAs("member", { departmentId: department });
  people.colleague = await portal.signInAs("member", { departmentId: department });
  people.viewer = await portal.signInAs("viewer");
  people.stranger = await portal.signInAs("org_admin", { organisationId: away });
  for (const name of ["beta", "Alpha", "gamma"]) keys.push(await createKey(people.member.browser, name));
  foreign = await createKey(people.stranger.browser, "foreign");
});
afterAll(() => portal?.close());

async function createKey(browser: Browser, name: string): Promise<number> {
  const response = await browser.post("/dashboard/keys/new", { name }, { json: true });
  return (await response.json()).id;
}
const pageOf = async (browser: Browser, path: string) => (await browser.get(path)).text();
const rowsOf = (html: string) => [...html.matchAll(/<tr data-row="(\d+)"/g)].map(([, id]) => Number(id));
const columnsOf = (html: string) => [...html.matchAll(/<th [^>]*data-col="([^"]+)"/g)].map(([, id]) => id);
const statuses = async (ids = keys) => {
  const rows = await portal.sql("SELECT status FROM api_key WHERE id = ANY ($1) ORDER BY id", [ids]);
  return rows.map(({ status }) => status);
};
const act = (browser: Browser, fields: object) => browser.post("/dashboard/keys/bulk", fields, { json: true });
const undo = (browser: Browser, token: string) => browser.post("/dashboard/undo", { undo: token }, { json: true });

describe("the order of a list", () => {
  test("is in its address, for every column that has one", async () => {
    const { browser } = people.member;
    expect(rowsOf(await pageOf(browser, "/dashboard/keys?sort=name"))).toEqual([keys[1], keys[0], keys[2]]);
    expect(rowsOf(await pageOf(browser, "/dashboard/keys?sort=-name"))).toEqual([keys[2], keys[0], keys[1]]);
    for (const by of ["created", "status", "owner", "organisation", "expires", "spent", "used", "month", "rpm"])
      for (const sort of [by, `-${by}`])
        expect(rowsOf(await pageOf(browser, `/dashboard/keys?sort=${sort}`)), sort).toHaveLength(3);
    for (const by of ["person", "email", "role", "status", "seen", "department", "organisation", "keys", "spent"])
      for (const sort of [by, `-${by}`])
        expect((await people.orgAdmin.browser.get(`/dashboard/admin/users?sort=${sort}`)).status, sort).toBe(200);
    for (const by of ["time", "cost", "latency", "tokens", "cached", "reasoning"])
      for (const sort of [by, `-${by}`])
        expect((await browser.get(`/dashboard/request-log?sort=${sort}`)).status, sort).toBe(200);
  });

  test("is a name of the list and nothing else", async () => {
    const { browser } = people.orgAdmin;
    for (const path of ["keys", "admin/users", "request-log"])
      for (const sort of ["secret", "--name", "name;", "-"])
        expect((await browser.get(`/dashboard/${path}?sort=${encodeURIComponent(sort)}`)).status).toBe(422);
  });

  test("is a link in the header, which reverses it", async () => {
    const html = await pageOf(people.member.browser, "/dashboard/keys?sort=name&status=active");
    expect(html).toMatch(/<th[^>]*data-col="name"[^>]*aria-sort="ascending"/);
    expect(html).toContain("?sort=-name&amp;status=active");
  });
});

describe("the columns of a list", () => {
  test("are chosen by a form, stay in the address, and are remembered", async () => {
    const { browser } = await portal.signInAs("member");
    await createKey(browser, "mine");
    const usual = columnsOf(await pageOf(browser, "/dashboard/keys"));
    expect(usual).toContain("owner");
    expect(usual).not.toContain("rpm");
    const headers = { referer: `${portal.url}/dashboard/keys?sort=name` };
    const answer = await browser.post("/dashboard/columns", { list: "keys", columns: "rpm" }, { headers });
    expect(answer.headers.get("location")).toBe("/dashboard/keys?sort=name&columns=keys%3Arpm");
    expect(columnsOf(await pageOf(browser, "/dashboard/keys"))).toEqual(["name", "rpm"]);
    expect(columnsOf(await pageOf(browser, "/dashboard/keys?columns=keys:status"))).toEqual(["name", "status"]);
    await browser.post("/dashboard/columns", { list: "keys", reset: "true" }, { headers });
    expect(columnsOf(await pageOf(browser, "/dashboard/keys"))).toEqual(usual);
  });

  test("have plain names, and a forged cookie changes nothing else", async () => {
    const { browser } = people.member;
    for (const fields of [{ list: "a b" }, { list: "keys", columns: '"><script>' }, {}])
      expect((await browser.post("/dashboard/columns", fields, { json: true })).status).toBe(422);
    browser.cookies.set("gw_columns", "keys:%00.status|<x>:y");
    expect(columnsOf(await pageOf(browser, "/dashboard/keys"))).toEqual(["name", "status"]);
    browser.cookies.delete("gw_columns");
  });
});

describe("acts on several keys", () => {
  test("change all of them, each with an audit event, and can be undone once", async () => {
    const { browser } = people.member;
    const [one, two] = keys;
    const form = new URLSearchParams([
      ["intent", "suspend"],
      ["ids", String(one)],
      ["ids", String(two)],
    ]);
    const sent = await browser.fetch("/dashboard/keys/bulk", {
      method: "POST",
      body: form.toString(),
      headers: { "content-type": "application/x-www-form-urlencoded" },
    });
    expect(sent.status).toBe(303);
    expect(await statuses()).toEqual(["suspended", "suspended", "active"]);
    const page = await pageOf(browser, "/dashboard/keys");
    const token = /name="undo" value="([^"]+)"/.exec(page)?.[1] ?? "";
    const [{ count }] = await portal.sql("SELECT count(*)::int FROM act WHERE action = 'key.suspend'");
    expect(count).toBe(2);
    expect((await undo(people.colleague.browser, token)).status).toBe(409);
    expect(await (await undo(browser, token)).json()).toMatchObject({ undone: 2 });
    expect(await statuses()).toEqual(["active", "active", "active"]);
    expect((await undo(browser, token)).status).toBe(409);
    expect((await undo(browser, "forged")).status).toBe(409);
  });

  test("cannot be undone after another change, and then nothing is", async () => {
    const { browser } = people.member;
    const { undo: token } = await (await act(browser, { intent: "suspend", ids: keys })).json();
    await people.orgAdmin.browser.post(`/dashboard/keys/${keys[2]}`, { intent: "resume" }, { json: true });
    expect((await undo(browser, token)).status).toBe(409);
    expect(await statuses()).toEqual(["suspended", "suspended", "active"]);
    const { changed } = await (await act(people.orgAdmin.browser, { intent: "resume", ids: keys })).json();
    expect(changed).toEqual([keys[0], keys[1]]);
  });

  test("set budgets and projects, and undo restores what was before", async () => {
    const { browser } = people.orgAdmin;
    const budgets = async () => {
      const rows = await portal.sql(
        "SELECT limit_amt::text AS limit FROM budget WHERE scope_kind = 'key' AND scope_id = ANY ($1) AND active ORDER BY scope_id",
        [keys],
      );
      return rows.map(({ limit }) => limit);
    };
    await act(browser, { intent: "budget", ids: keys, budget_limit: "5" });
    const { undo: token } = await (await act(browser, { intent: "budget", ids: keys, budget_limit: "7" })).json();
    expect(await budgets()).toEqual(["7000000000", "7000000000", "7000000000"]);
    expect((await undo(browser, token)).status).toBe(200);
    expect(await budgets()).toEqual(["5000000000", "5000000000", "5000000000"]);
    expect((await act(browser, { intent: "move", ids: keys, project_id: "1999999999" })).status).toBe(404);
  });

  test("are refused as a whole for a foreign key, a wrong role, and a list that is too long", async () => {
    expect((await act(people.member.browser, { intent: "suspend", ids: [...keys, foreign] })).status).toBe(404);
    expect((await act(people.colleague.browser, { intent: "suspend", ids: keys })).status).toBe(404);
    expect((await act(people.viewer.browser, { intent: "suspend", ids: keys })).status).toBe(403);
    const many = Array.from({ length: 101 }, (_, index) => index + 1);
    for (const ids of [[], many, ["x"], "1; DROP"])
      expect((await act(people.member.browser, { intent: "suspend", ids })).status).toBe(422);
    expect(await statuses([...keys, foreign])).toEqual(["active", "active", "active", "active"]);
  });

  test("are in a file with the selected keys only", async () => {
    const file = await pageOf(
      people.member.browser,
      `/dashboard/keys/export?ids=${keys[0]}&ids=${keys[1]}&ids=${foreign}`,
    );
    expect(file.trim().split("\n")).toHaveLength(3);
    expect(file).not.toMatch(/gamma|foreign/);
  });
});

describe("acts on several people", () => {
  const change = (browser: Browser, fields: object) =>
    browser.post("/dashboard/admin/users/bulk", fields, { json: true });
  const statusOf = async ({ person }: SignedIn) =>
    (await portal.sql("SELECT status FROM app_user WHERE id = $1", [person.userId]))[0].status;

  test("suspend and reinstate them, all or none", async () => {
    const { browser } = people.orgAdmin;
    const ids = [people.member.person.userId, people.colleague.person.userId];
    const { changed, undo: token } = await (await change(browser, { intent: "suspend", ids })).json();
    expect(changed).toHaveLength(2);
    expect(await statusOf(people.member)).toBe("suspended");
    expect((await undo(browser, token)).status).toBe(200);
    expect(await statusOf(people.member)).toBe("active");
    const away = [...ids, people.stranger.person.userId];
    expect((await change(browser, { intent: "suspend", ids: away })).status).toBe(404);
    expect((await change(people.viewer.browser, { intent: "suspend", ids })).status).toBe(403);
    expect((await change(browser, { intent: "suspend", ids: [people.orgAdmin.person.userId] })).status).toBe(403);
    expect(await statusOf(people.colleague)).toBe("active");
  });

  test("move them to a department only with the role for it", async () => {
    const ids = [people.colleague.person.userId];
    const fields = { intent: "move", ids, department_id: null };
    expect((await change(people.departmentAdmin.browser, fields)).status).toBe(403);
    const { undo: token } = await (await change(people.orgAdmin.browser, fields)).json();
    expect((await undo(people.orgAdmin.browser, token)).status).toBe(200);
    const [{ id }] = await portal.sql("SELECT department_id AS id FROM app_user WHERE id = $1", ids);
    expect(id).toBe(department);
  });
});

test("several invitations are revoked at once, in one's own scope", async () => {
  const { browser } = people.orgAdmin;
  const ids: number[] = [];
  for (const email of ["one@new.example", "two@new.example"]) {
    const sent = await browser.post("/dashboard/admin/users/invite", { email, role: "member" }, { json: true });
    ids.push((await sent.json()).id);
  }
  const revoke = (by: Browser) =>
    by.post("/dashboard/admin/users/invite/bulk", { intent: "revoke", ids }, { json: true });
  expect((await revoke(people.stranger.browser)).status).toBe(404);
  expect((await revoke(people.viewer.browser)).status).toBe(403);
  expect(await (await revoke(browser)).json()).toMatchObject({ changed: ids });
  expect(await (await revoke(browser)).json()).toMatchObject({ changed: [] });
});
