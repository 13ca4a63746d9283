import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ROLES, type Role, rankOfRole } from "~/domain/accounts/shared";
import type { Browser } from "../../support/browser";
import { type Portal, startPortal } from "../../support/portal";
import { ADMIN_OPERATIONS, type AdminOperation } from "./admin-operations";

let portal: Portal;
beforeAll(async () => {
  portal = await startPortal();
}, 60_000);
afterAll(() => portal.close());

/** Creates an organisation with one object of each kind; all its texts contain `word`. */
async function aTenant(word: string) {
  const { sql } = portal;
  const org = await portal.addOrganisation(`${word} Ltd`);
  await sql("UPDATE organisation SET credit_ceiling_nano_usd = 100000000000 WHERE id = $1", [org]);
  const department = await portal.addDepartment(org, `${word} department`);
  const person = await portal.addPerson({
    organisationId: org,
    departmentId: department,
    name: `${word} Person`,
    email: `${word}@tenant.example`,
  });
  const [project] = await sql(
    "INSERT INTO project (organisation_id, name, description) VALUES ($1, $2::text, $2::text) RETURNING id",
    [org, `${word} project`],
  );
  const [invite] = await sql(
    `INSERT INTO invite (organisation_id, department_id, email, role, token_hash, expires_at)
     VALUES ($1, $2, $3::text, 'member', sha256(convert_to($3::text, 'UTF8')), now() + interval '1 day') RETURNING id`,
    [org, department, `${word}-invited@tenant.example`],
  );
  await sql(
    "INSERT INTO act (actor_label, organisation_id, action, target_kind, target_id, target_label) VALUES ($1::text, $2, 'user.role', 'user', '0', $1::text)",
    [`${word}-act`, org],
  );
  return { org, department, user: person.userId, project: project.id as number, invite: invite.id as number, word };
}
type Tenant = Awaited<ReturnType<typeof aTenant>>;

const addressOf = ({ path }: AdminOperation, ids: Partial<Record<string, number | string>>) =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => String(ids[name] ?? 0));

function ask(browser: Browser, operation: AdminOperation, address: string): Promise<Response> {
  if (operation.method === "GET") return browser.getJson(address);
  return browser.post(address, operation.body ?? {}, { json: true, method: operation.method });
}

describe("who may", () => {
  test("below the rank of an operation it answers 403, whatever the id; nobody signed in 401", async () => {
    const tenant = await aTenant("ranks");
    for (const role of ROLES) {
      const { browser } = await portal.signInAs(role, { organisationId: tenant.org, departmentId: tenant.department });
      for (const operation of ADMIN_OPERATIONS) {
        if (rankOfRole(role) <= rankOfRole(operation.least)) continue;
        for (const ids of [tenant, {}]) {
          const response = await ask(browser, operation, addressOf(operation, ids as Record<string, number>));
          expect(`${role} ${operation.method} ${operation.path}: ${response.status}`).toBe(
            `${role} ${operation.method} ${operation.path}: 403`,
          );
        }
      }
    }
    for (const operation of ADMIN_OPERATIONS) {
      expect((await ask(portal.visitor(), operation, addressOf(operation, tenant))).status).toBe(401);
    }
  }, 120_000);

  test("what is foreign and what is missing answer the same, and nothing of it changes", async () => {
    const [home, other] = [await aTenant("home"), await aTenant("foreign")];
    const before = await tenantRows(other);
    for (const role of ["org_admin", "department_admin"] as const) {
      const { browser } = await portal.signInAs(role, { organisationId: home.org, departmentId: home.department });
      for (const operation of ADMIN_OPERATIONS.filter(({ path }) => path.includes("{"))) {
        if (rankOfRole(role) > rankOfRole(operation.least)) continue;
        const missing = { user: 999_991, org: 999_992, invite: 999_993, project: 999_994, department: 999_995 };
        const answers = await Promise.all(
          [other, missing].map(async (ids) => {
            const response = await ask(browser, operation, addressOf(operation, ids));
            return { status: response.status, body: await response.text() };
          }),
        );
        expect(answers[0], `${role} ${operation.method} ${operation.path}`).toEqual(answers[1]);
        expect(answers[0]?.status).toBe(404);
      }
    }
    expect(await tenantRows(other)).toEqual(before);
  }, 60_000);

  test("at its rank every operation does its work on what is in reach, and writes one act", async () => {
    const tenant = await aTenant("works");
    for (const operation of ADMIN_OPERATIONS) {
      if (/\/delete$|hard-delete|\/members$|\/org$/.test(operation.path)) continue;
      const { browser } = await portal.signInAs(operation.least, {
        organisationId: tenant.org,
        departmentId: tenant.department,
      });
      if (operation.path.includes("{project}")) {
        await portal.sql("UPDATE project SET created_by_id = (SELECT max(id) FROM app_user) WHERE id = $1", [
          tenant.project,
        ]);
      }
      if (operation.method === "DELETE" && operation.path.endsWith("{org}")) continue;
      const emptied =
        operation.method === "DELETE" ? { department: await portal.addDepartment(tenant.org, "Empty") } : {};
      const acts = await countActs();
      const response = await ask(browser, operation, addressOf(operation, { ...tenant, ...emptied }));
      expect(`${operation.method} ${operation.path}: ${response.status}`).toBe(
        `${operation.method} ${operation.path}: 200`,
      );
      const quiet = operation.method === "GET" || /toggle|set-admin|billing-user|\/department$/.test(operation.path);
      if (!quiet) expect(`${operation.path} ${(await countActs()) - acts}`).toBe(`${operation.path} 1`);
    }
  }, 60_000);
});

describe("what is malformed", () => {
  test("ids that are none, unknown fields and values answer 422 with the place of each problem", async () => {
    const tenant = await aTenant("malformed");
    const { browser } = await portal.signInAs("owner");
    for (const operation of ADMIN_OPERATIONS.filter(({ path }) => path.includes("{"))) {
      const address = operation.path.replace(/\{\w+\}/g, "not-a-number");
      const response = await ask(browser, operation, address);
      const body = await response.json();
      expect(`${operation.path} ${response.status} ${body.code}`).toBe(`${operation.path} 422 validation_error`);
      expect(body.detail[0].loc[0]).toBe("path");
      expect(body.detail[0].loc[1]).toMatch(/^[a-z]+_id$/);
    }
    for (const operation of ADMIN_OPERATIONS.filter(({ body }) => body !== undefined)) {
      const body = { ...operation.body, billing_exempt_too: "1", id: "1" };
      const response = await ask(browser, { ...operation, body }, addressOf(operation, tenant));
      expect(`${operation.path} ${response.status}`).toBe(`${operation.path} 422`);
    }
    for (const query of ["role=king", "after=x", "spent=-1", "org=x", "seen=2y"]) {
      const response = await browser.getJson(`/dashboard/admin/users?${query}`);
      expect(`${query} ${response.status}`).toBe(`${query} 422`);
      expect((await response.json()).detail[0].loc).toEqual(["query", query.split("=")[0]]);
    }
  }, 60_000);
});

test("no word of another organisation shows on any page or in any file of an admin", async () => {
  const home = await aTenant("hometown");
  await aTenant("canary");
  for (const role of ["org_admin", "department_admin", "member"] as const satisfies Role[]) {
    const { browser } = await portal.signInAs(role, { organisationId: home.org, departmentId: home.department });
    const pages = [
      "/dashboard/admin/users",
      "/dashboard/admin/users?q=canary",
      "/dashboard/admin/users?status=active&sort=-spent",
      "/dashboard/admin/users/export",
      "/dashboard/admin/users/invite?show=all",
      "/dashboard/admin/projects?state=all",
      `/dashboard/admin/users/${home.user}`,
      `/dashboard/admin/organisations/${home.org}`,
      "/dashboard/activity",
      "/dashboard/activity/export",
    ];
    for (const page of pages) {
      const text = (await (await browser.get(page)).text())
        .replaceAll("q=canary", "")
        .replaceAll(/value="canary"/g, "");
      const asked = page.includes("q=canary") ? /canary (Person|Ltd|department)|@tenant/ : /canary/i;
      expect(`${role} ${page}: ${asked.test(text.replaceAll(/hometown\S*@tenant/g, ""))}`).toBe(
        `${role} ${page}: false`,
      );
    }
  }
}, 60_000);

test("suspending stops a person's key in the gateway within a second and signs them out; forms lead back", async () => {
  const tenant = await aTenant("suspended");
  const { browser } = await portal.signInAs("org_admin", { organisationId: tenant.org });
  const member = await portal.signInAs("member", { organisationId: tenant.org });
  await portal.sql("UPDATE organisation SET billing_exempt = true WHERE id = $1", [tenant.org]);
  const key = await portal.gateway.createKey();
  await portal.sql("UPDATE api_key SET user_id = $1 WHERE public_id = $2", [member.person.userId, key.id]);
  const call = () =>
    fetch(`${portal.url}/v1/models`, { headers: { authorization: `Bearer ${key.key}` } }).then(({ status }) => status);
  expect(await call()).toBe(200);
  const path = `/dashboard/admin/users/${member.person.userId}`;
  const answer = await browser.post(`${path}/status`, { status: "suspended" });
  expect([answer.status, answer.headers.get("location")]).toEqual([303, path]);
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  expect(await call()).toBe(403);
  expect((await member.browser.getJson("/dashboard/keys")).status).toBe(401);
  expect(await (await browser.get(path)).text()).toContain("Status updated.");
  await browser.post(`${path}/status`, { status: "active" });
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  expect(await call()).toBe(200);
});

test("an invitation becomes a person who is signed in; its link then says that it was used", async () => {
  const tenant = await aTenant("inviting");
  const { browser } = await portal.signInAs("org_admin", { organisationId: tenant.org });
  const sent = await browser.post("/dashboard/admin/users/invite", { email: "Grace@New.example", role: "member" });
  expect([sent.status, sent.headers.get("location")]).toEqual([303, "/dashboard/admin/users/invite"]);
  const mail = await portal.mail("grace@new.example");
  expect(mail.text).toContain("inviting Ltd");
  const link = /\/invite\/[\w-]{30,}/.exec(mail.text)?.[0] ?? "";
  const visitor = portal.visitor();
  expect(await (await visitor.get(link)).text()).toContain("Join inviting Ltd");
  const weak = await visitor.post(link, { name: "Grace", password: "short", accept_terms: "on" });
  expect(weak.status).toBe(422);
  const fields = { name: "Grace Hopper", password: "several words and a half", accept_terms: "on" };
  const accepted = await visitor.post(link, fields);
  expect([accepted.status, accepted.headers.get("location")]).toEqual([303, "/dashboard"]);
  expect((await visitor.getJson("/dashboard/activity")).status).toBe(200);
  const [person] = await portal.sql("SELECT organisation_id, role FROM app_user WHERE email = 'grace@new.example'");
  expect(person).toEqual({ organisation_id: tenant.org, role: "member" });
  expect(await (await portal.visitor().get(link)).text()).toContain("This invitation was accepted");
  expect((await portal.visitor().post(link, fields, { json: true })).status).toBe(401);
  expect((await portal.visitor().get("/invite/nonsense")).status).toBe(404);
});

async function tenantRows({ org }: Tenant) {
  return portal.sql(
    `SELECT (SELECT json_agg(u ORDER BY id) FROM app_user u WHERE organisation_id = $1) AS people,
            (SELECT json_agg(p ORDER BY id) FROM project p WHERE organisation_id = $1) AS projects,
            (SELECT json_agg(i ORDER BY id) FROM invite i WHERE organisation_id = $1) AS invites,
            (SELECT json_agg(d ORDER BY id) FROM department d WHERE organisation_id = $1) AS departments,
            (SELECT row_to_json(o) FROM organisation o WHERE id = $1) AS organisation`,
    [org],
  );
}

const countActs = async () => Number((await portal.sql("SELECT count(*) AS n FROM act"))[0].n);
