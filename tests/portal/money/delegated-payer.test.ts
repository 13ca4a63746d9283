import { afterAll, beforeAll, expect, test } from "vitest";
import { type Browser, type Portal, type SignedIn, startPortal } from "../../support/portal";

const PATH = "/dashboard/billing/delegated-payer";
const FUNDS = 5_000_000_000;
let portal: Portal;
beforeAll(async () => {
  portal = await startPortal();
}, 120_000);
afterAll(() => portal?.close());

const send = async (browser: Browser, path: string, fields: object): Promise<[number, Record<string, unknown>]> => {
  const answer = await browser.post(path, fields, { json: true });
  return [answer.status, (await answer.json()) as Record<string, unknown>];
};

/** Creates two colleagues who pay for themselves: a payer with funds, and a user with a key. */
async function aPair() {
  const organisationId = await portal.addOrganisation("Shared Ltd");
  const user = await portal.signInAs("member", { organisationId, name: "Uma User" });
  const payer = await portal.signInAs("member", { organisationId, name: "Paul Payer" });
  await portal.sql("UPDATE app_user SET billing_mode = 'own' WHERE organisation_id = $1", [organisationId]);
  const [wallet] = await portal.sql("SELECT wallet_open('user', $1::int, $2::int, false) AS id", [
    payer.person.userId,
    organisationId,
  ]);
  await portal.sql("SELECT wallet_post($1::bigint, 'adjustment', $2::bigint, 'adjustment', $3, 'test', '')", [
    wallet.id,
    FUNDS,
    `funds-${wallet.id}`,
  ]);
  const [, made] = await send(user.browser, "/dashboard/keys/new", { name: "mine" });
  const request = async () =>
    Number((await send(user.browser, PATH, { act: "request", email: payer.person.email }))[1].delegation_id);
  const answer = (who: SignedIn, act: string, delegation_id: number) => send(who.browser, PATH, { act, delegation_id });
  const spent = async () => {
    const [row] = await portal.sql("SELECT posted FROM ledger_account WHERE id = $1", [wallet.id]);
    return FUNDS - Number(row.posted);
  };
  return { user, payer, key: String(made.secret ?? made.key), request, answer, spent };
}

const call = (key: string, model = "sandbox-chat") =>
  fetch(`${portal.url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ model, max_tokens: 20, messages: [{ role: "user", content: "Hello" }] }),
  });
const outcome = async (key: string): Promise<[number, string | null]> => {
  const answer = await call(key);
  return [answer.status, ((await answer.json()) as { error?: { code: string } }).error?.code ?? null];
};
const NOTHING_TO_SPEND = [403, "billing_limit_reached"];

test("a colleague who accepts by form pays: asked by email, shown wherever money is, and told that it begins", async () => {
  const { user, payer, key, request, spent } = await aPair();
  const id = await request();
  expect(await outcome(key)).toEqual(NOTHING_TO_SPEND);
  const mail = await portal.mail(payer.person.email);
  expect(mail.subject).toBe("Uma User asks you to pay for their usage");
  const page = await (await payer.browser.get("/dashboard/billing")).text();
  expect(page).toContain("Uma User asks you to pay for what they use.");
  const sent = await payer.browser.post(PATH, { act: "accept", delegation_id: String(id) });
  expect([sent.status, sent.headers.get("location")]).toEqual([303, "/dashboard/billing"]);
  expect((await portal.mail(payer.person.email, 1)).subject).toBe("You now pay for Uma User");
  await expect.poll(() => outcome(key)).toEqual([200, null]);
  await expect.poll(spent).toBeGreaterThan(0);

  const own = await (await user.browser.get("/dashboard/billing")).text();
  expect(own).toContain("A colleague has agreed to pay.");
  expect(own).toContain("Paul Payer pays for what you use");
  const [request1] = await portal.sql(
    "SELECT request_id AS id FROM usage_event WHERE user_id = $1 ORDER BY id LIMIT 1",
    [user.person.userId],
  );
  const logged = await (await user.browser.get(`/dashboard/request-log/${request1.id}`)).text();
  expect(logged).toContain("Paul Payer");
  expect(logged).toContain("A colleague has agreed to pay.");
  const { browser: admin } = await portal.signInAs("org_admin", { organisationId: user.person.organisationId });
  expect(await (await admin.get("/dashboard/admin/users?columns=people:billing")).text()).toContain(
    "A colleague has agreed to pay.",
  );
});

test("the first charge of a month is told to the payer once, in the name of the reseller whose portal they use", async () => {
  const { user, payer, key, request, answer, spent } = await aPair();
  const { organisationId } = user.person;
  const reseller = await portal.addOrganisation("Reseller Ltd");
  await portal.sql(
    "UPDATE organisation SET portal_domain = 'ai.reseller.example', brand_name = 'Reseller AI' WHERE id = $1",
    [reseller],
  );
  await portal.sql("UPDATE organisation SET reseller_id = $1 WHERE id = $2", [reseller, organisationId]);
  await answer(payer, "accept", await request());
  await expect.poll(() => outcome(key)).toEqual([200, null]);
  await expect.poll(spent).toBeGreaterThan(0);
  const { browser } = await portal.signInAs("platform_admin");
  const told = async () => {
    await browser.post("/dashboard/admin/jobs/send-billing-notices/run", {});
    return (
      await portal.sql("SELECT told_at FROM billing_notice WHERE user_id = $1 AND told_at IS NOT NULL", [
        payer.person.userId,
      ])
    ).length;
  };
  await expect.poll(told, { timeout: 20_000, interval: 1_000 }).toBe(1);
  const mail = await portal.mail(payer.person.email, 2);
  expect(mail.subject).toBe("Your wallet has paid for Uma User this month");
  expect(mail.text).toContain("https://ai.reseller.example".replace("https:", new URL(portal.url).protocol));
  expect((await portal.mail(payer.person.email)).text).toContain("ai.reseller.example");
  // When the payer's account is archived, the user gets an email under the same brand.
  const closed = await browser.post(`/dashboard/admin/users/${payer.person.userId}/status`, { status: "archived" });
  expect(closed.status).toBeLessThan(400);
  await expect.poll(() => outcome(key)).toEqual(NOTHING_TO_SPEND);
  const toldUser = async () => {
    await browser.post("/dashboard/admin/jobs/send-billing-notices/run", {});
    return (
      await portal.sql("SELECT FROM billing_notice WHERE user_id = $1 AND told_at IS NOT NULL", [user.person.userId])
    ).length;
  };
  await expect.poll(toldUser, { timeout: 20_000, interval: 1_000 }).toBe(1);
  const ended = await portal.mail(user.person.email);
  expect(ended.subject).toBe("Paul Payer no longer pays for you");
  expect(ended.text).toContain("ai.reseller.example");
});

test("a request that is under way when the agreement ends is paid by who paid when it began", async () => {
  const { user, payer, key, request, answer, spent } = await aPair();
  const id = await request();
  await answer(payer, "accept", id);
  await expect.poll(() => outcome(key)).toEqual([200, null]);
  await expect.poll(spent).toBeGreaterThan(0);
  const before = await spent();
  const running = call(key, "sandbox-fault-slow");
  const held = async () =>
    (await portal.sql("SELECT state FROM hold WHERE user_id = $1 AND state = 'dispatched'", [user.person.userId]))
      .length;
  await expect.poll(held).toBe(1);
  expect((await answer(payer, "end", id))[0]).toBe(200);
  await expect.poll(() => outcome(key)).toEqual(NOTHING_TO_SPEND);
  expect((await running).status).toBe(200);
  await expect.poll(spent).toBeGreaterThan(before);
});

test("nobody is made a payer: not by the person, not by an admin, not by a stranger, not without a recent proof", async () => {
  const { user, payer, key, request, answer, spent } = await aPair();
  const foreign = await aPair();
  const id = await request();
  const { browser, person } = await portal.signInAs("org_admin", { organisationId: user.person.organisationId });
  const admin = { browser, person };
  for (const who of [user, admin, foreign.payer]) expect((await answer(who, "accept", id))[0]).toBe(404);
  for (const who of [admin, foreign.payer]) expect((await answer(who, "end", id))[0]).toBe(404);
  const asked = await send(user.browser, PATH, { act: "request", email: foreign.payer.person.email });
  expect([asked[0], asked[1].code]).toEqual([404, "not_found"]);
  expect((await send(user.browser, PATH, { act: "steal", delegation_id: id }))[0]).toBe(422);
  await portal.sql("UPDATE session SET proved_at = now() - interval '16 minutes' WHERE user_id = $1", [
    payer.person.userId,
  ]);
  expect((await answer(payer, "accept", id))[0]).toBe(401);
  expect((await send(payer.browser, PATH, { act: "offer", email: user.person.email }))[0]).toBe(401);
  expect((await answer(payer, "end", id))[0]).toBe(200);
  expect(await outcome(key)).toEqual(NOTHING_TO_SPEND);
  expect(await spent()).toBe(0);
});
