import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startMailServer } from "../../support/mail-server";
import { mailsTo, type Portal, startPortal } from "../../support/portal";

/** Page of invitations. The tests cover the recipients of links, and the verified state of the created accounts. */
const INVITE = "/dashboard/admin/users/invite";
const FIELDS = { name: "Ivy Invited", password: "several words and a half", accept_terms: "on" };
const LINK = /\/invite\/[\w-]{30,}/;

const addressOf = async (portal: Portal, email: string) =>
  (
    await portal.sql(
      "SELECT email_verified_at IS NOT NULL AS verified, vouched_at IS NOT NULL AS vouched FROM app_user WHERE email = $1",
      [email],
    )
  )[0];

/** Returns a page without the parts that differ in every answer. */
const plainText = (html: string, ...words: string[]) =>
  words.reduce(
    (text, word) => text.replaceAll(word, "…"),
    html.replace(/nonce="[^"]*"|nonce-[\w+/=-]+|\d{4}-\d\d-\d\dT[\d:.]+Z/g, ""),
  );

describe("without a mail server", () => {
  let portal: Portal;
  beforeAll(async () => {
    portal = await startPortal();
  }, 60_000);
  afterAll(() => portal?.close());

  test.each(["org_admin", "department_admin"] as const)("a %s gets no link, as a page or as JSON", async (role) => {
    const organisationId = await portal.addOrganisation();
    const departmentId = await portal.addDepartment(organisationId);
    const { browser } = await portal.signInAs(role, { organisationId, departmentId });
    const email = `for-${role.replace("_", "-")}@bigcorp.example`;
    const sent = await browser.post(INVITE, { email, role: "member" });
    expect([sent.status, sent.headers.get("location")]).toEqual([303, INVITE]);
    const page = await (await browser.get(INVITE)).text();
    expect(page).toContain("A platform admin has to pass on the link.");
    expect(page).toContain("Email is not set up.");
    expect(page).toContain("Not sent by email");
    expect(page).not.toMatch(LINK);
    const answer = await browser.post(INVITE, { email, role: "member" }, { json: true });
    const body = await answer.text();
    expect(JSON.parse(body)).toEqual({ ok: true, id: expect.any(Number), delivery: "operator", location: INVITE });
    expect(JSON.stringify([...answer.headers])).not.toContain("gw_once=ey");
    const { id } = JSON.parse(body) as { id: number };
    const asked = await browser.post(`${INVITE}/${id}/link`, {}, { json: true });
    expect(asked.status).toBe(403);
    expect(await asked.text()).not.toMatch(LINK);
  });

  test("who runs the installation passes the link on; the account works, and is marked as unconfirmed", async () => {
    const organisationId = await portal.addOrganisation("Passed On Ltd");
    const admin = await portal.signInAs("org_admin", { organisationId });
    const runs = await portal.signInAs("platform_admin");
    const email = "passed-on@bigcorp.example";
    const sent = await admin.browser.post(INVITE, { email, role: "member" }, { json: true });
    const { id } = (await sent.json()) as { id: number };
    const [letter] = [await portal.mail(email)];
    const shown = await runs.browser.post(`${INVITE}/${id}/link`, {});
    expect(shown.status).toBe(303);
    const link = LINK.exec(await (await runs.browser.get(INVITE)).text())?.[0] ?? "";
    expect(link).not.toBe("");
    expect(await (await runs.browser.get(INVITE)).text()).not.toMatch(LINK);
    // The new link has invalidated the link in the email.
    const old = LINK.exec(letter.text)?.[0] ?? "";
    expect((await portal.visitor().post(old, FIELDS, { json: true })).status).toBe(401);
    const guest = portal.visitor();
    expect((await guest.post(link, FIELDS)).headers.get("location")).toBe("/dashboard");
    expect((await guest.getJson("/dashboard/activity")).status).toBe(200);
    expect(await addressOf(portal, email)).toEqual({ verified: false, vouched: true });
    const [{ id: userId }] = await portal.sql("SELECT id FROM app_user WHERE email = $1", [email]);
    const person = await (await admin.browser.get(`/dashboard/admin/users/${userId}`)).text();
    expect(person).toContain("This email address is not confirmed.");
    const [act] = await portal.sql("SELECT actor_id FROM act WHERE action = 'invite.link' AND target_id = $1", [
      String(id),
    ]);
    expect(act.actor_id).toBe(runs.person.userId);
  });

  test("a program of who runs the installation gets the link in the answer, and needs a recent proof for another", async () => {
    const { browser, person } = await portal.signInAs("owner");
    const sent = await browser.post(INVITE, { email: "json@bigcorp.example", role: "member" }, { json: true });
    const { url, id, delivery } = (await sent.json()) as { url: string; id: number; delivery: string };
    expect(delivery).toBe("operator");
    expect(url).toMatch(LINK);
    await portal.sql("UPDATE session SET proved_at = now() - interval '20 minutes' WHERE user_id = $1", [
      person.userId,
    ]);
    expect((await browser.post(`${INVITE}/${id}/link`, {}, { json: true })).status).toBe(401);
    await portal.sql("UPDATE session SET proved_at = now() WHERE user_id = $1", [person.userId]);
    const again = await browser.post(`${INVITE}/${id}/link`, {}, { json: true });
    expect(await again.json()).toEqual({ ok: true, url: expect.stringMatching(LINK), expires_at: expect.any(String) });
  });

  test("the page behind a link is the same for an address with an account and one without", async () => {
    const { browser } = await portal.signInAs("platform_admin");
    const known = await portal.addPerson({ email: "known@bigcorp.example" });
    const pages = [];
    for (const email of [known.email, "unknown@bigcorp.example"]) {
      const organisationId = await portal.addOrganisation("Same Ltd");
      const body = { email, role: "member", org_id: String(organisationId) };
      const sent = await browser.post(INVITE, body, { json: true });
      const link = LINK.exec(((await sent.json()) as { url: string }).url)?.[0] ?? "";
      const page = await portal.visitor().get(link);
      pages.push([page.status, plainText(await page.text(), link, encodeURIComponent(link), email)]);
      const taken = await portal.visitor().post(link, FIELDS, { json: true });
      if (email === known.email) {
        expect(taken.status).toBe(409);
        expect(await taken.text()).not.toContain("email_taken");
        const reader = await portal.signIn(known);
        expect((await reader.post(link, {})).headers.get("location")).toBe("/dashboard");
      }
    }
    expect(pages[0]).toEqual(pages[1]);
  });
});

describe("with a mail server", () => {
  let portal: Portal;
  let mail: Awaited<ReturnType<typeof startMailServer>>;
  beforeAll(async () => {
    mail = await startMailServer();
    portal = await startPortal({ env: { SMTP_URL: `smtp://127.0.0.1:${mail.port}` } });
  }, 60_000);
  afterAll(async () => {
    await portal?.close();
    await mail?.close();
  });

  /** Waits for the newest email to an address and returns its link that matches. */
  const letterTo = async (email: string, link: RegExp) => {
    for (let tries = 0; tries < 100; tries += 1) {
      const found = mail.received().findLast((letter) => letter.includes(`To: ${email}`));
      const plain = found?.replace(/=\r\n/g, "").replace(/=3D/g, "=");
      const match = plain === undefined ? null : link.exec(plain);
      if (match !== null) return match[0];
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    throw new Error(`no letter to ${email}`);
  };

  test("the link goes to the address and to nobody else, and the account that it opens is confirmed", async () => {
    const runs = await portal.signInAs("platform_admin");
    const email = "mailed@bigcorp.example";
    const sent = await runs.browser.post(INVITE, { email, role: "member" }, { json: true });
    expect(await sent.json()).toEqual({ ok: true, id: expect.any(Number), delivery: "mail", location: INVITE });
    expect(await (await runs.browser.get(INVITE)).text()).not.toMatch(LINK);
    const link = await letterTo(email, LINK);
    expect(await mailsTo(portal.gateway.dataDir, email)).toEqual([]);
    expect((await portal.visitor().post(link, FIELDS)).headers.get("location")).toBe("/dashboard");
    expect(await addressOf(portal, email)).toEqual({ verified: true, vouched: false });
  });

  test("an account from a link that was passed on confirms its address before it does anything", async () => {
    const runs = await portal.signInAs("platform_admin");
    const email = "passed@bigcorp.example";
    const sent = await runs.browser.post(INVITE, { email, role: "member" }, { json: true });
    const { id } = (await sent.json()) as { id: number };
    const passed = await runs.browser.post(`${INVITE}/${id}/link`, {}, { json: true });
    const link = LINK.exec(((await passed.json()) as { url: string }).url)?.[0] ?? "";
    const guest = portal.visitor();
    await guest.post(link, FIELDS);
    expect(await addressOf(portal, email)).toEqual({ verified: false, vouched: true });
    const refused = await guest.getJson("/dashboard/activity");
    expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([403, "email_not_verified"]);
    expect((await guest.get("/dashboard")).headers.get("location")).toBe("/verify-email");
    await portal.visitor().post("/auth/resend-verification", { email }, { json: true });
    const reset = await letterTo(email, /\/reset-password\?token=[\w-]+/);
    const token = reset.split("=")[1] as string;
    const password = "quite another set of words";
    expect((await portal.visitor().post("/auth/reset-password", { token, password }, { json: true })).status).toBe(200);
    const back = portal.visitor();
    expect((await back.post("/auth/login", { email, password }, { json: true })).status).toBe(200);
    expect((await back.getJson("/dashboard/activity")).status).toBe(200);
    expect(await addressOf(portal, email)).toEqual({ verified: true, vouched: true });
  });
});
