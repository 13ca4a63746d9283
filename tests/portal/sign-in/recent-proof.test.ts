import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { AUTHORISATION, RECENT_PROOF } from "../../contract/authorisation-table";
import { type Browser, mailsTo, OWNER_PASSWORD, type Person, type Portal, startPortal } from "../../support/portal";
import { aTenant, MISSING } from "../../support/tenants";
import { BODIES } from "../manage/bodies";

let portal: Portal;
beforeAll(async () => {
  portal = await startPortal();
}, 120_000);
afterAll(() => portal?.close());

/** Creates an owner with a password whose sign-in is old, and a person to act on. */
async function aStaleOwner() {
  const { browser, person } = await portal.signInAs("owner");
  await portal.sql(
    "UPDATE app_user SET password_hash = (SELECT password_hash FROM app_user WHERE email = 'owner@example.com') WHERE id = $1",
    [person.userId],
  );
  await age(person);
  const target = await portal.addPerson();
  return { browser, person, target, page: `/dashboard/admin/users/${target.userId}` };
}

const age = (person: Person, minutes = 16) =>
  portal.sql("UPDATE session SET proved_at = now() - make_interval(mins => $2::int) WHERE user_id = $1", [
    person.userId,
    minutes,
  ]);

const from = (page: string) => ({ headers: { referer: portal.url + page } });

const confirm = (browser: Browser, password: string, next: string) =>
  browser.post("/account/confirm", { password, next });

const rowOf = async ({ userId }: Person) =>
  (await portal.sql("SELECT billing_exempt, billing_mode, status, role FROM app_user WHERE id = $1", [userId]))[0];

/** Returns all actions that require a recent proof, on a person and on two organisations. */
async function actsOn(target: Person): Promise<[path: string, fields: Record<string, string>][]> {
  const [keep, gone] = [await portal.addOrganisation(), await portal.addOrganisation()];
  const user = `/dashboard/admin/users/${target.userId}`;
  return [
    [`${user}/billing-exempt`, { billing_exempt: "true" }],
    [`${user}/credit-limit`, { credit_limit: "5" }],
    [`${user}/billing-config`, { billing_mode: "own", spending_limit: "9" }],
    ["/dashboard/admin/organisations/merge", { target_org_id: String(keep), source_org_ids: String(gone) }],
    [`/dashboard/admin/organisations/${keep}`, { billing_exempt: "true" }],
    ["/dashboard/admin/organisations", { name: "Exempt Ltd", billing_exempt: "true" }],
    [`${user}/role`, { role: "owner" }],
    [`${user}/role`, { role: "platform_admin" }],
    ["/dashboard/admin/users/invite", { email: `new-${target.userId}@example.com`, role: "platform_admin" }],
    ["/dashboard/keys/new", { name: "Root", kind: "admin" }],
    [`/dashboard/keys/${await adminKeyOf(target)}`, { intent: "rotate", overlap_hours: "0" }],
    [`${user}/hard-delete`, { confirm: target.email }],
  ];
}

async function adminKeyOf({ organisationId }: Person): Promise<number> {
  const [row] = await portal.sql(
    "SELECT id FROM api_key WHERE kind = 'admin' AND status = 'active' AND organisation_id = $1 ORDER BY id DESC LIMIT 1",
    [organisationId],
  );
  return row.id;
}

const keysAndInvites = async () =>
  (
    await portal.sql(
      "SELECT (SELECT count(*)::int FROM api_key) AS keys, (SELECT max(secret_hmac::text) FROM api_key) AS secret, (SELECT count(*)::int FROM invite) AS invites",
    )
  )[0];

describe("sixteen minutes after signing in", () => {
  test("a program gets 401 and a sentence that says what to do, and nothing is done", async () => {
    const { browser, target } = await aStaleOwner();
    const [before, others] = [await rowOf(target), await keysAndInvites()];
    for (const [path, fields] of await actsOn(target)) {
      const answer = await browser.post(path, fields, { json: true });
      const { code, human_message: human } = await answer.json();
      expect([path, answer.status, code]).toEqual([path, 401, "authentication_required"]);
      expect(human).toContain("/account/confirm");
    }
    expect(await rowOf(target)).toEqual(before);
    expect(await keysAndInvites()).toEqual(others);
    expect((await browser.getJson("/dashboard/keys")).status).toBe(200);
  });

  test("a browser is sent to confirm, and finds nothing done and the way back to its page", async () => {
    const { browser, target, page } = await aStaleOwner();
    const before = await rowOf(target);
    for (const [path, fields] of await actsOn(target)) {
      const sent = await browser.post(path, fields, from(`${page}?x=1`));
      const next = encodeURIComponent(`${page}?x=1`);
      expect([path, sent.status, sent.headers.get("location")]).toEqual([path, 303, `/account/confirm?next=${next}`]);
    }
    expect(await rowOf(target)).toEqual(before);
    const text = await (await browser.get(`/account/confirm?next=${encodeURIComponent(page)}`)).text();
    expect(text).toContain("Confirm it’s you");
    expect(text).toContain(`value="${page}"`);
  });

  test("acts that ask for nothing go on", async () => {
    const { browser, page, target } = await aStaleOwner();
    expect((await browser.post(`${page}/status`, { status: "suspended" }, { json: true })).status).toBe(200);
    const limit = { billing_mode: "inherit", spending_limit: "9" };
    expect((await browser.post(`${page}/billing-config`, limit, { json: true })).status).toBe(200);
    const name = { name: "Renamed", billing_exempt: "false" };
    const path = `/dashboard/admin/organisations/${await portal.addOrganisation()}`;
    expect((await browser.post(path, name, { json: true })).status).toBe(200);
    expect((await rowOf(target)).status).toBe("suspended");
  });
});

describe("after confirming", () => {
  test("the page says to repeat the act, and it works, for a quarter of an hour", async () => {
    const { browser, person, target, page } = await aStaleOwner();
    const answer = await confirm(browser, OWNER_PASSWORD, page);
    expect([answer.status, answer.headers.get("location")]).toEqual([303, page]);
    expect(await (await browser.follow(answer)).text()).toContain("Confirmed for 15 minutes");
    for (const [path, fields] of await actsOn(target)) {
      const done = await browser.post(path, fields, { json: true });
      expect([path, done.status]).toEqual([path, 200]);
    }
    expect((await rowOf(target)).status).toBe("deleted");
    await age(person, 14);
    const another = await portal.addPerson();
    const exempt = () => browser.post(`/dashboard/admin/users/${another.userId}/billing-exempt`, {}, { json: true });
    expect((await exempt()).status).toBe(200);
    await age(person, 16);
    expect((await exempt()).status).toBe(401);
  });

  test("the session goes on under another token; a copy of the one before is signed out", async () => {
    const { browser, page } = await aStaleOwner();
    const copy = portal.visitor();
    copy.cookies.set("gw_session", browser.cookies.get("gw_session") as string);
    const answer = await browser.post("/account/confirm", { password: OWNER_PASSWORD, next: page }, { json: true });
    expect([answer.status, await answer.json()]).toEqual([200, { ok: true, location: page }]);
    expect((await browser.getJson("/dashboard/keys")).status).toBe(200);
    expect((await copy.getJson("/dashboard/keys")).status).toBe(401);
  });
});

describe("a confirmation is refused", () => {
  test("with a wrong password, on the page and for programs, and proves nothing", async () => {
    const { browser, page } = await aStaleOwner();
    const here = `/account/confirm?next=${encodeURIComponent(page)}`;
    const wrong = await browser.post(here, { password: "something else entirely", next: page });
    expect(wrong.status).toBe(401);
    const text = await wrong.text();
    expect(text).toContain("That password isn’t correct.");
    expect(text).toContain(`value="${page}"`);
    const json = await browser.post("/account/confirm", { password: "something else" }, { json: true });
    expect([json.status, (await json.json()).code]).toEqual([401, "invalid_credentials"]);
    const empty = await browser.post("/account/confirm", {}, { json: true });
    expect([empty.status, (await empty.json()).detail[0].loc]).toEqual([422, ["body", "password"]]);
    expect((await browser.post(`${page}/billing-exempt`, {}, { json: true })).status).toBe(401);
  });

  test("after too many attempts, which lock nothing but this session", async () => {
    const { browser, person } = await aStaleOwner();
    for (let count = 0; count < 10; count += 1) await confirm(browser, "something else entirely", "/dashboard");
    const answer = await browser.post("/account/confirm", { password: OWNER_PASSWORD }, { json: true });
    expect([answer.status, (await answer.json()).code]).toEqual([429, "rate_limit_exceeded"]);
    expect(answer.headers.get("retry-after")).toMatch(/^\d+$/);
    const fields = { email: person.email, password: OWNER_PASSWORD };
    expect((await portal.visitor().post("/auth/login", fields, { json: true })).status).toBe(200);
  });

  test("to a visitor, who is sent to sign in", async () => {
    const page = await portal.visitor().get("/account/confirm?next=%2Fdashboard");
    expect(page.headers.get("location")).toBe("/login?next=%2Faccount%2Fconfirm%3Fnext%3D%252Fdashboard");
    const answer = await portal.visitor().post("/account/confirm", { password: OWNER_PASSWORD }, { json: true });
    expect(answer.status).toBe(401);
  });

  test("and never leads to another site", async () => {
    const { browser } = await aStaleOwner();
    const answer = await confirm(browser, OWNER_PASSWORD, "https://evil.test/");
    expect(answer.headers.get("location")).toBe("/dashboard");
    expect(await (await browser.get("/account/confirm?next=%2F%2Fevil.test")).text()).not.toContain("evil.test");
  });
});

describe("what was typed waits for the proof", () => {
  const confirmed = async (browser: Browser, page: string, path: string, fields: Record<string, string>) => {
    await browser.post(path, fields, from(page));
    await browser.get(`/account/confirm?next=${encodeURIComponent(page)}`);
    return browser.follow(await confirm(browser, OWNER_PASSWORD, page)).then((answer) => answer.text());
  };

  test("in the form of a key", async () => {
    const { browser } = await aStaleOwner();
    const page = "/dashboard/keys/new";
    const text = await confirmed(browser, page, page, { name: "Typed already", kind: "admin", rate_limit_rpm: "77" });
    expect(text).toContain('value="Typed already"');
    expect(text).toContain('value="77"');
    expect(await (await browser.get(page)).text()).not.toContain("Typed already");
  });

  test("in the form of an invitation", async () => {
    const { browser } = await aStaleOwner();
    const page = "/dashboard/admin/users/invite";
    const text = await confirmed(browser, page, page, { email: "typed@example.com", role: "platform_admin" });
    expect(text).toContain('value="typed@example.com"');
    expect(text).toMatch(/<option value="platform_admin" selected/);
  });

  test("in the form of a role", async () => {
    const { browser, page } = await aStaleOwner();
    expect(await confirmed(browser, page, `${page}/role`, { role: "platform_admin" })).toMatch(
      /<option value="platform_admin" selected/,
    );
  });
});

describe("acts that ask for nothing", () => {
  test("are lower roles, invitations of others, and keys that are not for administration", async () => {
    const { browser, page } = await aStaleOwner();
    for (const [path, fields] of [
      [`${page}/role`, { role: "org_admin" }],
      ["/dashboard/admin/users/invite", { email: "member-to-be@example.com", role: "org_admin" }],
      ["/dashboard/keys/new", { name: "Ordinary" }],
    ] as const)
      expect([path, (await browser.post(path, fields, { json: true })).status]).toEqual([path, 200]);
  });
});

describe("a first password", () => {
  const fields = { intent: "password", new_password: "quite another set of words" };

  test("asks for a recent proof, and leaves nothing behind without one", async () => {
    const { browser, person } = await portal.signInAs("member");
    await age(person);
    const program = await browser.post("/dashboard/settings", fields, { json: true });
    expect([program.status, (await program.json()).code]).toEqual([401, "authentication_required"]);
    const form = await browser.post("/dashboard/settings", fields, from("/dashboard/settings"));
    expect([form.status, form.headers.get("location")]).toEqual([303, "/account/confirm?next=%2Fdashboard%2Fsettings"]);
    const [row] = await portal.sql("SELECT password_hash FROM app_user WHERE id = $1", [person.userId]);
    expect(row.password_hash).toBeNull();
  });

  test("is told by mail, and so is every later one", async () => {
    const { browser, person } = await portal.signInAs("member", { language: "de" });
    expect((await browser.post("/dashboard/settings", fields, { json: true })).status).toBe(200);
    const first = await portal.mail(person.email);
    expect(first.subject).toContain("hat jetzt ein Passwort");
    expect(first.text).toContain("127.0.0.1");
    expect(first.text).toContain("/forgot-password");
    const again = { ...fields, current_password: fields.new_password, new_password: "a third set of other words" };
    expect((await browser.post("/dashboard/settings", again, { json: true })).status).toBe(200);
    expect((await portal.mail(person.email, 1)).subject).toContain("wurde geändert");
  });
});

describe("what gives lasting access is told by mail", () => {
  test("a role, to whoever has it, and to the owners when it is one of those who run the installation", async () => {
    const { browser, person: owner } = await portal.signInAs("owner", { name: "Olga Owner" });
    const target = await portal.addPerson({ language: "es" });
    const role = (name: string) =>
      browser.post(`/dashboard/admin/users/${target.userId}/role`, { role: name }, { json: true });
    await role("org_admin");
    const mail = await portal.mail(target.email);
    expect(mail.subject).toContain("Su rol");
    expect(mail.text).toContain("Olga Owner cambió su rol");
    expect(await mailsTo(portal.gateway.dataDir, owner.email)).toEqual([]);
    await role("platform_admin");
    const told = await portal.mail(owner.email);
    expect(told.subject).toContain("New Platform admin");
    expect(told.text).toContain(target.email);
    expect((await portal.mail("owner@example.com")).text).toContain(target.email);
    await role("platform_admin");
    expect(await mailsTo(portal.gateway.dataDir, target.email)).toHaveLength(2);
  });

  test("an invitation to run the installation, to the owners", async () => {
    const { browser, person: owner } = await portal.signInAs("owner");
    const invite = { email: "runs-it-soon@example.com", role: "platform_admin" };
    expect((await browser.post("/dashboard/admin/users/invite", invite, { json: true })).status).toBe(200);
    expect((await portal.mail(owner.email)).text).toContain("runs-it-soon@example.com");
  });

  test("an admin key and its new secret, to the organisation's administrators and nobody else", async () => {
    const organisationId = await portal.addOrganisation();
    const { browser, person } = await portal.signInAs("org_admin", { organisationId });
    const colleague = await portal.addPerson({ organisationId, role: "org_admin", language: "fr" });
    const others = [await portal.addPerson({ organisationId }), await portal.addPerson({ role: "org_admin" })];
    const made = await browser.post("/dashboard/keys/new", { name: "Keymaster", kind: "admin" }, { json: true });
    const { id } = (await made.json()) as { id: number };
    for (const { email } of [person, colleague]) expect((await portal.mail(email)).text).toContain("Keymaster");
    expect((await portal.mail(colleague.email)).subject).toContain("Nouvelle clé d’administration");
    const rotate = { intent: "rotate", overlap_hours: "0" };
    expect((await browser.post(`/dashboard/keys/${id}`, rotate, { json: true })).status).toBe(200);
    expect((await portal.mail(person.email, 1)).text).toContain("rotated the secret");
    await browser.post("/dashboard/keys/new", { name: "Ordinary" }, { json: true });
    expect(await mailsTo(portal.gateway.dataDir, person.email)).toHaveLength(2);
    for (const { email } of others) expect(await mailsTo(portal.gateway.dataDir, email)).toEqual([]);
  });
});

test("another role ends the sessions of whoever gets it", async () => {
  const { browser } = await portal.signInAs("owner");
  const member = await portal.signInAs("member");
  const path = `/dashboard/admin/users/${member.person.userId}/role`;
  expect((await browser.post(path, { role: "org_admin" }, { json: true })).status).toBe(200);
  expect((await member.browser.getJson("/dashboard/keys")).status).toBe(401);
});

/** Operations that are not tried, because they would end the session or change its view. */
const APART = new Set(["POST /logout", "POST /account/confirm", "POST /dashboard/toggle-admin-mode"]);

test("every act that is written to ask for a proof does, and no other one", async () => {
  const { browser } = await aStaleOwner();
  const { objects } = await aTenant(portal, "proof");
  const changing = [...AUTHORISATION].filter(
    ([name, { least }]) => !name.startsWith("GET ") && least !== "anyone" && !APART.has(name),
  );
  expect(changing.length).toBeGreaterThan(100);
  const wrong: string[] = [];
  for (const [name] of changing) {
    const [method, published] = name.split(" ") as [string, string];
    const proof = RECENT_PROOF.get(name);
    // Operations that need no proof would succeed, so they are tried with ids of missing objects.
    const ids: Readonly<Record<string, string>> = proof === undefined ? MISSING : objects;
    const path = published.replace(/\{(\w+)\}/g, (_, id: string) => ids[id] ?? "1");
    const fields = proof === undefined || proof === "always" ? (BODIES[name] ?? {}) : proof;
    const answer = await browser.post(path, fields, { json: true, method });
    const asked = answer.status === 401 && (await answer.json()).code === "authentication_required";
    if (asked !== (proof !== undefined)) wrong.push(`${name}: ${asked ? "asks" : "does not ask"} (${answer.status})`);
  }
  expect(wrong).toEqual([]);
});
