import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Portal, type SignedIn, startPortal } from "../../support/portal";

/** People and the organisation through the management API. An admin key acts with the role of its owner. */
let portal: Portal;
let organisationId: number;
let admin: SignedIn;
let key: string;

beforeAll(async () => {
  portal = await startPortal();
  organisationId = await portal.addOrganisation("Managed");
  admin = await portal.signInAs("org_admin", { organisationId });
  key = await keyOf(admin);
}, 60_000);
afterAll(() => portal?.close());

async function keyOf({ browser }: SignedIn, kind = "admin"): Promise<string> {
  const made = await browser.post("/dashboard/keys/new", { name: kind, kind, owner: "nobody" }, { json: true });
  return ((await made.json()) as { key: string }).key;
}

async function manage(method: string, path: string, { by = key, body }: { by?: string; body?: unknown } = {}) {
  const response = await fetch(`${portal.url}/v1/manage/${path}`, {
    method,
    headers: { authorization: `Bearer ${by}` },
    body: typeof body === "string" || body === undefined ? body : JSON.stringify(body),
  });
  const json = await response.json();
  return { status: response.status, json, code: json.error?.code };
}

const aMember = (fields: Parameters<Portal["addPerson"]>[0] = {}) => portal.addPerson({ organisationId, ...fields });
const roleOf = async (id: number) => (await portal.sql("SELECT role, status FROM app_user WHERE id = $1", [id]))[0];

describe("what an admin key reads", () => {
  test("the people of its organisation come in pages, each once, and nobody else's", async () => {
    const home = await portal.addOrganisation();
    const by = await keyOf(await portal.signInAs("org_admin", { organisationId: home }));
    for (let i = 0; i < 4; i += 1) await portal.addPerson({ organisationId: home });
    const seen: number[] = [];
    let cursor: string | null = "";
    do {
      const { status, json } = await manage("GET", `users?limit=2${cursor ? `&cursor=${cursor}` : ""}`, { by });
      expect(status).toBe(200);
      seen.push(...json.data.map(({ id }: { id: number }) => id));
      cursor = json.next_cursor;
    } while (cursor !== null);
    const own = await portal.sql("SELECT id FROM app_user WHERE organisation_id = $1 ORDER BY id DESC", [home]);
    expect(seen).toEqual(own.map(({ id }) => id));
    expect(seen).toHaveLength(5);
  });

  test("a person is found by email address, role and status", async () => {
    const person = await aMember({ role: "viewer", status: "suspended" });
    const found = await manage("GET", `users?q=${person.email}&role=viewer&status=suspended`);
    expect(found.json.data.map(({ id }: { id: number }) => id)).toEqual([person.userId]);
    const read = await manage("GET", `users/${person.userId}`);
    expect(read.json).toEqual(found.json.data[0]);
    expect(read.json).toMatchObject({ email: person.email, role: "viewer", status: "suspended", budget_limit: null });
  });

  test("its own organisation, with money as exact decimals", async () => {
    const { json } = await manage("PATCH", `organisations/${organisationId}`, {
      body: '{"name":"Renamed","monthly_budget":12.000000001}',
    });
    expect(json).toMatchObject({ id: organisationId, name: "Renamed", monthly_budget: 12.000000001, balance: 0 });
    expect((await manage("GET", "organisations")).json).toEqual({
      data: [(await manage("GET", `organisations/${organisationId}`)).json],
      next_cursor: null,
    });
  });

  test.each(["users?limit=0", "users?limit=201", "users?role=king", "users?cursor=MQ", "users?q=a%00"])(
    "%s is refused",
    async (path) => {
      expect(await manage("GET", path)).toMatchObject({ status: 422, code: "validation_error" });
    },
  );
});

describe("what an admin key changes", () => {
  test("role and status, in one act of the person and the key, in the audit log", async () => {
    const { userId, email } = await aMember();
    const changed = await manage("PATCH", `users/${userId}`, { body: { role: "viewer", status: "suspended" } });
    expect(changed.json).toMatchObject({ id: userId, role: "viewer", status: "suspended" });
    const acts = await portal.sql(
      "SELECT action, actor_id, actor_label, address FROM act WHERE subject_user_id = $1 ORDER BY id",
      [userId],
    );
    expect(acts.map(({ action }) => action)).toEqual(["user.role", "user.status"]);
    for (const act of acts) {
      expect(act.actor_id).toBe(admin.person.userId);
      expect(act.actor_label).toMatch(new RegExp(`^${admin.person.email} by admin key key_[0-9A-Za-z]+$`));
      expect(act.address).toMatch(/127\.0\.0\.1|::1/);
    }
    expect((await portal.mail(email)).text).toContain("Viewer");
  });

  test("a budget, exactly, with its period, and the payer stays who it is", async () => {
    const { userId } = await aMember();
    await portal.sql("UPDATE app_user SET billing_mode = 'own' WHERE id = $1", [userId]);
    const own = { billing_mode: "own", credit_limit: 0 };
    const set = await manage("PATCH", `users/${userId}`, {
      body: '{"budget_limit":0.000000001,"budget_period":"daily"}',
    });
    expect(set.json).toMatchObject({ ...own, budget_limit: 1e-9, budget_period: "daily", budget_used: 0 });
    const monthly = await manage("PATCH", `users/${userId}`, { body: { budget_limit: 7 } });
    expect(monthly.json).toMatchObject({ ...own, budget_limit: 7, budget_period: "monthly" });
    const none = await manage("PATCH", `users/${userId}`, { body: { budget_limit: null } });
    expect(none.json).toMatchObject({ ...own, budget_limit: null });
    const acts = await portal.sql("SELECT action FROM act WHERE subject_user_id = $1", [userId]);
    expect(acts.map(({ action }) => action)).toEqual(Array(3).fill("user.spending_limit"));
    for (const body of [
      '{"budget_period":"daily"}',
      '{"budget_limit":-1}',
      '{"budget_limit":"7"}',
      '{"budget_limit":1e-10}',
    ])
      expect(await manage("PATCH", `users/${userId}`, { body })).toMatchObject({ status: 422 });
  });

  test.each([
    ["a person's budget", (userId: number) => `users/${userId}`, "budget_limit"],
    ["the organisation's", () => `organisations/org`, "monthly_budget"],
  ])("%s is what the gateway admits by, to the nano-dollar", async (_, pathOf, field) => {
    const home = await portal.addOrganisation();
    await portal.sql("UPDATE ledger_account SET exempt = true WHERE organisation_id = $1", [home]);
    const by = await keyOf(await portal.signInAs("org_admin", { organisationId: home }));
    const person = await portal.signInAs("member", { organisationId: home });
    const made = await person.browser.post("/dashboard/keys/new", { name: "spends" }, { json: true });
    const { key: secret } = (await made.json()) as { key: string };
    const path = pathOf(person.person.userId).replace("/org", `/${home}`);
    const set = async (nanoUsd: bigint) => {
      const amount = `${nanoUsd / 1_000_000_000n}.${String(nanoUsd % 1_000_000_000n).padStart(9, "0")}`;
      expect((await manage("PATCH", path, { by, body: `{"${field}":${amount}}` })).status).toBe(200);
    };
    const call = async () => {
      const response = await fetch(`${portal.url}/v1/chat/completions`, {
        method: "POST",
        headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
        body: JSON.stringify({ model: "sandbox-chat", max_tokens: 20, messages: [{ role: "user", content: "Hello" }] }),
      });
      const { error } = (await response.json()) as { error?: { code: string } };
      return { id: response.headers.get("x-request-id"), code: error?.code ?? null };
    };
    const spent = async () => {
      const [row] = await portal.sql(
        `SELECT sum(c.spent)::text AS spent, sum(c.held)::text AS held FROM budget_counter c JOIN budget b ON b.id = c.budget_id
          WHERE b.active AND b.organisation_id = $1`,
        [home],
      );
      expect(row.held).toBe("0");
      return BigInt(row.spent as string);
    };

    await set(1_000_000_000n);
    const { id, code } = await call();
    expect(code).toBeNull();
    const [{ amount }] = await portal.sql("SELECT amount::text AS amount FROM hold WHERE id = $1", [id]);
    const needed = (await spent()) + BigInt(amount as string);
    await set(needed - 1n);
    expect((await call()).code).toBe("budget_exceeded");
    await set(needed);
    expect((await call()).code).toBeNull();
    expect(await spent()).toBeLessThanOrEqual(needed);
    expect((await call()).code).toBe("budget_exceeded");
  });

  test("of a change that cannot be whole nothing stays", async () => {
    const { userId } = await aMember();
    await portal.sql("UPDATE organisation SET billing_user_id = $1 WHERE id = $2", [userId, organisationId]);
    const both = await manage("PATCH", `users/${userId}`, {
      body: { budget_limit: 3, role: "viewer", status: "archived" },
    });
    await portal.sql("UPDATE organisation SET billing_user_id = NULL WHERE id = $1", [organisationId]);
    expect(both).toMatchObject({ status: 409, code: "conflict" });
    expect((await manage("GET", `users/${userId}`)).json.budget_limit).toBeNull();
    expect(await roleOf(userId)).toEqual({ role: "member", status: "active" });
  });

  test("of several at the same time each comes after another one", async () => {
    const { userId } = await aMember();
    const roles = ["viewer", "member", "viewer"];
    const answers = await Promise.all(roles.map((role) => manage("PATCH", `users/${userId}`, { body: { role } })));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const acts = await portal.sql(
      "SELECT before->>'role' AS before, after->>'role' AS after FROM act WHERE subject_user_id = $1 ORDER BY id",
      [userId],
    );
    expect(acts.map(({ before }) => before)).toEqual(["member", ...acts.slice(0, -1).map(({ after }) => after)]);
    expect((await roleOf(userId)).role).toBe(acts.at(-1).after);
  });
});

describe("climbing", () => {
  test.each(["org_admin", "platform_admin", "owner"])("nobody is made %s", async (role) => {
    const { userId } = await aMember();
    expect(await manage("PATCH", `users/${userId}`, { body: { role } })).toMatchObject({ status: 403 });
    expect(await roleOf(userId)).toEqual({ role: "member", status: "active" });
  });

  test.each(["org_admin", "platform_admin", "owner"] as const)("a %s is left alone", async (role) => {
    const { userId } = await aMember({ role });
    for (const body of [{ role: "viewer" }, { status: "suspended" }, { budget_limit: 1 }])
      expect(await manage("PATCH", `users/${userId}`, { body })).toMatchObject({ status: 403, code: "forbidden" });
    expect(await roleOf(userId)).toEqual({ role, status: "active" });
  });

  test("the person whose key it is cannot change themselves", async () => {
    const { userId } = admin.person;
    expect(await manage("PATCH", `users/${userId}`, { body: { role: "member" } })).toMatchObject({ status: 403 });
  });

  test("the key of an owner is an organisation admin's in its organisation, and nobody elsewhere", async () => {
    const owner = await portal.signInAs("owner");
    const by = await keyOf(owner);
    const { userId } = await portal.addPerson({ role: "org_admin" });
    expect(await manage("PATCH", `users/${userId}`, { by, body: { role: "member" } })).toMatchObject({ status: 403 });
    const elsewhere = await aMember();
    expect(await manage("GET", `users/${elsewhere.userId}`, { by })).toMatchObject({ status: 404, code: "not_found" });
    expect(await manage("GET", `organisations/${organisationId}`, { by })).toMatchObject({ status: 404 });
  });

  test.each(["organisation_id", "billing_exempt", "credit_limit", "monthly_budget", "department_id", "__proto__"])(
    "a person has no field %s to set",
    async (field) => {
      const { userId } = await aMember();
      const body = `{"${field}":1}`;
      expect(await manage("PATCH", `users/${userId}`, { body })).toMatchObject({ status: 422 });
    },
  );

  test.each(['{"billing_exempt":true}', '{"credit_limit":5}', '{"slug":"x"}', '{"monthly_budget":-1}', '{"name":""}'])(
    "an organisation is not given %s",
    async (body) => {
      expect(await manage("PATCH", `organisations/${organisationId}`, { body })).toMatchObject({ status: 422 });
    },
  );
});

describe("whose key it is", () => {
  const PATHS = ["users", "organisations"];

  test.each(PATHS)("%s: not an ordinary key's", async (path) => {
    const by = await keyOf(admin, "inference");
    expect(await manage("GET", path, { by })).toMatchObject({ status: 403, code: "permission_denied" });
  });

  test.each(PATHS)("%s: not a key's that nobody was told", async (path) => {
    const by = portal.gateway.adminKey;
    expect(await manage("GET", path, { by })).toMatchObject({ status: 403, code: "permission_denied" });
    expect((await manage("GET", "keys", { by })).status).toBe(200);
  });

  test("a key that an admin key makes is that person's too, and ends with their rank", async () => {
    const maker = await portal.signInAs("org_admin", { organisationId });
    const first = await keyOf(maker);
    const made = await manage("POST", "keys", { by: first, body: { name: "minted", kind: "admin" } });
    const by = made.json.key as string;
    const { userId } = await aMember();
    expect((await manage("GET", `users/${userId}`, { by })).status).toBe(200);
    // A demotion may keep the person's admin keys; these then manage keys, but no people.
    const { browser } = await portal.signInAs("platform_admin");
    const end = { role: "member", revoke_admin_keys: "false" };
    await browser.post(`/dashboard/admin/users/${maker.person.userId}/role`, end, { json: true });
    expect((await manage("GET", "keys", { by })).status).toBe(200);
    for (const path of PATHS)
      expect(await manage("GET", path, { by })).toMatchObject({ status: 403, code: "permission_denied" });
    expect(await manage("PATCH", `users/${userId}`, { by, body: { role: "viewer" } })).toMatchObject({ status: 403 });
  });

  test("a revoked key changes nobody from that moment on", async () => {
    const by = await keyOf(admin);
    const list = await manage("GET", "keys?status=active", { by });
    const newest = list.json.data.find(({ key_hint: hint }: { key_hint: string }) => by.endsWith(hint.slice(-4)));
    expect((await manage("DELETE", `keys/${newest.id}`)).status).toBe(200);
    const { userId } = await aMember();
    const refused = await manage("PATCH", `users/${userId}`, { by, body: { role: "viewer" } });
    expect([401, 403]).toContain(refused.status);
    expect(await roleOf(userId)).toEqual({ role: "member", status: "active" });
  });
});

test("broken and oversized bodies change nothing", async () => {
  const { userId } = await aMember();
  for (const body of ['{"role":', "[]", "null", `{"role":"${"x".repeat(1_100_000)}"}`])
    expect((await manage("PATCH", `users/${userId}`, { body })).status).toBeGreaterThanOrEqual(400);
  for (const id of ["0", "-1", "1e3", "2147483648", "x", randomUUID(), "1%20OR%201"])
    expect(await manage("GET", `users/${id}`)).toMatchObject({ status: 404, code: "not_found" });
  expect(await roleOf(userId)).toEqual({ role: "member", status: "active" });
});
