import { type BrowserContext, expect, type Page } from "@playwright/test";
import { addOrganisation } from "../support/people";
import { StandInProcessor } from "../support/stand-in-processor";
import type { Thing } from "../support/stand-in-processor/state";
import { expectUsable } from "./accessibility";
import { type Portal, startPortal, test } from "./portal";

test.setTimeout(240_000);

const CHECKOUT = "https://checkout.stripe.com";
const processor = new StandInProcessor();
processor.state.checkout = CHECKOUT;
let portal: Portal & { stop(): Promise<void> };

test.beforeAll(async () => {
  portal = await startPortal({
    ...processor.environment(await processor.start()),
    GW_FUNDING_FEE_FIXED: "0.30",
  });
});
test.afterAll(async () => {
  await portal?.stop();
  await processor.close();
});

/** Checks a page in both colour schemes and widths. */
async function lookAt(page: Page, name: string): Promise<void> {
  for (const width of [360, 1280]) {
    for (const colorScheme of ["dark", "light"] as const) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      await page.reload();
      await expectUsable(page);
      if (process.env.LOOK)
        await page.screenshot({ path: `${process.env.LOOK}/${name}-${width}-${colorScheme}.png`, fullPage: true });
    }
  }
}

/** Saves a card on the processor's page and returns to the portal. */
async function saveCard(page: Page, context: BrowserContext): Promise<string> {
  await context.route(`${CHECKOUT}/**`, (route) =>
    route.fulfill({ body: "<h1>Save your card</h1>", contentType: "text/html" }),
  );
  await page.getByRole("button", { name: "Add a card" }).first().click();
  await expect(page.getByRole("heading", { name: "Save your card" })).toBeVisible();
  const sessionId = page.url().split("/").at(-1) as string;
  const event = processor.state.saveCard(sessionId);
  await processor.deliver(portal.url, event);
  await page.goto(
    (processor.state.things.get(sessionId) as Thing).success_url.replace(/^https?:\/\/[^/]+/, portal.url),
  );
  return processor.state.things.get((event.data.object as Thing).setup_intent)?.payment_method as string;
}

const section = (page: Page) => page.locator("#auto-topup");

test("the operator approves it, a person saves a card and turns it on, the card is charged, declined, and it pauses", async ({
  browser,
}) => {
  const operators = await browser.newContext();
  await portal.signInAs(operators, "platform_admin");
  const operator = await operators.newPage();
  await operator.goto(`${portal.url}/dashboard/admin/billing`);
  await expect(section(operator)).toContainText("Nobody has decided yet");
  await section(operator).getByLabel("Approve auto top-up").check();
  await section(operator).getByRole("button", { name: "Save policy" }).click();
  await expect(operator.getByText("Policy saved.")).toBeVisible();
  await expect(section(operator)).toContainText("Version 1");

  const organisationId = await addOrganisation(portal.sql, "Low on credit Ltd");
  const people = await browser.newContext();
  const person = await portal.signInAs(people, "org_admin", { organisationId });
  const page = await people.newPage();
  await page.goto(`${portal.url}/dashboard/billing`);
  await expect(section(page)).toContainText("Add a card first");
  const card = await saveCard(page, people);
  await page.goto(`${portal.url}/dashboard/billing`);
  await lookAt(page, "auto-topup-off");

  await section(page).getByLabel("I agree").check();
  await section(page).getByRole("button", { name: "Turn on auto top-up" }).click();
  await expect(page.getByText("Auto top-up is on.")).toBeVisible();
  const reload = async () => {
    await page.goto(`${portal.url}/dashboard/billing`);
    return section(page).textContent();
  };
  await expect.poll(reload, { timeout: 30_000 }).toContain("Succeeded");
  await expect(section(page)).toContainText("$25.30 of $400.00");
  await expect(page.locator("#payments")).toContainText("$25.30");

  processor.state.behave(card, "insufficient_funds");
  await section(page).getByText("Change settings").click();
  await lookAt(page, "auto-topup-on");
  await section(page).getByText("Change settings").click();
  await section(page).getByLabel("When available balance is below").fill("60");
  await section(page).getByLabel("I agree").check();
  await section(page).getByRole("button", { name: "Save changes" }).click();
  await expect.poll(reload, { timeout: 30_000 }).toContain("Paused after a failed payment.");
  await expect(section(page)).toContainText("The card has insufficient funds.");
  await expect(section(page)).toContainText("Next attempt");
  await lookAt(page, "auto-topup-paused");
  const mail = await portal.mail(person.email);
  expect(mail.text).toContain("insufficient funds");
  await operator.goto(`${portal.url}/dashboard/admin/billing`);
  await lookAt(operator, "auto-topup-admin");

  const plain = await browser.newContext({ javaScriptEnabled: false, storageState: await people.storageState() });
  const without = await plain.newPage();
  await without.goto(`${portal.url}/dashboard/billing`);
  await section(without).getByRole("button", { name: "Turn off" }).click();
  await expect(without.getByText("Auto top-up is off.").first()).toBeVisible();
  await section(without).getByLabel("I agree").check();
  await section(without).getByRole("button", { name: "Turn on auto top-up" }).click();
  await expect(without.getByText("Auto top-up is on.")).toBeVisible();
  const versions = await portal.sql(
    "SELECT version, active FROM auto_topup_setting WHERE user_id = $1 ORDER BY version",
    [person.userId],
  );
  expect(versions.map(({ active }) => active)).toEqual([true, true, false, true]);

  const charged = [...processor.state.things.values()].find(
    ({ object, status }) => object === "payment_intent" && status === "succeeded",
  ) as Thing;
  await processor.deliver(portal.url, processor.state.refund(charged.id, 100));
  await expect.poll(reload, { timeout: 30_000 }).toContain("A payment of this wallet was refunded.");
  await lookAt(page, "auto-topup-refunded");
  const headers = { origin: portal.url };
  const started = await people.request.post(`${portal.url}/api/billing/checkout`, { data: { amount: 10 }, headers });
  const checkout = String((await started.json()).url)
    .split("/")
    .at(-1) as string;
  const less = { amount_total: 830, total_details: { amount_tax: 0, amount_discount: 200 } };
  await processor.deliver(portal.url, processor.state.pay(checkout, less));
  const mismatches = async () => {
    await operator.goto(`${portal.url}/dashboard/admin/billing`);
    return operator.locator("#mismatches").textContent();
  };
  await expect.poll(mismatches, { timeout: 30_000 }).toContain("$8.30");
  await expect(operator.locator("#paused-auto-topups")).toContainText("Low on credit Ltd");
  await expect(operator.locator("#paused-auto-topups")).toContainText("Payment refunded");
  await lookAt(operator, "auto-topup-refunded-admin");
  await section(page).getByLabel("I agree").check();
  await section(page).getByRole("button", { name: "Agree and resume" }).click();
  await expect(page.getByText("Auto top-up is on.")).toBeVisible();
  for (const context of [operators, people, plain]) await context.close();
});
