import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Browser, linkIn, mailsTo, type Portal, startPortal } from "../../support/portal";

let portal: Portal;
beforeAll(async () => {
  portal = await startPortal();
}, 120_000);
afterAll(() => portal?.close());

const PASSWORD = "blue tea and quiet stairs";
let count = 0;
const someone = () => {
  count += 1;
  return {
    email: `person-${count}@sign-up.example`,
    name: `Ada ${count}`,
    organisation: `Engines ${count}`,
    password: PASSWORD,
    accept_terms: "on",
  };
};

async function tokenFor(email: string, after = 0): Promise<string> {
  const link = linkIn(await portal.mail(email, after), "/verify-email");
  return new URL(link, portal.url).searchParams.get("token") as string;
}

const register = (browser: Browser, fields: object) => browser.post("/auth/register", fields, { json: true });

describe("signing up", () => {
  test("by forms: a message, its link, a button, and the dashboard", async () => {
    const form = someone();
    const browser = portal.visitor();
    const sent = await browser.post("/auth/register", form);
    expect([sent.status, sent.headers.get("location")]).toEqual([303, "/verify-email"]);
    expect(await (await browser.get("/verify-email")).text()).toContain(form.email);

    const link = linkIn(await portal.mail(form.email), "/verify-email");
    const page = await browser.follow(await browser.get(link));
    expect(page.status).toBe(200);
    const token = await tokenFor(form.email);
    expect(page.url).not.toContain(token);
    expect(await page.text()).toContain("Confirm and continue");

    const done = await browser.post("/auth/verify-email", { token });
    expect([done.status, done.headers.get("location")]).toEqual([303, "/dashboard/get-started"]);
    expect((await browser.getJson("/api/legal/status")).status).toBe(200);
    const [row] = await portal.sql(
      `SELECT u.role, u.email_verified_at IS NOT NULL AS verified, o.name AS organisation,
         (SELECT count(*)::int FROM legal_acceptance l WHERE l.user_id = u.id) AS accepted,
         (SELECT count(*)::int FROM api_key k WHERE k.organisation_id = o.id AND k.kind = 'admin') AS admin_keys,
         (SELECT count(*)::int FROM ledger_account a WHERE a.payer_kind = 'organisation' AND a.payer_id = o.id AND a.kind = 'wallet') AS wallets
       FROM app_user u JOIN organisation o ON o.id = u.organisation_id WHERE u.email = $1`,
      [form.email],
    );
    expect(row).toEqual({
      role: "org_admin",
      // The email was written to a file, which does not verify the address.
      verified: false,
      organisation: form.organisation,
      accepted: 3,
      admin_keys: 1,
      wallets: 1,
    });
  });

  test("by JSON: the root admin key is told once and works", async () => {
    const form = someone();
    const browser = portal.visitor();
    expect(await (await register(browser, { ...form, accept_terms: true })).json()).toEqual({
      ok: true,
      email: form.email,
      next: "/verify-email",
    });
    const answer = await browser.post("/auth/verify-email", { token: await tokenFor(form.email) }, { json: true });
    const { ok, root_admin_key: key } = (await answer.json()) as { ok: boolean; root_admin_key: string };
    expect(ok).toBe(true);
    const list = await fetch(`${portal.url}/v1/manage/keys`, { headers: { authorization: `Bearer ${key}` } });
    expect(list.status).toBe(200);
  });

  test("an unconfirmed person owns nothing: no account, no organisation", async () => {
    const form = someone();
    await register(portal.visitor(), form);
    expect(await portal.sql("SELECT 1 FROM app_user WHERE email = $1", [form.email])).toEqual([]);
    expect(await portal.sql("SELECT 1 FROM organisation WHERE name = $1", [form.organisation])).toEqual([]);
  });

  test("an address that has an account gets the same answer, and a message that says so", async () => {
    const form = someone();
    const { person } = await portal.signInAs("member");
    const fresh = await register(portal.visitor(), form);
    const taken = await register(portal.visitor(), { ...form, email: person.email });
    const names = (response: Response) =>
      [...response.headers].map(([name]) => name).filter((name) => name !== "date" && name !== "content-length");
    expect(taken.status).toBe(fresh.status);
    expect(names(taken)).toEqual(names(fresh));
    expect(await taken.json()).toEqual({ ok: true, email: person.email, next: "/verify-email" });
    const mail = await portal.mail(person.email);
    expect(mail.subject).toContain("already have a gw account");
    expect(mail.text).not.toContain("/verify-email");
  });
});

describe("a confirmation link", () => {
  test("works once, of many at the same moment for one", async () => {
    const form = someone();
    const browser = portal.visitor();
    await register(browser, form);
    const token = await tokenFor(form.email);
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const answers = await Promise.all(
      Array.from({ length: 12 }, () =>
        fetch(`${portal.url}/auth/verify-email`, {
          method: "POST",
          headers: { "content-type": "application/json", "sec-fetch-site": "same-origin", cookie },
          body: JSON.stringify({ token }),
        }).then((response) => response.status),
      ),
    );
    expect(answers.filter((status) => status === 200)).toHaveLength(1);
    expect(await portal.sql("SELECT 1 FROM app_user WHERE email = $1", [form.email])).toHaveLength(1);
  });

  test("asks for the password in a browser that did not sign up, so that nobody confirms a stranger's account", async () => {
    const form = someone();
    await register(portal.visitor(), form);
    const token = await tokenFor(form.email);
    const victim = portal.visitor();
    const page = await victim.follow(await victim.get(`/verify-email?token=${token}`));
    expect(await page.text()).toContain('name="password"');
    for (const password of ["", "not the password at all"]) {
      const refused = await victim.post("/auth/verify-email", { token, password }, { json: true });
      expect([refused.status, (await refused.json()).code]).toEqual([401, "invalid_credentials"]);
    }
    const proven = await victim.post("/auth/verify-email", { token, password: PASSWORD }, { json: true });
    expect(proven.status).toBe(200);
  });

  test.each(["", "x", "../../etc", "a".repeat(5_000)])("is refused when it is %j", async (token) => {
    const answer = await portal.visitor().post("/auth/verify-email", { token }, { json: true });
    expect([401, 422]).toContain(answer.status);
  });

  test("is renewed on demand; the earlier one ends, and strangers' addresses get the same answer", async () => {
    const form = someone();
    const browser = portal.visitor();
    await register(browser, form);
    const first = await tokenFor(form.email);
    const again = await browser.post("/auth/resend-verification", { email: form.email }, { json: true });
    expect(await again.json()).toEqual({ ok: true, email: form.email });
    const second = await tokenFor(form.email, 1);
    expect((await browser.post("/auth/verify-email", { token: first }, { json: true })).status).toBe(401);
    expect((await browser.post("/auth/verify-email", { token: second }, { json: true })).status).toBe(200);
    const nobody = await browser.post("/auth/resend-verification", { email: "nobody@sign-up.example" }, { json: true });
    expect(await nobody.json()).toEqual({ ok: true, email: "nobody@sign-up.example" });
    expect(await mailsTo(portal.gateway.dataDir, "nobody@sign-up.example")).toEqual([]);
  });

  test("ends after a day", async () => {
    const form = someone();
    const browser = portal.visitor();
    await register(browser, form);
    const token = await tokenFor(form.email);
    await portal.sql("UPDATE one_time_token SET expires_at = now() WHERE payload ->> 'email' = $1", [form.email]);
    expect((await browser.post("/auth/verify-email", { token }, { json: true })).status).toBe(401);
  });
});

describe("a sign-up is refused", () => {
  test.each([
    [{ password: "short" }, 422, "weak_password"],
    [{ password: "password1234" }, 422, "weak_password"],
    [{ password: "aaaaaaaaaaaaaaa" }, 422, "weak_password"],
    [{ password: undefined }, 422, "weak_password"],
    [{ accept_terms: undefined }, 403, "tos_not_accepted"],
    [{ accept_terms: false }, 403, "tos_not_accepted"],
    [{ email: "not an address" }, 422, "validation_error"],
    [{ email: { $ne: null } }, 422, "validation_error"],
    [{ email: ["a@b.example"] }, 422, "validation_error"],
    [{ name: "" }, 422, "validation_error"],
    [{ name: "A\u0000da" }, 422, "validation_error"],
  ])("with %j", async (change, status, code) => {
    const answer = await register(portal.visitor(), { ...someone(), ...change });
    const body = await answer.json();
    expect([answer.status, body.code]).toEqual([status, code]);
    if (code === "validation_error") expect(body.detail[0].loc[0]).toBe("body");
  });

  test("and a browser finds its form filled in again, tick and message included, without the password", async () => {
    const browser = portal.visitor();
    const form = { ...someone(), password: "short" };
    const refused = await browser.post("/auth/register", form, {
      headers: { referer: `${portal.url}/signup?next=%2Fdashboard%2Fkeys` },
    });
    expect([refused.status, refused.headers.get("location")]).toEqual([303, "/signup?next=%2Fdashboard%2Fkeys"]);
    const page = await (await browser.follow(refused)).text();
    expect(page).toContain("Use at least 10 characters.");
    expect(page).toContain(`value="${form.email}"`);
    expect(page).toMatch(/<input(?=[^>]*name="accept_terms")[^>]*checked=""/);
    expect(page).not.toContain('value="short"');
    expect(await (await browser.get("/signup")).text()).not.toContain("Use at least 10 characters.");
  });

  test("after five messages in a row to one address", async () => {
    const form = someone();
    const answers = [];
    for (let tries = 0; tries < 7; tries += 1) answers.push(await register(portal.visitor(), form));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429, 429]);
    expect(Number(answers.at(-1)?.headers.get("retry-after"))).toBeGreaterThan(0);
  });
});
