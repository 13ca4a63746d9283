import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Browser, linkIn, type Person, type Portal, startPortal } from "../../support/portal";

const STRIPE = { STRIPE_SECRET_KEY: "sk_test_1", STRIPE_WEBHOOK_SECRET: "whsec_1" };
const PASSWORD = "blue tea and quiet stairs";
let portal: Portal;
beforeAll(async () => {
  portal = await startPortal();
}, 120_000);
afterAll(() => portal?.close());

let count = 0;
/** Signs a new person up, confirms the address, and creates a key with the organisation's root admin key. */
async function aStranger(gw: Portal): Promise<{ browser: Browser; person: Person; rootKey: string; key: string }> {
  count += 1;
  const email = `stranger-${count}@sign-up.example`;
  const browser = gw.visitor();
  const form = { email, name: `Stranger ${count}`, organisation: `Strangers ${count}`, password: PASSWORD };
  expect((await browser.post("/auth/register", { ...form, accept_terms: true }, { json: true })).status).toBe(200);
  const link = linkIn(await gw.mail(email), "/verify-email");
  const token = new URL(link, gw.url).searchParams.get("token") as string;
  const opened = await browser.post("/auth/verify-email", { token }, { json: true });
  const { root_admin_key: rootKey } = (await opened.json()) as { root_admin_key: string };
  const [row] = await gw.sql("SELECT id, organisation_id FROM app_user WHERE email = $1", [email]);
  const person = { userId: row.id, organisationId: row.organisation_id, email, role: "org_admin" as const };
  return { browser, person, rootKey, key: await aKey(gw, rootKey) };
}

async function aKey(gw: Portal, adminKey: string): Promise<string> {
  const made = await fetch(`${gw.url}/v1/manage/keys`, {
    method: "POST",
    headers: { authorization: `Bearer ${adminKey}`, "content-type": "application/json" },
    body: JSON.stringify({ name: "mine" }),
  });
  return ((await made.json()) as { key: string }).key;
}

async function call(gw: Portal, key: string): Promise<[number, string | null]> {
  const answer = await fetch(`${gw.url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "sandbox-chat", max_tokens: 20, messages: [{ role: "user", content: "Hello" }] }),
  });
  const body = (await answer.json()) as { error?: { code: string } };
  return [answer.status, body.error?.code ?? null];
}
const NOTHING_TO_SPEND = [403, "billing_limit_reached"];

const send = async (browser: Browser, path: string, fields: object): Promise<[number, Record<string, unknown>]> => {
  const answer = await browser.post(path, fields, { json: true });
  return [answer.status, (await answer.json()) as Record<string, unknown>];
};
const user = ({ userId }: Person, door: string) => `/dashboard/admin/users/${userId}/${door}`;
const postedOf = async (gw: Portal, kind: string, id: number): Promise<number> =>
  Number(
    (
      await gw.sql(
        "SELECT coalesce(sum(posted), 0) AS posted FROM ledger_account WHERE payer_kind = $1 AND payer_id = $2",
        [kind, id],
      )
    )[0].posted,
  );

describe.each([
  ["without a payment processor, where the operator has opened sign-up", {}],
  ["with a payment processor", STRIPE],
])("a stranger %s", (_, env) => {
  let gw: Portal;
  beforeAll(async () => {
    gw = await startPortal({ env });
  }, 120_000);
  afterAll(() => gw?.close());

  test("has nothing to spend, and makes nothing out of it", async () => {
    const { browser, person, key } = await aStranger(gw);
    expect(await call(gw, key)).toEqual(NOTHING_TO_SPEND);
    const friend = await gw.addPerson({ organisationId: person.organisationId });
    for (const [path, fields] of [
      [user(friend, "credit-limit"), { credit_limit: "9000000000" }],
      [user(friend, "billing-config"), { billing_mode: "own", spending_limit: "1000000" }],
      [user(friend, "billing-exempt"), { billing_exempt: "true" }],
      [`/dashboard/admin/organisations/${person.organisationId}`, { credit_ceiling: "1000" }],
      [`/dashboard/admin/organisations/${person.organisationId}`, { billing_exempt: "true" }],
    ] as const) {
      const [status, { code }] = await send(browser, path, fields);
      expect([path, status, code]).toEqual([path, 403, "forbidden"]);
    }
    await send(browser, "/dashboard/admin/organisation/billing-user", { billing_user_id: person.userId });
    expect(await call(gw, key)).toEqual(NOTHING_TO_SPEND);
    const [row] = await gw.sql("SELECT min(posted)::int AS least FROM ledger_account WHERE organisation_id = $1", [
      person.organisationId,
    ]);
    expect(row.least).toBe(0);
  });

  test("spends what an owner gives: credit, or a ceiling that the organisation's admin hands out", async () => {
    const { browser, person, key } = await aStranger(gw);
    const owner = await gw.signInAs("owner");
    const page = `/dashboard/admin/organisations/${person.organisationId}`;
    expect((await send(owner.browser, page, { credit_limit: "1", credit_ceiling: "3" }))[0]).toBe(200);
    expect(await call(gw, key)).toEqual([200, null]);
    const friend = await gw.addPerson({ organisationId: person.organisationId });
    const [status, { code, human_message: human }] = await send(browser, user(friend, "credit-limit"), {
      credit_limit: "2.5",
    });
    expect([status, code, human]).toEqual([403, "forbidden", expect.stringContaining("Enter at most $2.00,")]);
    expect((await send(browser, user(friend, "credit-limit"), { credit_limit: "2" }))[0]).toBe(200);
    const acts = await gw.sql(
      "SELECT action FROM act WHERE organisation_id = $1 AND action LIKE 'organisation.%' ORDER BY id",
      [person.organisationId],
    );
    expect(acts.map(({ action }) => action)).toEqual(["organisation.update", "organisation.credit_limit"]);
    const text = await (await browser.get(page)).text();
    expect(text).toContain("$3.00 of $3.00 given out");
  });
});

test("parallel raises through both doors stay below the ceiling", async () => {
  const organisationId = await portal.addOrganisation();
  await portal.sql("UPDATE organisation SET credit_ceiling_nano_usd = 100000000000 WHERE id = $1", [organisationId]);
  const { browser } = await portal.signInAs("org_admin", { organisationId });
  const people = await Promise.all(Array.from({ length: 20 }, () => portal.addPerson({ organisationId })));
  const statuses = await Promise.all(
    people.map(async (person, at) => {
      const fields = at % 2 ? { credit_limit: "30" } : { billing_mode: "own", spending_limit: "30" };
      return (await send(browser, user(person, at % 2 ? "credit-limit" : "billing-config"), fields))[0];
    }),
  );
  expect(statuses.toSorted()).toEqual([200, 200, 200, ...Array(17).fill(403)]);
});

describe("a person who is asked to pay", () => {
  async function anOrganisation() {
    const organisationId = await portal.addOrganisation("Hungry Ltd");
    const admin = await portal.signInAs("org_admin", { organisationId, name: "Ada Admin" });
    const payer = await portal.signInAs("member", { organisationId });
    const [wallet] = await portal.sql("SELECT wallet_open('user', $1::int, $2::int, false) AS id", [
      payer.person.userId,
      organisationId,
    ]);
    await portal.sql("SELECT wallet_post($1::bigint, 'adjustment', 5000000000, 'adjustment', $2, 'test', '')", [
      wallet.id,
      `funds-${wallet.id}`,
    ]);
    const made = await send(admin.browser, "/dashboard/keys/new", { name: "key", owner: "nobody" });
    const nominate = (billing_user_id: unknown = payer.person.userId, browser = admin.browser, more = {}) =>
      send(browser, "/dashboard/admin/organisation/billing-user", { billing_user_id, ...more });
    const answer = (word: string, browser = payer.browser) =>
      send(browser, "/dashboard/settings/billing-user", { answer: word });
    const funds = () => postedOf(portal, "user", payer.person.userId);
    return { organisationId, admin, payer, key: String(made[1].secret ?? made[1].key), nominate, answer, funds };
  }

  test("pays nothing until they accept, by a form that needs no script; an email and the portal ask them", async () => {
    const { payer, key, nominate, answer, funds } = await anOrganisation();
    expect(await nominate()).toEqual([
      200,
      expect.objectContaining({ billing_user_id: null, nominated_user_id: payer.person.userId }),
    ]);
    expect(await call(portal, key)).toEqual(NOTHING_TO_SPEND);
    expect(await funds()).toBe(5_000_000_000);
    const mail = await portal.mail(payer.person.email);
    expect(mail.subject).toBe("Will you pay for Hungry Ltd?");
    expect(mail.text).toContain("/dashboard/settings");
    expect(await (await payer.browser.get("/dashboard")).text()).toContain("asked to pay for everyone in Hungry Ltd");
    const text = await (await payer.browser.get("/dashboard/settings")).text();
    expect(text).toContain("Ada Admin asks you to pay for everyone in Hungry Ltd.");
    expect(text).toContain('action="/dashboard/settings/billing-user"');

    const sent = await payer.browser.post("/dashboard/settings/billing-user", { answer: "accept" });
    expect([sent.status, sent.headers.get("location")]).toEqual([303, "/dashboard/settings"]);
    expect(await (await payer.browser.follow(sent)).text()).toContain("You now pay for everyone in your organisation.");
    await expect.poll(() => call(portal, key)).toEqual([200, null]);
    await expect.poll(funds).toBeLessThan(5_000_000_000);
    const left = await funds();
    expect((await answer("withdraw"))[0]).toBe(200);
    await expect.poll(() => call(portal, key)).toEqual(NOTHING_TO_SPEND);
    expect(await funds()).toBe(left);
  });

  test("declines, and nothing has changed", async () => {
    const { key, nominate, answer, funds } = await anOrganisation();
    await nominate();
    expect((await answer("decline"))[0]).toBe(200);
    expect((await answer("accept"))[0]).toBe(404);
    expect(await call(portal, key)).toEqual(NOTHING_TO_SPEND);
    expect(await funds()).toBe(5_000_000_000);
  });

  test("is a member: ids of others and of nobody are the same 404, and nobody answers for them", async () => {
    const { organisationId, admin, payer, nominate, answer } = await anOrganisation();
    const foreign = await anOrganisation();
    const outcomes = [
      await nominate(foreign.payer.person.userId),
      await nominate(1_999_999_999),
      await nominate(payer.person.userId, admin.browser, { org_id: foreign.organisationId }),
      await nominate(payer.person.userId, admin.browser, { org_id: 1_999_999_999 }),
    ].map(([status, { code }]) => [status, code]);
    expect(outcomes).toEqual(Array(4).fill([404, "not_found"]));
    for (const role of ["department_admin", "member", "viewer"] as const) {
      const { browser } = await portal.signInAs(role, { organisationId });
      expect((await nominate(payer.person.userId, browser))[0]).toBe(403);
    }
    await nominate();
    for (const browser of [admin.browser, foreign.payer.browser]) {
      expect((await answer("accept", browser))[0]).toBe(404);
      expect((await answer("withdraw", browser))[0]).toBe(404);
    }
    expect((await answer("steal"))[0]).toBe(422);
  });

  test("proves who they are before their money is spent", async () => {
    const { payer, nominate, answer } = await anOrganisation();
    await nominate();
    await portal.sql("UPDATE session SET proved_at = now() - interval '16 minutes' WHERE user_id = $1", [
      payer.person.userId,
    ]);
    expect(await answer("accept")).toEqual([401, expect.objectContaining({ code: "authentication_required" })]);
    expect((await answer("decline"))[0]).toBe(200);
  });
});

describe("the organisation's page", () => {
  test("shows an admin what they may give, and who has yet to answer", async () => {
    const organisationId = await portal.addOrganisation();
    await portal.sql("UPDATE organisation SET credit_ceiling_nano_usd = 7000000000 WHERE id = $1", [organisationId]);
    const { browser } = await portal.signInAs("org_admin", { organisationId });
    const member = await portal.addPerson({ organisationId, name: "Mia Member" });
    await send(browser, "/dashboard/admin/organisation/billing-user", { billing_user_id: member.userId });
    const page = await (await browser.get(`/dashboard/admin/organisations/${organisationId}`)).text();
    expect(page).toContain("Waiting for Mia Member to accept.");
    expect(page).toContain("$0.00 of $7.00 given out");
    expect(page).not.toContain('name="credit_ceiling"');
    const person = await (await browser.get(`/dashboard/admin/users/${member.userId}`)).text();
    expect(person).toContain("Up to $7.00 of your organisation’s credit.");
    const refused = await browser.post(
      user(member, "credit-limit"),
      { credit_limit: "8" },
      { headers: { referer: `${portal.url}/dashboard/admin/users/${member.userId}`, "accept-language": "de" } },
    );
    const text = await (await browser.follow(refused)).text();
    expect(text).toMatch(/Geben Sie höchstens 7,00\s\$ ein/);
  });

  test("an owner needs a recent proof to set the ceiling", async () => {
    const organisationId = await portal.addOrganisation();
    const { browser, person } = await portal.signInAs("owner");
    await portal.sql("UPDATE session SET proved_at = now() - interval '16 minutes' WHERE user_id = $1", [
      person.userId,
    ]);
    const page = `/dashboard/admin/organisations/${organisationId}`;
    for (const fields of [{ credit_ceiling: "1" }, { credit_limit: "1" }]) {
      expect((await send(browser, page, fields))[0]).toBe(401);
    }
    expect((await send(browser, page, { credit_ceiling: "0", name: "Same money" }))[0]).toBe(200);
  });
});

test("where nobody has said so and nobody can pay, accounts are by invitation, and the start says it", async () => {
  const gw = await startPortal({ env: { GW_SIGNUP: "" } });
  try {
    expect(gw.gateway.output()).toContain(
      "Sign-up: by invitation (no payment processor is configured; GW_SIGNUP=open opens it)",
    );
    expect(await (await gw.visitor().get("/signup")).text()).toContain("You need an invitation to create an account.");
    const form = { email: "new@sign-up.example", name: "New", password: PASSWORD, accept_terms: true };
    expect((await send(gw.visitor(), "/auth/register", form))[1]).toMatchObject({ code: "forbidden" });
  } finally {
    await gw.close();
  }
});

test("whoever has nothing to spend is told whom to ask, on the first page and on the overview", async () => {
  const { browser } = await aStranger(portal);
  for (const page of ["/dashboard/get-started", "/dashboard"]) {
    expect(await (await browser.get(page)).text()).toContain(
      "Ask the platform operator to give your organisation credit.",
    );
  }
});
