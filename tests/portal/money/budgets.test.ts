import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Portal, startPortal } from "../../support/portal";

let portal: Portal;
beforeAll(async () => {
  portal = await startPortal({ env: { GW_ALLOW_PRIVATE_WEBHOOKS: "true" } });
}, 120_000);
afterAll(() => portal?.close());

type Told = { id: number; kind: string; threshold_percent: number; state: string; available: number };

/** Creates a person with a key that has a daily budget of one dollar. */
async function aKeyOwner() {
  const organisationId = await portal.addOrganisation();
  const { browser, person } = await portal.signInAs("member", { organisationId });
  const [key] = await portal.sql(
    `INSERT INTO api_key (public_id, organisation_id, user_id, name, secret_hmac, secret_prefix, secret_last4)
     VALUES ('alert-' || $2::int, $1, $2::int, 'Nightly batch', decode(md5(($2::int)::text), 'hex'), 'gw', '0000') RETURNING id`,
    [organisationId, person.userId],
  );
  await portal.sql("SELECT budget_set($1, 'key', $2, 1000000000, 'daily')", [organisationId, key.id]);
  const spend = (nanoUsd: number) =>
    portal.sql(
      `INSERT INTO budget_counter (budget_id, period_start, organisation_id, opening, spent)
         SELECT id, budget_period_start(period, app_now()), organisation_id, $2, $2 FROM budget WHERE scope_kind = 'key' AND scope_id = $1`,
      [key.id, nanoUsd],
    );
  const told = async (query = "") =>
    (await (await browser.getJson(`/dashboard/budgets/alert-history${query}`)).json()) as {
      data: Told[];
      next_before_id: number | null;
    };
  return { browser, person, organisationId, spend, told };
}

describe("budget alerts", () => {
  test("are turned on by a form, arrive by email once, and stand in the history of their addressee alone", async () => {
    const { browser, person, spend, told } = await aKeyOwner();
    expect(await (await browser.get("/dashboard/budgets/alerts")).text()).toContain("Alerts are off");
    const turnedOn = await browser.post("/dashboard/budgets/activate", {});
    expect([turnedOn.status, turnedOn.headers.get("location")]).toEqual([303, "/dashboard/budgets/alerts"]);
    await spend(850_000_000);
    await expect.poll(async () => (await told()).data[0]?.state, { timeout: 40_000, interval: 500 }).toBe("sent");
    const history = await told();
    expect(history.data).toMatchObject([{ kind: "threshold", threshold_percent: 80, available: 0.15 }]);
    const email = await portal.mail(person.email);
    expect(email.subject).toBe("Budget alert: Nightly batch has spent 80%");
    expect(email.text).toContain("Spent $0.85, held $0.00, available $0.15 of $1.00.");
    expect(await (await browser.get("/dashboard/budgets/alerts")).text()).toContain("Nightly batch");
    const other = await aKeyOwner();
    const bounded = await other.told(`?before_id=${(history.data[0]?.id ?? 0) + 1}`);
    expect(bounded).toMatchObject({ data: [], next_before_id: null });
  }, 60_000);

  test("go to a webhook too, signed with the secret that was shown once", async () => {
    const { browser, spend } = await aKeyOwner();
    const received: { headers: Record<string, string>; body: string }[] = [];
    const receiver = createServer((request, response) => {
      request.setEncoding("utf8");
      let body = "";
      request.on("data", (piece) => {
        body += piece;
      });
      request.on("end", () => {
        received.push({ headers: request.headers as Record<string, string>, body });
        response.writeHead(204).end();
      });
    });
    await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
    const act = (body: Record<string, string>) => browser.post("/dashboard/budgets/webhook", body);
    try {
      await browser.post("/dashboard/budgets/activate", {});
      expect((await act({ act: "save", url: "no address" })).status).toBe(303);
      expect(await (await browser.get("/dashboard/budgets/alerts")).text()).toContain("Enter an https address");
      await act({ act: "save", url });
      const page = await (await browser.get("/dashboard/budgets/alerts")).text();
      const secret = /whsec_[\w+/=]+/.exec(page)?.[0] ?? "none";
      expect(await (await browser.get("/dashboard/budgets/alerts")).text()).toContain(secret);
      expect(await (await browser.get("/dashboard/guardrails")).text()).not.toContain(secret);
      await browser.post("/dashboard/secret-stored");
      expect(await (await browser.get("/dashboard/budgets/alerts")).text()).not.toContain(secret);
      await act({ act: "test" });
      expect(new Webhook(secret).verify(received[0]?.body ?? "", received[0]?.headers ?? {})).toMatchObject({
        type: "test",
      });
      await spend(500_000_000);
      await expect.poll(() => received.length, { timeout: 40_000, interval: 500 }).toBe(2);
      expect(new Webhook(secret).verify(received[1]?.body ?? "", received[1]?.headers ?? {})).toMatchObject({
        type: "budget.threshold",
        data: { threshold_percent: 50, spent: "0.500000000", scope: { name: "Nightly batch" } },
      });
      await act({ act: "remove" });
    } finally {
      receiver.close();
    }
  }, 60_000);

  test("are set to percentages of one's own; what is wrong is said beside the field, with what was typed", async () => {
    const { browser, person } = await aKeyOwner();
    const wrong = await browser.post("/dashboard/budgets/alerts", {
      active: "on",
      thresholds: "0, 101",
      low_balance: "",
    });
    expect(wrong.status).toBe(422);
    const page = await wrong.text();
    expect(page).toContain("Enter up to 10 whole percentages from 1 to 100");
    expect(page).toContain('value="0, 101"');
    await browser.post("/dashboard/budgets/alerts", { active: "on", thresholds: "95 %, 25; 95", low_balance: "12.50" });
    const [row] = await portal.sql(
      "SELECT active, thresholds, low_balance::text FROM alert_setting WHERE user_id = $1",
      [person.userId],
    );
    expect(row).toEqual({ active: true, thresholds: [25, 95], low_balance: "12500000000" });
    expect(await (await browser.get("/dashboard/budgets/alerts")).text()).toContain('value="12.50"');
  });

  test("about what one manages want consent, which only managers can give and anybody can take back", async () => {
    const { browser, organisationId } = await aKeyOwner();
    expect((await browser.post("/dashboard/budgets/consent", {}, { json: true })).status).toBe(403);
    expect((await browser.post("/dashboard/budgets/consent/revoke", {}, { json: true })).status).toBe(200);
    const admin = await portal.signInAs("org_admin", { organisationId });
    expect((await admin.browser.post("/dashboard/budgets/consent", {}, { json: true })).status).toBe(200);
    const consents = () =>
      portal.sql("SELECT consent_version FROM alert_setting WHERE user_id = $1 AND consented_at IS NOT NULL", [
        admin.person.userId,
      ]);
    expect(await consents()).toHaveLength(1);
    expect(await (await admin.browser.get("/dashboard/budgets/alerts")).text()).toContain("Withdraw consent");
    await admin.browser.post("/dashboard/budgets/consent/revoke", {});
    expect(await consents()).toEqual([]);
  });

  test("show a bounded history, and refuse what is not a number", async () => {
    const { browser } = await aKeyOwner();
    for (const query of ["?limit=101", "?before_id=x", "?before_id=-1"])
      expect((await browser.getJson(`/dashboard/budgets/alert-history${query}`)).status).toBe(422);
  });
});
