import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Browser, type Portal, type Role, type SignedIn, startPortal } from "../support/portal";

let portal: Portal;
let away: number;
const people = {} as Record<"owner" | "orgAdmin" | "departmentAdmin" | "member" | "viewer" | "stranger", SignedIn>;
const keys = { own: 0, colleague: 0, foreign: 0 };

beforeAll(async () => {
  portal = await startPortal();
  away = await portal.addOrganisation("CANARY-away");
  const [{ id: home }] = await portal.sql("SELECT min(id)::int AS id FROM organisation");
  const departmentId = await portal.addDepartment(home, "Research");
  const signIn = (role: Role, fields = {}) => portal.signInAs(role, { departmentId, ...fields });
  people.owner = await portal.signInAs("owner");
  people.orgAdmin = await signIn("org_admin");
  people.departmentAdmin = await signIn("department_admin");
  people.member = await signIn("member");
  people.viewer = await signIn("viewer");
  people.stranger = await portal.signInAs("org_admin", { organisationId: away });
  const colleague = await signIn("member");
  keys.own = (await createKey(people.member.browser, { name: "CANARY-own" })).id;
  keys.colleague = (await createKey(colleague.browser, { name: "CANARY-colleague" })).id;
  keys.foreign = (await createKey(people.stranger.browser, { name: "CANARY-foreign" })).id;
});
afterAll(() => portal?.close());

async function createKey(browser: Browser, fields: object): Promise<{ id: number; key: string; key_id: string }> {
  const response = await browser.post("/dashboard/keys/new", fields, { json: true });
  expect(response.status).toBe(200);
  return response.json();
}
const callWith = (key: string) =>
  fetch(`${portal.url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "sandbox-chat", messages: [{ role: "user", content: "Hello" }] }),
  }).then(({ status }) => status);
const textOf = async (response: Promise<Response>) => (await response).text();

describe("who may come here", () => {
  const pages = () => [
    ...["/dashboard", "/dashboard/keys", "/dashboard/keys/new", "/dashboard/get-started", "/dashboard/guide"],
    ...["/dashboard/settings", `/dashboard/keys/${keys.own}`],
  ];

  test("visitors are sent to the sign-in, programs get 401", async () => {
    for (const path of pages()) {
      const page = await portal.visitor().get(path);
      expect([page.status, page.headers.get("location")], path).toEqual([
        303,
        `/login?next=${encodeURIComponent(path)}`,
      ]);
    }
    for (const path of ["/dashboard/keys/export", "/dashboard/admin/api/key-rate-limit-state?key_id=1"]) {
      expect((await portal.visitor().getJson(path)).status, path).toBe(401);
    }
  });

  test("the owner of a key sees every page", async () => {
    for (const path of pages()) expect((await people.member.browser.get(path)).status, path).toBe(200);
  });

  test("viewers read, and make no keys", async () => {
    const { browser } = people.viewer;
    expect((await browser.get("/dashboard/keys")).status).toBe(200);
    expect((await browser.get("/dashboard/keys/new")).status).toBe(403);
    expect((await browser.post("/dashboard/keys/new", { name: "no" }, { json: true })).status).toBe(403);
  });

  test("the limiter of administration is closed below department admins", async () => {
    const path = `/dashboard/admin/api/key-rate-limit-state?key_id=${keys.own}`;
    expect((await people.member.browser.getJson(path)).status).toBe(403);
    expect((await people.departmentAdmin.browser.getJson(path)).status).toBe(200);
    expect((await people.orgAdmin.browser.getJson(path)).status).toBe(200);
    expect((await people.stranger.browser.getJson(path)).status).toBe(404);
    for (const query of ["", "?key_id=", "?key_id=abc", "?key_id=1&key_id=2"]) {
      const answer = await people.orgAdmin.browser.getJson(`/dashboard/admin/api/key-rate-limit-state${query}`);
      expect(answer.status, query).toBe(422);
      expect(await answer.json()).toMatchObject({ code: "validation_error", detail: [{ loc: ["query", "key_id"] }] });
    }
  });
});

describe("what lies outside somebody's scope", () => {
  test("is answered like what does not exist, whatever is asked of it", async () => {
    const { browser } = people.member;
    const answers = async (id: number) => {
      const seen: string[] = [];
      for (const response of [
        await browser.getJson(`/dashboard/keys/${id}`),
        await browser.getJson(`/dashboard/keys/${id}/limiter`),
        ...(await Promise.all(
          [
            { name: "mine" },
            { intent: "rotate" },
            { intent: "suspend" },
            { intent: "resume" },
            { intent: "revoke" },
          ].map((fields) => browser.post(`/dashboard/keys/${id}`, fields, { json: true })),
        )),
      ]) {
        seen.push(`${response.status} ${await response.text()}`);
      }
      return seen;
    };
    const missing = await answers(99_999);
    expect(missing.every((answer) => answer.startsWith("404 "))).toBe(true);
    expect(await answers(keys.foreign)).toEqual(missing);
    expect(await answers(keys.colleague)).toEqual(missing);
  });

  test("occurs on no page", async () => {
    for (const path of ["/dashboard", "/dashboard/keys", "/dashboard/keys/export", "/dashboard/guide"]) {
      const text = await textOf(people.member.browser.get(path));
      expect(text, path).not.toMatch(/CANARY-(?:foreign|colleague|away)/);
    }
    const admin = await textOf(people.orgAdmin.browser.get("/dashboard/keys"));
    expect(admin).toContain("CANARY-colleague");
    expect(admin).not.toMatch(/CANARY-(?:foreign|away)/);
  });

  test("is open to the owner of the installation", async () => {
    expect((await people.owner.browser.get(`/dashboard/keys/${keys.foreign}`)).status).toBe(200);
    expect(await textOf(people.owner.browser.get("/dashboard/keys"))).toContain("CANARY-foreign");
  });
});

describe("malformed requests", () => {
  test.each([
    ["/dashboard/keys/abc", "path", "key_id"],
    ["/dashboard/keys/1.5", "path", "key_id"],
    ["/dashboard/keys?status=gone", "query", "status"],
    ["/dashboard/keys?after=nonsense", "query", "after"],
    ["/dashboard/keys?sort=secret", "query", "sort"],
    ["/dashboard?range=1y", "query", "range"],
    ["/dashboard/guide?key=x", "query", "key"],
  ])("%s: 422 names %s %s", async (path, place, name) => {
    expect((await people.member.browser.get(path)).status).toBe(422);
    const answer = await people.member.browser.getJson(path);
    expect(answer.status).toBe(422);
    expect(await answer.json()).toMatchObject({ code: "validation_error", detail: [{ loc: [place, name] }] });
  });

  test.each([
    [{ name: "" }, "name"],
    [{ name: "a", budget_limit: "-1" }, "budget_limit"],
    [{ name: "a", budget_limit: "1e3" }, "budget_limit"],
    [{ name: "a", rate_limit_rpm: "0" }, "rate_limit_rpm"],
    [{ name: "a", budget_period: "yearly" }, "budget_period"],
    [{ name: "a", expires_at: "tomorrow" }, "expires_at"],
    [{ name: "a", metadata: "no equals sign" }, "metadata"],
    [{ name: "a", allowed_regions: "e u/!" }, "allowed_regions"],
    [{ name: "a", allowed_origins: "https://app.example.com/chat" }, "allowed_origins"],
    [{ name: "a", owner: "somebody" }, "owner"],
  ])("a new key %j: 422 names %s, and the form keeps what was typed", async (fields, name) => {
    const answer = await people.member.browser.post("/dashboard/keys/new", fields, { json: true });
    expect(answer.status).toBe(422);
    expect((await answer.json()).detail.map(({ loc }: { loc: string[] }) => loc[1])).toContain(name);
    const page = await people.member.browser.post("/dashboard/keys/new", { metadata: "kept=yes\nkept too", ...fields });
    expect(page.status).toBe(422);
  });
});

describe("a key from its making to its end", () => {
  test("the secret is shown until it is stored, to its person only, and stands in no address", async () => {
    const { browser } = people.member;
    const made = await browser.post("/dashboard/keys/new", {
      name: "shown once",
      budget_limit: "25",
      "model:sandbox-chat": "on",
      allowed_models: "",
    });
    expect(made.status).toBe(303);
    const page = made.headers.get("location") as string;
    expect(page).toMatch(/^\/dashboard\/keys\/\d+$/);
    const [secret] = /gw_[0-9A-Za-z]{49}/.exec(await textOf(browser.get(page))) ?? [];
    expect(await callWith(secret as string)).toBe(200);
    expect(await textOf(browser.get(page))).toContain(secret);
    const colleague = await portal.signIn(people.viewer.person);
    colleague.cookies.set("gw_once", browser.cookies.get("gw_once") ?? "");
    for (const path of ["/dashboard/get-started", page])
      expect(await textOf(colleague.get(path)), path).not.toContain(secret);
    expect((await browser.post("/dashboard/secret-stored")).status).toBe(303);
    expect(await textOf(browser.get(page))).not.toContain(secret);
    expect(portal.gateway.output()).not.toContain(secret);
    const [row] = await portal.sql("SELECT allowed_models FROM api_key WHERE id = $1", [
      Number(page.split("/").at(-1)),
    ]);
    expect(row.allowed_models).toEqual(["sandbox-chat"]);
  });

  test("rotation replaces the secret, with or without an overlap", async () => {
    const { browser } = people.member;
    const first = await createKey(browser, { name: "rotated" });
    const rotate = async (fields: object) =>
      (await browser.post(`/dashboard/keys/${first.id}`, { intent: "rotate", ...fields }, { json: true })).json();
    const second = await rotate({ overlap: "3600" });
    expect(await Promise.all([callWith(first.key), callWith(second.key)])).toEqual([200, 200]);
    const third = await rotate({ overlap_seconds: 0 });
    expect(await Promise.all([first.key, second.key, third.key].map(callWith))).toEqual([401, 401, 200]);
    const wrong = await browser.post(
      `/dashboard/keys/${first.id}`,
      { intent: "rotate", overlap: "custom", overlap_hours: "900" },
      { json: true },
    );
    expect(wrong.status).toBe(422);
  });

  test("suspending, resuming and revoking take effect at once, the last one by typing", async () => {
    const { browser } = people.member;
    const { id, key } = await createKey(browser, { name: "to be ended" });
    const act = (fields: Record<string, string>) => browser.post(`/dashboard/keys/${id}`, fields);
    expect((await act({ intent: "suspend" })).status).toBe(303);
    expect(await callWith(key)).toBe(403);
    expect((await act({ intent: "resume" })).status).toBe(303);
    expect(await callWith(key)).toBe(200);
    expect((await act({ intent: "revoke" })).status).toBe(422);
    expect((await act({ intent: "revoke", confirm: "to be" })).status).toBe(422);
    expect(await callWith(key)).toBe(200);
    expect((await act({ intent: "revoke", confirm: "to be ended" })).status).toBe(303);
    expect(await callWith(key)).toBe(401);
    const again = await browser.post(`/dashboard/keys/${id}`, { name: "alive" }, { json: true });
    expect([again.status, (await again.json()).code]).toEqual([409, "conflict"]);
  });

  test("settings change one by one for programs, and all at once by the form", async () => {
    const { browser } = people.member;
    const { id } = await createKey(browser, {
      name: "changing",
      metadata: { team: "search" },
      allowed_models: ["a", "b"],
    });
    const row = async () =>
      (await portal.sql("SELECT name, allowed_models, rate_limit_rpm, metadata FROM api_key WHERE id = $1", [id]))[0];
    await browser.post(`/dashboard/keys/${id}`, { autorouter: "cheapest", rate_limit_rpm: 5 }, { json: true });
    expect(await row()).toEqual({
      name: "changing",
      allowed_models: ["a", "b"],
      rate_limit_rpm: 5,
      metadata: { team: "search", autorouter: "cheapest" },
    });
    const form = {
      intent: "update",
      name: "changed",
      allowed_models: "",
      allowed_regions: "",
      rate_limit_rpm: "",
      metadata: "",
      autorouter: "",
      allowed_origins: "https://App.example.com/\nhttp://localhost:5173",
    };
    expect((await browser.post(`/dashboard/keys/${id}`, form)).status).toBe(303);
    expect(await row()).toEqual({ name: "changed", allowed_models: [], rate_limit_rpm: null, metadata: {} });
    expect(await textOf(browser.get(`/dashboard/keys/${id}`))).toContain(
      "https://app.example.com, http://localhost:5173",
    );
  });

  test("its page tells what was refused, and what was done to it", async () => {
    const { browser } = people.member;
    const { id, key } = await createKey(browser, { name: "told", allowed_models: ["sandbox-embed"] });
    expect(await callWith(key)).toBe(403);
    await expect
      .poll(async () => textOf(browser.get(`/dashboard/keys/${id}`)), { timeout: 10_000 })
      .toContain("model_not_allowed");
    expect(await textOf(browser.get(`/dashboard/keys/${id}`))).toContain("created the key");
  });

  test("the list and its page say that it is out of budget, until a request is admitted", async () => {
    const { browser } = people.member;
    const limited = { name: "spent", budget_limit: "0", budget_period: "monthly" };
    const { id, key } = await createKey(browser, limited);
    const shown = (path: string) => textOf(browser.get(path));
    expect(await shown(`/dashboard/keys/${id}`)).not.toContain("out of budget");
    expect(await callWith(key)).toBe(429);
    for (const path of ["/dashboard/keys?q=spent", `/dashboard/keys/${id}`])
      await expect.poll(() => shown(path), { timeout: 10_000 }).toMatch(/out of budget since \w+ \d+, \d\d:\d\d UTC/);
    await browser.post(`/dashboard/keys/${id}`, { budget_limit: "5" }, { json: true });
    expect(await callWith(key)).toBe(200);
    await expect.poll(() => shown(`/dashboard/keys/${id}`), { timeout: 10_000 }).not.toContain("out of budget");
  });

  test("the limiter counts what was admitted", async () => {
    const { browser } = people.member;
    const { id, key } = await createKey(browser, { name: "limited", rate_limit_rpm: 3 });
    expect(await Promise.all([key, key, key].map(callWith))).toEqual([200, 200, 200]);
    expect(await callWith(key)).toBe(429);
    const state = await (await browser.getJson(`/dashboard/keys/${id}/limiter`)).json();
    expect(state).toMatchObject({ ok: true, key_id: id, limit: 3, used: 3, free: 0 });
    expect(state.seconds.reduce((sum: number, n: number) => sum + n, 0)).toBe(3);
  });

  test("the file has the rows of the filter, without formulas", async () => {
    const { browser } = people.member;
    const settings = { rate_limit_rpm: 5, allowed_models: "a b", allowed_origins: "https://app.example.com" };
    await createKey(browser, { name: "=1+1", ...settings, expires_at: "2040-01-01" });
    const file = await browser.get("/dashboard/keys/export?q=1%2B1");
    expect(file.headers.get("content-type")).toContain("text/csv");
    const lines = (await file.text()).trim().split("\r\n");
    expect(lines).toHaveLength(2);
    expect(lines[1]).toContain("'=1+1");
    const columns = (lines[0] as string).replace("\ufeff", "").split(",");
    expect(columns.join(" ")).toBe(
      "id key_id name kind hint status holder department project organisation budget_limit budget_period budget_spent budget_held " +
        "resets_at rate_limit_rpm allowed_models allowed_regions spend_30_days requests_30_days last_used created created_by " +
        "expires_at allowed_origins",
    );
    const row = Object.fromEntries((lines[1] as string).split(",").map((cell, index) => [columns[index], cell]));
    expect(row).toMatchObject({ ...settings, rate_limit_rpm: "5", expires_at: "2040-01-01T23:59:59.000Z" });
  });
});

describe("the management API", () => {
  test("writes acts too, in the name of the admin key", async () => {
    const { id } = await portal.gateway.createKey({ name: "by program" });
    const acts = await portal.sql(
      "SELECT a.action, a.actor_label FROM act a JOIN api_key k ON a.target_id = k.id::text WHERE k.public_id = $1",
      [id],
    );
    expect(acts).toEqual([{ action: "key.create", actor_label: expect.stringMatching(/^admin key key_/) }]);
  });
});
