import { type Browser, expect, type Page } from "@playwright/test";
import { addOrganisation } from "../support/people";
import { expectUsable } from "./accessibility";
import { type Portal, test } from "./portal";

test.setTimeout(240_000);

/** Checks a page with the reader's session, narrow and dark, wide and light, in a browser that can run axe. */
async function lookAt(reader: Page, address: string, name: string): Promise<void> {
  const storageState = await reader.context().storageState();
  const context = await (reader.context().browser() as Browser).newContext({ storageState });
  const page = await context.newPage();
  for (const [width, colorScheme] of [
    [360, "dark"],
    [1280, "light"],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme });
    await page.goto(address);
    await expectUsable(page);
    if (process.env.LOOK)
      await page.screenshot({ path: `${process.env.LOOK}/${name}-${width}-${colorScheme}.png`, fullPage: true });
  }
  await context.close();
}

/** Creates a person with their own browser, in which scripts are disabled. */
async function aReader(
  browser: Browser,
  portal: Portal,
  role: Parameters<Portal["signInAs"]>[1],
  fields?: Parameters<Portal["signInAs"]>[2],
) {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const person = await portal.signInAs(context, role, fields);
  return { person, page: await context.newPage() };
}

async function newKey(page: Page, portal: Portal): Promise<string> {
  const made = await page.request.post(`${portal.url}/dashboard/keys/new`, {
    headers: { accept: "application/json", origin: portal.url },
    data: { name: "Mine" },
  });
  return (await made.json()).key;
}

const call = (portal: Portal, key: string) =>
  fetch(`${portal.url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "sandbox-chat", messages: [{ role: "user", content: "Hello" }] }),
  });

test("an admin credits by hand, and one request's money is followed from hold to statement in the same nano-dollars", async ({
  browser,
  portal,
}) => {
  const organisationId = await addOrganisation(portal.sql, "Followed Ltd");
  const operator = await aReader(browser, portal, "platform_admin");
  await operator.page.goto(`${portal.url}/dashboard/admin/billing`);
  await operator.page.getByLabel("Who to credit").fill("Followed");
  await operator.page.getByRole("button", { name: "Find" }).click();
  await lookAt(operator.page, operator.page.url(), "payer-picker");
  await operator.page.getByRole("link", { name: "Followed Ltd" }).click();
  await operator.page.getByLabel("Amount in US dollars").fill("10");
  await operator.page.getByLabel("Reason").fill("Invoice 4711");
  await operator.page.locator("#credit").getByRole("button").click();
  await expect(operator.page.getByText("Credit added.")).toBeVisible();

  const admin = await aReader(browser, portal, "org_admin", { organisationId });
  const { page } = admin;
  const answer = await call(portal, await newKey(page, portal));
  expect(answer.status).toBe(200);
  const find = async () =>
    (
      await portal.sql(
        "SELECT u.id, u.charged::text, h.amount::text AS held FROM usage_event u JOIN hold h ON h.id = u.request_id WHERE u.organisation_id = $1 AND u.txn_id IS NOT NULL",
        [organisationId],
      )
    )[0];
  await expect.poll(find, { timeout: 15_000 }).toBeTruthy();
  const { id, charged, held } = await find();
  const [chargedText, heldText] = [charged, held].map((nano) => `$${(Number(nano) / 1e9).toFixed(9)}`);

  await page.goto(`${portal.url}/dashboard/request-log/${id}`);
  await expect(page.locator(".stat", { hasText: heldText! }).first()).toBeVisible();
  await expect(page.locator(".stat", { hasText: chargedText! }).first()).toBeVisible();
  await page.locator(".stat").getByRole("link").click();
  await expect(page.getByRole("heading", { name: /^Ledger entry/ })).toBeVisible();
  await expect(page.getByText(`−${chargedText}`).first()).toBeVisible();
  const request = page.locator("#requests tbody tr");
  await expect(request).toContainText(heldText!);
  await expect(request.getByText(chargedText!)).toHaveCount(2);
  await expect(page.getByText("Equal to the entry")).toBeVisible();
  await page.locator('a[href^="/dashboard/billing/statements/"]').first().click();
  await expect(page.getByText("Equal to the ledger")).toBeVisible();
  await expect(page.locator("#balance")).toContainText(`−${chargedText}`);
  await expect(page.getByRole("row", { name: /sandbox-chat/ })).toContainText(chargedText!);

  await lookAt(page, `${portal.url}/dashboard/billing`, "wallet-delegated");
});

test("a colleague asks, the other accepts and pays, and both see it; it ends by a button", async ({
  browser,
  portal,
}) => {
  const organisationId = await addOrganisation(portal.sql, "Colleagues Ltd");
  const user = await aReader(browser, portal, "member", { organisationId, name: "Uma User" });
  const payer = await aReader(browser, portal, "member", { organisationId, name: "Paul Payer" });
  await portal.sql("UPDATE app_user SET billing_mode = 'own' WHERE organisation_id = $1", [organisationId]);
  const billing = `${portal.url}/dashboard/billing`;
  await user.page.goto(billing);
  await user.page.getByLabel("Colleague’s email address").fill("nobody@example.com");
  await user.page.getByRole("button", { name: "Ask them to pay for me" }).click();
  await expect(user.page.getByText("No active person with this address in your organisation.").first()).toBeVisible();
  await user.page.getByLabel("Colleague’s email address").fill(payer.person.email);
  await user.page.getByRole("button", { name: "Ask them to pay for me" }).click();
  await expect(user.page.getByText("Nothing changes until your colleague accepts.")).toBeVisible();
  await expect(user.page.getByText("You’ve asked Paul Payer to pay for you.", { exact: false })).toBeVisible();
  expect((await portal.mail(payer.person.email)).subject).toBe("Uma User asks you to pay for their usage");

  await lookAt(payer.page, billing, "delegated-question");
  await payer.page.goto(billing);
  await payer.page.getByRole("button", { name: "Accept and pay" }).click();
  await expect(payer.page.getByText("You pay for Uma User:", { exact: false })).toBeVisible();
  await lookAt(user.page, billing, "delegated-paid");
  await user.page.goto(billing);
  await expect(user.page.getByText("A colleague has agreed to pay.")).toBeVisible();
  await user.page.locator("#delegated-payer").getByRole("button", { name: "Stop" }).click();
  await expect(user.page.getByText("Your usage is paid from your own wallet.")).toBeVisible();
});
