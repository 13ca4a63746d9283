import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { freshDatabase } from "../../support/database";
import { type Portal, startPortal } from "../../support/portal";
import { post, StandInProcessor } from "../../support/stand-in-processor";
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

async function anAdmin(gw: Portal) {
  const organisationId = await gw.addOrganisation();
  const admin = await gw.signInAs("org_admin", { organisationId });
  const wallet = async () => {
    const [row] = await gw.sql(
      "SELECT posted FROM ledger_account WHERE kind = 'wallet' AND payer_kind = 'organisation' AND payer_id = $1",
      [organisationId],
    );
    return Number(row.posted) / 1e9;
  };
  return { ...admin, organisationId, wallet };
}

/** Number of kills between a payment and its credit; `KILLS=20` runs the full test. */
const KILLS = Number(process.env.KILLS ?? 3);

async function checkout(
  { browser }: { browser: Awaited<ReturnType<typeof anAdmin>>["browser"] },
  amount: unknown,
  headers = {},
) {
  const answer = await browser.post("/api/billing/checkout", { amount }, { json: true, headers });
  const body = (await answer.json()) as Thing;
  return {
    status: answer.status,
    body,
    sessionId: String(body.url ?? "")
      .split("/")
      .at(-1) as string,
  };
}

describe("funding a wallet", () => {
  test("leads to the processor's page, and is credited once, however often the processor says so", async () => {
    const admin = await anAdmin(portal);
    const { status, body, sessionId } = await checkout(admin, 25);
    expect([status, body.ok, body.url]).toEqual([200, true, `https://checkout.example/${sessionId}`]);
    const session = processor.state.things.get(sessionId) as Thing;
    expect([session.amount_total, session.success_url]).toEqual([
      2_530,
      expect.stringMatching(new RegExp(`/dashboard/billing/fund\\?checkout=${body.checkout_id}$`)),
    ]);
    const status_ = () => admin.browser.get(`/api/billing/checkout-status?checkout_id=${body.checkout_id}`);
    expect(await (await status_()).json()).toMatchObject({
      ok: true,
      kind: "payment",
      state: "open",
      confirmed: false,
      amount: 25,
    });
    const event = processor.state.pay(sessionId);
    const answers = await Promise.all(Array.from({ length: 8 }, () => processor.deliver(portal.url, event)));
    expect(answers).toEqual(Array(8).fill(200));
    await expect.poll(admin.wallet).toBe(25);
    expect(await (await status_()).json()).toMatchObject({ state: "paid", confirmed: true, final: true });
    const stranger = await anAdmin(portal);
    expect((await stranger.browser.get(`/api/billing/checkout-status?checkout_id=${body.checkout_id}`)).status).toBe(
      404,
    );
  });

  test("is seen in the ledger by its filters, in the reader's language, and in the file of them", async () => {
    const admin = await anAdmin(portal);
    const { body, sessionId } = await checkout(admin, 25);
    await processor.deliver(portal.url, processor.state.pay(sessionId));
    await expect.poll(admin.wallet).toBe(25);
    const page = async (query: string) => (await admin.browser.get(`/dashboard/billing?${query}`)).text();
    const entry = 'href="/dashboard/billing/ledger/1#payment"';
    expect(await page("kind=topup&minimum=25")).toContain(entry);
    for (const query of ["kind=usage", "minimum=25.01", "until=2001-01-01"]) {
      expect(await page(query)).not.toContain(entry);
      expect(await page(query)).toContain("No matching entries");
    }
    expect((await admin.browser.get("/dashboard/billing?kind=nonsense")).status).toBe(422);
    expect(await page("kind=topup&minimum=25")).toContain(
      'href="/dashboard/billing/ledger/export?kind=topup&amp;minimum=25"',
    );
    await portal.sql("UPDATE app_user SET language = 'de' WHERE id = $1", [admin.person.userId]);
    const file = await (await admin.browser.get("/dashboard/billing/ledger/export?kind=topup")).text();
    expect(file.split("\r\n")).toEqual([
      "seq,time,kind,entry,note,actor,amount_usd,balance_after_usd,payment_id,request_id",
      expect.stringMatching(
        new RegExp(`^1,[^,]+,topup,Zahlung,Mit Karte bezahlt,processor,25\\.0{9},25\\.0{9},${body.checkout_id},$`),
      ),
      "",
    ]);
    expect(await (await admin.browser.get("/dashboard/billing/ledger/1")).text()).toContain("25,30");
    const member = await portal.signInAs("member", { organisationId: admin.organisationId });
    expect((await member.browser.getJson("/dashboard/billing/ledger/export")).status).toBe(403);
  });

  test("by a form, sends the browser there", async () => {
    const admin = await anAdmin(portal);
    const answer = await admin.browser.post("/api/billing/checkout", { amount: "10.50" });
    expect([answer.status, answer.headers.get("location")]).toEqual([
      303,
      expect.stringMatching(/^https:\/\/checkout\.example\//),
    ]);
  });

  test("twenty times at once under one key, is one payment", async () => {
    const admin = await anAdmin(portal);
    const all = await Promise.all(Array.from({ length: 20 }, () => checkout(admin, 10, { "idempotency-key": "one" })));
    expect(new Set(all.map(({ body }) => body.url)).size).toBe(1);
    expect((await checkout(admin, 11, { "idempotency-key": "one" })).body).toMatchObject({
      code: "idempotency_conflict",
    });
    expect((await checkout(admin, 11, { "idempotency-key": "a key" })).body).toMatchObject({
      code: "invalid_idempotency_key",
    });
  });

  test.each([["1e1"], [-10], [0], ["NaN"], ["10.001"], [9_000_000_000], [[10]], [null], [""]])(
    "of %j is refused",
    async (amount) => {
      expect((await checkout(await anAdmin(portal), amount)).status).toBe(422);
    },
  );

  test("is for who pays: members are told to ask, and fields beyond the amount are refused", async () => {
    const { organisationId } = await anAdmin(portal);
    const member = await portal.signInAs("member", { organisationId });
    expect((await checkout(member, 10)).body).toMatchObject({ code: "forbidden" });
    const admin = await anAdmin(portal);
    const sent = await admin.browser.post("/api/billing/checkout", { amount: 10, wallet_id: 1 }, { json: true });
    expect(sent.status).toBe(422);
  });
});

describe("the webhook", () => {
  test("refuses what the processor has not signed, and what is too long, without a word about why", async () => {
    const admin = await anAdmin(portal);
    const { sessionId } = await checkout(admin, 10);
    const event = processor.state.pay(sessionId);
    const { payload, signature } = processor.signed(event);
    const forged = [
      post(portal.url, payload.replace("checkout", "Checkout"), signature),
      post(portal.url, payload, null),
      post(portal.url, payload, signature.replace(/v1=./, "v1=z")),
      post(portal.url, payload, processor.signed(event, { secret: "whsec_mine" }).signature),
      post(
        portal.url,
        payload,
        processor.signed(event, { timestamp: Math.floor(Date.now() / 1_000) + 3_600 }).signature,
      ),
    ];
    for (const answer of await Promise.all(forged)) expect(answer.status).toBe(400);
    expect((await post(portal.url, " ".repeat(1_100_000), signature)).status).toBe(413);
    expect((await fetch(`${portal.url}/api/billing/processor/webhook`)).status).toBe(405);
    expect(await admin.wallet()).toBe(0);
  });
});

describe("the wallet page", () => {
  test("shows the fee before the payment, waits for the credit without script, then shows it, in every language", async () => {
    const admin = await anAdmin(portal);
    const chosen = await (await admin.browser.get("/dashboard/billing/fund?amount=25")).text();
    expect(chosen).toContain("$25.30");
    expect(chosen).toContain('action="/api/billing/checkout"');
    expect(await (await admin.browser.get("/dashboard/billing/fund?amount=1")).text()).toContain(
      "Enter an amount from 5.00",
    );
    const { body, sessionId } = await checkout(admin, 25);
    const back = `/dashboard/billing/fund?checkout=${body.checkout_id}`;
    const waiting = await admin.browser.get(back);
    expect(waiting.headers.get("content-security-policy")).toContain("form-action 'self' https://checkout.stripe.com");
    expect(await waiting.text()).toMatch(/http-equiv="refresh"/i);
    await processor.deliver(portal.url, processor.state.pay(sessionId));
    await expect.poll(admin.wallet).toBe(25);
    const over = await (await admin.browser.get(back)).text();
    expect(over).toContain("$25.00 added to the wallet");
    expect(over).not.toMatch(/http-equiv="refresh"/i);
    for (const [language, word] of [
      ["en", "Ledger"],
      ["de", "Kontobewegungen"],
      ["fr", "Mouvements"],
      ["es", "Movimientos"],
    ] as const) {
      const page = await admin.browser.fetch("/dashboard/billing", { headers: { "accept-language": language } });
      const text = await page.text();
      expect(text).toContain(word);
      expect(text).toMatch(/25[.,]00(?:\s| |<)/);
    }
    const member = await portal.signInAs("member", { organisationId: admin.organisationId });
    const theirs = await (await member.browser.get("/dashboard/billing")).text();
    expect(theirs).toContain("Only its billing admins can see the balance");
    expect(theirs).not.toMatch(/25[.,]00/);
  });

  test("says what is wrong with an amount beside it and keeps what was typed", async () => {
    const admin = await anAdmin(portal);
    for (const typed of ["1", "plenty"]) {
      const answer = await admin.browser.get(`/dashboard/billing/fund?amount=${typed}`);
      expect(answer.status).toBe(200);
      const text = await answer.text();
      for (const part of [`value="${typed}"`, 'aria-describedby="amount-problem"', 'href="#amount"'])
        expect(text).toContain(part);
    }
    const page = "/dashboard/billing/fund?amount=25";
    const headers = { referer: portal.url + page };
    const refused = await admin.browser.post("/api/billing/checkout", { amount: "1" }, { headers });
    expect(refused.headers.get("location")).toBe(page);
    const text = await (await admin.browser.follow(refused)).text();
    expect(text).toMatch(/id="amount-problem"[^>]*>Enter an amount from 5.00/);
    expect(text).toContain('value="25"');
  });

  test("saves a card, makes another the default and removes one, by forms", async () => {
    const admin = await anAdmin(portal);
    for (const last4 of ["1111", "2222"]) {
      const started = await admin.browser.post("/api/billing/payment-methods/setup", {});
      const sessionId = String(started.headers.get("location")).split("/").at(-1) as string;
      await processor.deliver(portal.url, processor.state.saveCard(sessionId, { last4 }));
      await expect
        .poll(async () => (await (await admin.browser.get("/dashboard/billing")).text()).includes(last4))
        .toBe(true);
    }
    const list = async () =>
      ((await (await admin.browser.get("/api/billing/payment-methods")).json()) as Thing).data as Thing[];
    const [newer, older] = (await list()) as [Thing, Thing];
    expect([newer.default, older.default]).toEqual([false, true]);
    const sent = await admin.browser.post("/dashboard/billing", { act: "default", method: newer.id });
    expect(await (await admin.browser.follow(sent)).text()).toContain("Default card updated.");
    expect(
      (await admin.browser.post(`/api/billing/payment-methods/${newer.id}`, {}, { json: true, method: "DELETE" }))
        .status,
    ).toBe(200);
    expect(await list()).toMatchObject([{ id: older.id, last4: "1111", default: true }]);
    const stranger = await anAdmin(portal);
    const foreign = await stranger.browser.post(`/api/billing/payment-methods/${older.id}/default`, {}, { json: true });
    expect(foreign.status).toBe(404);
  });
});

describe("those who run the installation", () => {
  test("credit a wallet by hand, with a reason and a recent proof", async () => {
    const owner = await portal.signInAs("owner");
    const customer = await anAdmin(portal);
    const page = "/dashboard/admin/billing";
    const form = {
      payer_kind: "organisation",
      payer_id: String(customer.organisationId),
      amount: "12.50",
      reason: "invoice 7",
      request_id: crypto.randomUUID(),
    };
    expect((await owner.browser.post(page, { ...form, reason: " " })).status).toBe(422);
    expect((await owner.browser.post(page, { ...form, amount: "-1" })).status).toBe(422);
    const chosen = `${page}?payer=organisation:${customer.organisationId}`;
    const nobody = await owner.browser.post(chosen, { ...form, payer_id: "999999" });
    expect(nobody.status).toBe(404);
    const text = await nobody.text();
    for (const part of ["any more", 'value="invoice 7"']) expect(text).toContain(part);
    expect(text).toContain(`value="${form.request_id}"`);
    for (let turn = 0; turn < 2; turn += 1) expect((await owner.browser.post(page, form)).status).toBe(303);
    expect(await customer.wallet()).toBe(12.5);
    expect((await customer.browser.post(page, form, { json: true })).status).toBe(403);
    await portal.sql("UPDATE session SET proved_at = now() - interval '16 minutes' WHERE user_id = $1", [
      owner.person.userId,
    ]);
    const again = { ...form, request_id: crypto.randomUUID() };
    expect((await owner.browser.post(page, again, { json: true })).status).toBe(401);
    expect(await customer.wallet()).toBe(12.5);
  });

  test("find whom to credit by a name or an email address, without a script", async () => {
    const owner = await portal.signInAs("owner");
    const organisationId = await portal.addOrganisation("Fennel & Sons");
    const { person } = await portal.signInAs("member", { organisationId });
    const find = async (text: string) =>
      (await owner.browser.get(`/dashboard/admin/billing?q=${encodeURIComponent(text)}`)).text();
    expect(await find("fennel")).toContain(
      `href="/dashboard/admin/billing?payer=organisation:${organisationId}#credit"`,
    );
    expect(await find(person.email.toUpperCase())).toContain(`?payer=user:${person.userId}#credit"`);
    expect(await find("100%_nobody")).toContain("No organisation, person or project matches");
    const chosen = await (await owner.browser.get(`/dashboard/admin/billing?payer=user:${person.userId}`)).text();
    for (const part of [person.email, `name="payer_id" value="${person.userId}"`]) expect(chosen).toContain(part);
    expect(await (await owner.browser.get("/dashboard/admin/billing?payer=user:999999")).text()).toContain('name="q"');
  });

  test("see an event that cannot be applied, and replay it", async () => {
    const owner = await portal.signInAs("owner");
    const admin = await anAdmin(portal);
    const { body, sessionId } = await checkout(admin, 10);
    await portal.sql("UPDATE payment SET session_id = 'cs_other' WHERE id = $1", [body.checkout_id]);
    const event = processor.state.pay(sessionId);
    await processor.deliver(portal.url, event);
    const page = async () => (await owner.browser.get("/dashboard/admin/billing")).text();
    await expect.poll(async () => (await page()).includes("the payment has another checkout session")).toBe(true);
    await portal.sql("UPDATE payment SET session_id = $2 WHERE id = $1", [body.checkout_id, sessionId]);
    const sent = await owner.browser.post(`/dashboard/admin/billing/events/${event.id}/replay`, {});
    expect(await (await owner.browser.follow(sent)).text()).toContain("Event applied.");
    await expect.poll(admin.wallet).toBe(10);
  });
});

test.each([
  ["POST", "/api/billing/add-funds", { amount: 10 }],
  ["POST", "/api/billing/payment-method", { card: "4242" }],
  ["DELETE", "/api/billing/payment-method/1", {}],
  ["POST", "/api/billing/payment-method/1/default", {}],
  ["POST", "/api/billing/link-partner", { partner: 1 }],
  ["POST", "/api/billing/unlink-partner", {}],
])("%s %s is retired and changes nothing", async (method, path, fields) => {
  const admin = await anAdmin(portal);
  const answer = await admin.browser.post(path, fields, { json: true, method });
  expect([answer.status, ((await answer.json()) as Thing).code]).toEqual([501, "not_implemented"]);
  expect(await admin.wallet()).toBe(0);
});

test(
  "a payment whose process is killed right after the webhook's answer is credited once, by the next one",
  async () => {
    const database = await freshDatabase();
    let gw = await startPortal({ env, database });
    const restart = async (dataDir: string, adminKey: string) => startPortal({ env, database, dataDir, adminKey });
    try {
      const admin = await anAdmin(gw);
      for (let turn = 1; turn <= KILLS; turn += 1) {
        const { sessionId } = await checkout({ browser: await gw.signIn(admin.person) }, 10);
        const event = processor.state.pay(sessionId);
        const told = await processor.deliver(gw.url, event).catch(() => 0);
        const { dataDir, adminKey } = gw.gateway;
        await gw.gateway.kill("SIGKILL");
        gw = await restart(dataDir, adminKey);
        if (told !== 200) await processor.deliver(gw.url, event);
        await processor.deliver(gw.url, event);
        const posted = async () =>
          Number(
            (
              await gw.sql(
                "SELECT posted FROM ledger_account WHERE payer_kind = 'organisation' AND payer_id = $1 AND kind = 'wallet'",
                [admin.organisationId],
              )
            )[0].posted,
          ) / 1e9;
        await expect.poll(posted, { timeout: 20_000 }).toBe(10 * turn);
      }
      expect(await gw.sql("SELECT * FROM ledger_audit")).toEqual([]);
    } finally {
      await gw.close();
      await database.close();
    }
  },
  60_000 * KILLS,
);

test("without a processor, funding says who has to do what", async () => {
  const gw = await startPortal();
  try {
    const admin = await anAdmin(gw);
    const { status, body } = await checkout(admin, 10);
    expect([status, body.code, body.human_message]).toEqual([
      503,
      "billing_unavailable",
      expect.stringContaining("STRIPE_SECRET_KEY"),
    ]);
    expect(await (await admin.browser.get("/api/billing/processor-config")).json()).toMatchObject({
      configured: false,
      publishable_key: null,
    });
    expect((await post(gw.url, "{}", "t=1,v1=0")).status).toBe(503);
  } finally {
    await gw.close();
  }
}, 120_000);
