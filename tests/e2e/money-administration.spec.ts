import { randomUUID } from "node:crypto";
import { expect, type Page } from "@playwright/test";
import { addOrganisation } from "../support/people";
import { expectUsable } from "./accessibility";
import { type Portal, test } from "./portal";

test.setTimeout(240_000);

/** Checks a page in both colour schemes and widths. */
async function lookAt(page: Page, address: string, name: string): Promise<void> {
  for (const width of [360, 1280]) {
    for (const colorScheme of ["dark", "light"] as const) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      await page.goto(address);
      await expectUsable(page);
      if (process.env.LOOK)
        await page.screenshot({ path: `${process.env.LOOK}/${name}-${width}-${colorScheme}.png`, fullPage: true });
    }
  }
}

const asProgram = (page: Page, path: string, body: object) =>
  page.evaluate(
    async ([path, body]) => {
      const headers = { "content-type": "application/json", accept: "application/json" };
      return (await fetch(path, { method: "POST", headers, body })).json();
    },
    [path, JSON.stringify(body)] as const,
  );

async function anOrganisation(portal: Portal, name: string) {
  const organisationId = await addOrganisation(portal.sql, name);
  const [wallet] = await portal.sql("SELECT wallet_open('organisation', $1, $1, false)::int AS id", [organisationId]);
  return { organisationId, walletId: wallet.id as number };
}

test("an admin makes a code, a person redeems it and spends of it, and what is left expires", async ({
  browser,
  portal,
}) => {
  const { organisationId, walletId } = await anOrganisation(portal, "Promoted Ltd");
  const operators = await browser.newContext();
  await portal.signInAs(operators, "platform_admin");
  const operator = await operators.newPage();
  await operator.goto(`${portal.url}/dashboard/admin/promotions`);
  await expect(operator.getByText("No promotions yet")).toBeVisible();
  await operator.getByLabel("Name").fill("Spring gift");
  await operator.getByLabel("Amount in US dollars").fill("5");
  await operator.getByLabel("Expires after (UTC)").fill("2099-12-31");
  await operator.getByRole("button", { name: "Create promotion" }).click();
  await expect(operator.getByRole("heading", { name: "Spring gift", level: 1 })).toBeVisible();
  const code = (await operator.locator(".mono", { hasText: /^[2-9A-Z]{5}-[2-9A-Z]{5}$/ }).textContent()) as string;
  const promotion = operator.url();

  const people = await browser.newContext();
  await portal.signInAs(people, "org_admin", { organisationId });
  const person = await people.newPage();
  await person.goto(`${portal.url}/dashboard/billing`);
  await person.getByLabel("Promotion code").fill("22222 22222");
  await person.getByRole("button", { name: "Redeem" }).click();
  await expect(person.getByText("This code isn’t valid.").first()).toBeVisible();
  await person.getByLabel("Promotion code").fill(code.toLowerCase());
  await person.getByRole("button", { name: "Redeem" }).click();
  await expect(person.getByText("Spring gift added to the wallet.")).toBeVisible();
  const row = person.getByRole("row", { name: /^Spring gift/ });
  await expect(row).toContainText("$5.00");

  const { key } = await asProgram(person, "/dashboard/keys/new", { name: "Spends" });
  const answer = await fetch(`${portal.url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "sandbox-chat", messages: [{ role: "user", content: "Hello" }] }),
  });
  expect(answer.status).toBe(200);
  const used = async () =>
    (await portal.sql("SELECT (5000000000 - posted)::text AS used FROM ledger_account WHERE id = $1", [walletId]))[0]
      .used;
  await expect.poll(used).not.toBe("0");
  const spent = await used();
  const left = async () =>
    (
      await portal.sql(
        "SELECT spent::text, remaining::text, expired::text FROM promotion_credit WHERE wallet_id = $1",
        [walletId],
      )
    )[0];
  await asProgram(operator, "/dashboard/admin/jobs/apply-promotions/run", {});
  await expect.poll(async () => (await left()).spent, { timeout: 15_000 }).toBe(spent);
  await lookAt(person, `${portal.url}/dashboard/billing`, "wallet-promotions");
  await lookAt(operator, `${portal.url}/dashboard/admin/promotions`, "promotions");
  await lookAt(operator, promotion, "promotion");

  await portal.sql("UPDATE promotion_credit SET expires_at = app_now() WHERE wallet_id = $1", [walletId]);
  await asProgram(operator, "/dashboard/admin/jobs/apply-promotions/run", {});
  await expect.poll(async () => (await left()).remaining, { timeout: 15_000 }).toBe("0");
  await person.goto(`${portal.url}/dashboard/billing`);
  await expect(person.getByRole("link", { name: "Promotional credit expired" })).toBeVisible();
  await expect(row).toBeHidden();

  await person.getByRole("link", { name: "Statements" }).click();
  await person.getByRole("table").getByRole("link").first().click();
  await expect(person.getByText("Equal to the ledger")).toBeVisible();
  const statement = person.url();
  await lookAt(person, statement, "statement");
  await lookAt(person, `${portal.url}/dashboard/billing/statements`, "statements");
  await lookAt(person, `${portal.url}/dashboard/billing/ledger/2`, "ledger-entry");
  await person.goto(statement);
  await person.emulateMedia({ media: "print" });
  await expect(person.getByRole("navigation")).toBeHidden();
});

test("an organisation that is renamed keeps the budget that was set since the page was opened", async ({
  page,
  context,
  portal,
}) => {
  const { organisationId } = await anOrganisation(portal, "Before Ltd");
  await portal.signInAs(context, "owner");
  const address = `${portal.url}/dashboard/admin/organisations/${organisationId}`;
  await page.goto(address);
  const other = await context.newPage();
  await other.goto(address);
  await other.locator("#monthly-budget input[name=monthly_budget]").fill("250");
  await other.locator("#monthly-budget").getByRole("button").click();
  await expect(other.getByText("Budget saved.")).toBeVisible();
  await page.locator("#general input[name=name]").fill("After Ltd");
  await page.locator("#general").getByRole("button").click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("After Ltd");
  await expect(page.locator("#monthly-budget input[name=monthly_budget]")).toHaveValue("250.00");
});

test("a hold in review is resolved on its page, with a reason, and the audit is run again", async ({
  browser,
  portal,
}) => {
  const { organisationId, walletId } = await anOrganisation(portal, "Unclear Ltd");
  const callId = randomUUID();
  await portal.sql("SELECT wallet_post($1, 'adjustment', 1000000000, 'adjustment', $2, 'test', 'start')", [
    walletId,
    callId,
  ]);
  await portal.sql("UPDATE ledger_account SET held = held + 4000000 WHERE id = $1", [walletId]);
  await portal.sql(
    `INSERT INTO hold (id, organisation_id, key_id, wallet_id, exempt, state, amount, price_version, lease_owner, lease_until, created_at, dispatched_at, reason)
     VALUES ($1, $2, 1, $3, false, 'review', 4000000, 1, 'gw-production-eu-west-1', now() - interval '1 minute', now(), now(), 'lease_expired')`,
    [callId, organisationId, walletId],
  );
  const context = await browser.newContext();
  await portal.signInAs(context, "platform_admin");
  const page = await context.newPage();
  const reconcile = `${portal.url}/dashboard/admin/billing/reconcile`;
  await page.goto(`${portal.url}/dashboard/admin/billing`);
  await page.getByRole("link", { name: "Reconciliation" }).click();
  await expect(page.getByRole("cell", { name: "Unclear Ltd" })).toBeVisible();
  await expect(async () => {
    await page.goto(reconcile);
    await page.getByRole("button", { name: "Run audit" }).click();
    await expect(page.getByText("The audit starts within a second.")).toBeVisible({ timeout: 1_000 });
  }).toPass({ timeout: 15_000 });
  await expect(async () => {
    await page.goto(reconcile);
    await expect(page.getByText("No processor is set up")).toBeVisible({ timeout: 500 });
  }).toPass({ timeout: 15_000 });
  await lookAt(page, reconcile, "reconcile");
  await lookAt(page, `${reconcile}/${callId}`, "review");

  await page.getByLabel("Charge an amount").check();
  await page.getByLabel("Amount in US dollars").fill("0.003");
  await page.getByLabel("Reason").fill("Billed there, ticket 4711");
  await page.getByRole("button", { name: "Resolve" }).click();
  await expect(page.getByText("Hold resolved and charged.")).toBeVisible();
  await expect(page.getByRole("cell", { name: "Unclear Ltd" })).toBeHidden();
  const [hold] = await portal.sql("SELECT state, captured::int FROM hold WHERE id = $1", [callId]);
  expect(hold).toEqual({ state: "settled", captured: 3_000_000 });
});
