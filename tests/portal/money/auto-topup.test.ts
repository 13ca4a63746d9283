import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { AUTO_TOPUP_CONSENT_VERSION } from "~/domain/billing/shared";
import { freshDatabase } from "../../support/database";
import { mailsTo, type Portal, startPortal } from "../../support/portal";
import { StandInProcessor } from "../../support/stand-in-processor";
import type { Thing } from "../../support/stand-in-processor/state";

const processor = new StandInProcessor();
let env: Record<string, string>;
let portal: Portal;
beforeAll(async () => {
  env = { ...processor.environment(await processor.start()), GW_FUNDING_FEE_FIXED: "0.30" };
  portal = await startPortal({ env });
}, 120_000);
afterAll(async () => {
  await portal?.close();
  await processor.close();
});

const POLICY = { approved: "true", max_charge: "100", max_day: "500", max_month: "1000" };
const SETTINGS = {
  active: true,
  threshold: 5,
  amount: 20,
  daily_limit: 100,
  monthly_limit: 200,
  version: 0,
  consent: true,
  consent_version: AUTO_TOPUP_CONSENT_VERSION,
  consent_language: "en",
};

async function approve(gw: Portal, version: number) {
  const { browser } = await gw.signInAs("owner");
  return browser.post(
    "/dashboard/admin/billing/auto-topup-policy",
    { ...POLICY, version: String(version) },
    { json: true },
  );
}

/** Creates a person with a card and an empty wallet. */
async function aPayer(gw: Portal, answer: string | null = null) {
  const organisationId = await gw.addOrganisation();
  const admin = await gw.signInAs("org_admin", { organisationId });
  const started = await admin.browser.post("/api/billing/payment-methods/setup", {});
  const event = processor.state.saveCard(String(started.headers.get("location")).split("/").at(-1) as string);
  await processor.deliver(gw.url, event);
  const card = processor.state.things.get((event.data.object as Thing).setup_intent)?.payment_method as string;
  processor.state.behave(card, answer);
  const cards = async () => ((await (await admin.browser.get("/api/billing/payment-methods")).json()) as Thing).data;
  await expect.poll(cards).toHaveLength(1);
  const wallet = async () => {
    const [row] = await gw.sql(
      "SELECT posted FROM ledger_account WHERE kind = 'wallet' AND payer_kind = 'organisation' AND payer_id = $1",
      [organisationId],
    );
    return Number(row?.posted ?? 0) / 1e9;
  };
  const operation = async (): Promise<Thing> => {
    const [row] = await gw.sql("SELECT id FROM auto_topup_operation WHERE user_id = $1", [admin.person.userId]);
    if (row === undefined) return {};
    return (await (await admin.browser.get(`/api/billing/auto-topup/operations/${row.id}`)).json()) as Thing;
  };
  return { ...admin, organisationId, card, wallet, operation };
}

type Payer = Awaited<ReturnType<typeof aPayer>>;
const save = async ({ browser }: Pick<Payer, "browser">, change: object = {}) => {
  const answer = await browser.post("/api/billing/auto-topup", { ...SETTINGS, ...change }, { json: true });
  return { status: answer.status, body: (await answer.json()) as Thing };
};
/** Waits for the person's only email; the job runs every few seconds. */
async function theMail({ person }: Payer) {
  await expect.poll(async () => (await mailsTo(portal.gateway.dataDir, person.email)).length, WAIT).toBe(1);
  return portal.mail(person.email);
}
const WAIT = { timeout: 30_000, interval: 250 };

test("nobody is charged before the operator approves it, nor for a consent that is missing, old or for other settings", async () => {
  const payer = await aPayer(portal);
  expect(await save(payer)).toMatchObject({
    status: 409,
    body: { code: "conflict", human_message: expect.stringContaining("approved") },
  });
  expect(await (await payer.browser.get("/dashboard/billing")).text()).toContain("hasn’t approved auto top-up");
  const member = await portal.signInAs("org_admin");
  expect(
    (
      await member.browser.post(
        "/dashboard/admin/billing/auto-topup-policy",
        { ...POLICY, version: "0" },
        { json: true },
      )
    ).status,
  ).toBe(403);
  expect((await approve(portal, 0)).status).toBe(200);
  expect((await approve(portal, 0)).status).toBe(409);
  expect(await save(payer, { consent_version: "2020-01-01" })).toMatchObject({
    status: 409,
    body: { code: "conflict" },
  });
  for (const change of [{ consent: false }, { consent: undefined }, { amount: undefined }, { threshold: "plenty" }])
    expect((await save(payer, change)).status).toBe(422);
  expect(await save(payer, { version: 7 })).toMatchObject({ status: 409 });
  expect(await save(payer, { daily_limit: 600, monthly_limit: 900 })).toMatchObject({
    status: 400,
    body: { code: "invalid_request" },
  });
  await portal.sql("UPDATE session SET proved_at = now() - interval '16 minutes' WHERE user_id = $1", [
    payer.person.userId,
  ]);
  expect((await save(payer)).status).toBe(401);
  expect(await portal.sql("SELECT 1 FROM auto_topup_operation WHERE user_id = $1", [payer.person.userId])).toEqual([]);
}, 60_000);

describe("with an approved policy", () => {
  test("a low wallet is topped up, its owner can read the charge and nobody else, and it stops at once", async () => {
    const payer = await aPayer(portal);
    expect(await save(payer)).toMatchObject({ status: 200, body: { ok: true, active: true, version: 1 } });
    await expect.poll(payer.wallet, WAIT).toBe(20);
    const operation = await payer.operation();
    expect(operation).toMatchObject({
      state: "succeeded",
      confirmed: true,
      amount: 20,
      fee: 0.3,
      settings_version: 1,
      failure: null,
    });
    const path = `/api/billing/auto-topup/operations/${operation.id}`;
    const colleague = await portal.signInAs("org_admin", { organisationId: payer.organisationId });
    for (const browser of [colleague.browser, (await portal.signInAs("owner")).browser])
      expect((await browser.get(path)).status).toBe(404);
    expect((await payer.browser.get(`/api/billing/auto-topup/operations/${randomUUID()}`)).status).toBe(404);
    for (const [language, word] of [
      ["en", "Charged this month"],
      ["de", "Diesen Monat belastet"],
      ["fr", "Débité ce mois-ci"],
      ["es", "Cargado este mes"],
    ] as const) {
      const page = await payer.browser.fetch("/dashboard/billing", { headers: { "accept-language": language } });
      const text = await page.text();
      expect(text).toContain(word);
      expect(text).toMatch(/20[.,]30(?!\d)/);
    }
    const off = await payer.browser.post("/api/billing/auto-topup", { active: "false" });
    expect([off.status, off.headers.get("location")]).toEqual([303, "/dashboard/billing"]);
    expect(await (await payer.browser.follow(off)).text()).toContain("Auto top-up is off.");
    const events = await portal.sql(
      "SELECT action FROM act WHERE organisation_id = $1 AND action LIKE 'auto_topup%' ORDER BY id",
      [payer.organisationId],
    );
    expect(events.map(({ action }) => action)).toEqual(["auto_topup.save", "auto_topup.off"]);
  }, 60_000);

  test("a declined card pauses it: its owner is told by email, and the page says until when", async () => {
    const payer = await aPayer(portal, "insufficient_funds");
    await save(payer);
    const mail = await theMail(payer);
    expect(mail.text).toContain("insufficient funds");
    expect(mail.text).toContain("/dashboard/billing#auto-topup");
    expect(await payer.operation()).toMatchObject({ state: "failed", failure: "insufficient_funds", confirmed: false });
    const text = await (await payer.browser.get("/dashboard/billing")).text();
    for (const part of ["Paused after a failed payment.", "The card has insufficient funds.", "Next attempt"])
      expect(text).toContain(part);
    expect(await payer.wallet()).toBe(0);
  }, 60_000);

  test("a refund pauses it until its owner agrees again, and the owner and the operator are told", async () => {
    const payer = await aPayer(portal);
    const operator = await portal.signInAs("owner");
    await save(payer);
    await expect.poll(payer.wallet, WAIT).toBe(20);
    const { id } = await payer.operation();
    const intent = [...processor.state.things.values()].find(
      ({ object, metadata }) => object === "payment_intent" && metadata?.gw_reference === id,
    ) as Thing;
    await processor.deliver(portal.url, processor.state.refund(intent.id, 100));
    const view = async (): Promise<Thing> =>
      (await (await payer.browser.get("/api/billing/auto-topup")).json()) as Thing;
    await expect.poll(async () => (await view()).wait, WAIT).toBe("paused");
    expect(await view()).toMatchObject({
      active: false,
      version: 2,
      pause: { reason: "refund", payment_id: id },
      settings: { threshold: 5, amount: 20, daily_limit: 100, monthly_limit: 200 },
      consent: null,
    });
    const mail = await theMail(payer);
    expect(mail.subject).toContain("Auto top-up paused");
    expect(mail.text).toContain("$20.30 was refunded");
    for (const [language, words] of [
      ["en", ["A payment of this wallet was refunded.", "Agree and resume"]],
      ["de", ["Eine Zahlung für dieses Guthaben wurde erstattet.", "Zustimmen und fortsetzen"]],
      ["fr", ["Un paiement de ce portefeuille a été remboursé.", "Accepter et reprendre"]],
      ["es", ["Se reembolsó un pago de este monedero.", "Aceptar y reanudar"]],
    ] as const) {
      const page = await payer.browser.fetch("/dashboard/billing", { headers: { "accept-language": language } });
      const text = await page.text();
      for (const each of words) expect(text).toContain(each);
    }
    const admin = await (await operator.browser.get("/dashboard/admin/billing")).text();
    expect(admin).toContain("Payment refunded");
    await operator.browser.post("/dashboard/admin/jobs/report-payment-problems/run", {}, { json: true });
    await expect.poll(async () => (await mailsTo(portal.gateway.dataDir, operator.person.email)).length, WAIT).toBe(1);
    expect((await portal.mail(operator.person.email)).text).toContain("1 auto top-up was paused");
    expect(await save(payer, { version: 1 })).toMatchObject({ status: 409, body: { code: "conflict" } });
    expect(await save(payer, { version: 2 })).toMatchObject({ status: 200, body: { active: true, version: 3 } });
    expect(await view()).toMatchObject({ active: true, version: 3, pause: null });
    const stranger = await portal.signInAs("member", { organisationId: payer.organisationId });
    expect((await stranger.browser.get("/api/billing/auto-topup")).status).toBe(403);
  }, 90_000);

  test("a bank that wants its customer is waited for on the processor's page", async () => {
    const payer = await aPayer(portal, "authentication_required");
    await save(payer);
    const mail = await theMail(payer);
    const { action_url: url, state } = await payer.operation();
    expect([state, mail.text.includes(url)]).toEqual(["requires_action", true]);
    expect(await (await payer.browser.get("/dashboard/billing")).text()).toContain(`href="${url}"`);
    const owner = await portal.signInAs("owner");
    expect(await (await owner.browser.get("/dashboard/admin/billing")).text()).toContain("Needs your confirmation");
    await processor.deliver(portal.url, processor.state.pay(String(url).split("/").at(-1) as string));
    await expect.poll(payer.wallet, WAIT).toBe(20);
    expect(await payer.operation()).toMatchObject({ state: "succeeded", action_url: null });
  }, 60_000);

  test("what is wrong with a form is said beside its field, and nothing is lost", async () => {
    const payer = await aPayer(portal);
    const { consent: _, ...without } = SETTINGS;
    const sent = Object.fromEntries(
      Object.entries({ ...without, amount: "33.33" }).map(([name, value]) => [name, String(value)]),
    );
    const headers = { referer: `${portal.url}/dashboard/billing` };
    const refused = await payer.browser.post("/api/billing/auto-topup", sent, { headers });
    const text = await (await payer.browser.follow(refused)).text();
    expect(text).toContain('id="top-up-consent-problem"');
    expect(text).toContain('value="33.33"');
    expect(await portal.sql("SELECT 1 FROM auto_topup_setting WHERE user_id = $1", [payer.person.userId])).toEqual([]);
  });
});

const RUNS = Number(process.env.RUNS ?? 2);

test(
  `${RUNS} times, a process that is killed between the charge and the credit leaves one charge, credited once`,
  async () => {
    const database = await freshDatabase();
    let gw = await startPortal({ env, database });
    try {
      await approve(gw, 0);
      for (let turn = 1; turn <= RUNS; turn += 1) {
        const payer = await aPayer(gw);
        const intents = () =>
          [...processor.state.things.values()].filter(
            ({ object, payment_method }) => object === "payment_intent" && payment_method === payer.card,
          );
        // Kill the process while it waits for the answer, or at a random time after it.
        if (turn % 2 === 1) processor.faults.push("silent_after");
        await save(payer);
        await expect.poll(() => intents().length, { ...WAIT, interval: 5 }).toBe(1);
        const { dataDir, adminKey } = gw.gateway;
        await gw.gateway.kill("SIGKILL");
        gw = await startPortal({ env, database, dataDir, adminKey });
        await gw.sql("UPDATE auto_topup_operation SET next_look_at = now() WHERE next_look_at IS NOT NULL");
        const credits = async () =>
          (
            await gw.sql(
              "SELECT count(*)::int AS n, sum(amount)::bigint::text AS sum FROM ledger_entry e JOIN ledger_account a ON a.id = e.account_id WHERE a.kind = 'wallet' AND a.payer_kind = 'organisation' AND a.payer_id = $1",
              [payer.organisationId],
            )
          )[0];
        await expect.poll(credits, { ...WAIT, timeout: 60_000 }).toEqual({ n: 1, sum: "20000000000" });
        const event = processor.state.events.find(({ data }) => data.object.id === intents()[0]?.id) as Thing;
        await processor.deliver(gw.url, event);
        expect(await credits()).toEqual({ n: 1, sum: "20000000000" });
        expect(intents()).toHaveLength(1);
      }
      expect(await gw.sql("SELECT * FROM ledger_audit")).toEqual([]);
      expect(await gw.sql("SELECT * FROM auto_topup_audit")).toEqual([]);
    } finally {
      await gw.close();
      await database.close();
    }
  },
  90_000 + RUNS * 60_000,
);
