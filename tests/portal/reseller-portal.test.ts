import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { freePort } from "../support/gateway";
import { startLyingProvider } from "../support/lying-provider";
import { Browser, linkIn, OWNER_PASSWORD, type Portal, startPortal } from "../support/portal";

const HOST = "ai.reseller.example";
let portal: Portal;
let provider: Awaited<ReturnType<typeof startLyingProvider>>;
let origin: string;
let reseller: number;
let customer: number;

/** Returns a browser on the reseller's own host name. */
const there = () => new Browser(portal.url, new URL(origin).host);

beforeAll(async () => {
  provider = await startLyingProvider("gw-portal");
  const env = { IDP_A_ISSUER: provider.issuer, IDP_A_CLIENT_ID: "gw-portal", IDP_A_CLIENT_SECRET: "a-client-secret" };
  const port = await freePort();
  portal = await startPortal({ env: { ...env, BASE_URL: `http://127.0.0.1:${port}` }, port });
  origin = `http://${HOST}:${port}`;
  reseller = await portal.addOrganisation("Reseller");
  customer = await portal.addOrganisation("Customer of the reseller");
  await portal.sql(
    "UPDATE organisation SET portal_domain = $1, brand_name = 'Harbour AI', accent_colour = '#204a87' WHERE id = $2",
    [HOST, reseller],
  );
  await portal.sql("UPDATE organisation SET reseller_id = $1 WHERE id = $2", [reseller, customer]);
}, 120_000);
afterAll(async () => {
  await portal?.close();
  await provider?.close();
});

async function withPassword(organisationId?: number) {
  const person = await portal.addPerson({ organisationId });
  await portal.sql(
    "UPDATE app_user SET password_hash = (SELECT password_hash FROM app_user WHERE email = 'owner@example.com') WHERE id = $1",
    [person.userId],
  );
  return person;
}

/** Signs in at the provider from the reseller's host. Two browsers stand for two hosts of one browser. */
async function through(account: { sub: string; email: string }, browser = there()) {
  const own = portal.visitor();
  const over = await browser.get("/auth/idp-a?next=%2Fdashboard%2Fkeys");
  const begin = new URL(over.headers.get("location") as string);
  expect(begin.origin).toBe(portal.url);
  const away = await own.get(begin.pathname + begin.search);
  provider.tell({ claims: account });
  const answer = provider.visit(away.headers.get("location") as string);
  const back = await own.get(`/oauth/idp-a/login/callback/?${new URLSearchParams(answer)}`);
  return { own, browser, back: new URL(back.headers.get("location") as string, portal.url) };
}

async function linked(sub: string, organisationId?: number) {
  const person = await portal.addPerson({ organisationId });
  await portal.sql(
    "INSERT INTO external_identity (user_id, provider, issuer, subject, email) VALUES ($1, 'idp-a', $2, $3, $4)",
    [person.userId, provider.issuer, sub, person.email],
  );
  return { sub, email: person.email };
}

describe("a reseller's portal", () => {
  test("carries the reseller's name and colour, and its mails lead back to it", async () => {
    const page = await (await there().get("/login")).text();
    expect(page).toContain("Harbour AI");
    expect(page).toContain('href="/brand/204a87"');
    for (const written of [HOST.toUpperCase(), `${HOST}.`])
      expect(await (await new Browser(portal.url, written).get("/login")).text()).toContain("Harbour AI");
    const sheet = await there().get("/brand/204a87");
    expect(sheet.headers.get("content-type")).toContain("text/css");
    expect(await (await portal.visitor().get("/login")).text()).not.toContain("/brand/");
    const person = await withPassword(customer);
    await there().post("/auth/forgot-password", { email: person.email });
    const mail = await portal.mail(person.email);
    expect(mail.subject).toContain("Harbour AI");
    expect(mail.text).toContain(`${origin}/reset-password?token=`);
    expect(linkIn(mail, "/reset-password")).toContain("token=");
  });

  test("lets its own people and its customers' in, and tells others nothing", async () => {
    const status = async (organisationId?: number) => {
      const { email } = await withPassword(organisationId);
      return (await there().post("/auth/login", { email, password: OWNER_PASSWORD }, { json: true })).status;
    };
    expect([await status(reseller), await status(customer), await status()]).toEqual([200, 200, 401]);
  });

  test("invites in the reseller's name, and the invitation is accepted there", async () => {
    const { browser } = await portal.signInAs("org_admin", { organisationId: customer });
    const email = "invited@customer.example";
    const sent = await browser.post("/dashboard/admin/users/invite", { email, role: "member" }, { json: true });
    expect(sent.status).toBe(200);
    const mail = await portal.mail(email);
    expect(`${mail.subject} ${mail.text}`).toContain("Harbour AI");
    expect(mail.text).not.toMatch(/\bgw\b/);
    expect(mail.text).toContain(`${origin}/invite/`);
    const page = await there().get(linkIn(mail, "/invite"));
    expect(page.status).toBe(200);
    expect(await page.text()).toContain("Customer of the reseller");
  });

  test("is the same site for its own forms and another one for the installation's", async () => {
    const codeFrom = async (from: string) => {
      const headers = { origin: from, "sec-fetch-site": "" };
      const answer = await there().post("/auth/login", {}, { json: true, headers });
      return ((await answer.json()) as { code: string }).code;
    };
    const codes = [await codeFrom(origin), await codeFrom(portal.url)];
    expect(codes).toEqual(["validation_error", "csrf_rejected"]);
  });
});

describe("a sign-in at a provider, for a reseller's portal", () => {
  test("is handed over by a token that works once, on that host, in that browser", async () => {
    const account = await linked("handed-over", customer);
    const { own, browser, back } = await through(account);
    expect([back.origin, back.pathname]).toEqual([origin, "/auth/sso/complete"]);
    const complete = back.pathname + back.search;
    expect(own.cookies.has("gw_session")).toBe(false);
    const stranger = await there().getJson(complete);
    expect([stranger.status, (await stranger.json()).code]).toEqual([401, "invalid_token"]);
    const end = await browser.get(complete);
    expect([end.status, end.headers.get("location")]).toEqual([303, "/dashboard/keys"]);
    expect((await browser.getJson("/api/legal/status")).status).toBe(200);
    expect((await browser.getJson(complete)).status).toBe(401);
  });

  test("finishes in each of several tabs", async () => {
    const account = await linked("several-tabs", customer);
    const { browser, back: first } = await through(account);
    const { back: second } = await through(account, browser);
    for (const { pathname, search } of [second, first])
      expect((await browser.get(pathname + search)).headers.get("location")).toBe("/dashboard/keys");
  });

  test("is refused to people of other organisations", async () => {
    const { back } = await through(await linked("not-theirs"));
    expect(back.pathname).toBe("/login");
  });

  test("ends nowhere else", async () => {
    const answers = await Promise.all([
      portal.visitor().getJson("/auth/sso/complete?token=x"),
      there().getJson("/auth/sso/complete"),
      portal.visitor().getJson("/auth/idp-a?domain=evil.example&browser=x"),
    ]);
    const codes = await Promise.all(answers.map(async (answer) => (await answer.json()).code));
    expect(codes).toEqual(["no_reseller", "invalid_token", "no_domain"]);
  });
});

test("somebody who signs up there becomes the reseller's customer", async () => {
  const browser = there();
  const form = {
    email: "new@customer.example",
    name: "New",
    password: "blue tea and quiet stairs",
    accept_terms: "on",
  };
  await browser.post("/auth/register", form);
  const mail = await portal.mail(form.email);
  const token = new URL(linkIn(mail, "/verify-email"), origin).searchParams.get("token") as string;
  expect((await browser.post("/auth/verify-email", { token }, { json: true })).status).toBe(200);
  const [row] = await portal.sql(
    "SELECT o.reseller_id FROM app_user u JOIN organisation o ON o.id = u.organisation_id WHERE u.email = $1",
    [form.email],
  );
  expect(row.reseller_id).toBe(reseller);
});
