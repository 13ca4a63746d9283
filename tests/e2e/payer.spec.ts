import { expect } from "@playwright/test";
import { expectUsable } from "./accessibility";
import { type Portal, test } from "./portal";

type Answer = { status: number; code?: string; human?: string; details?: Record<string, unknown> };

async function call(portal: Portal, secret: string): Promise<Answer> {
  const response = await fetch(`${portal.url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
    body: JSON.stringify({
      model: "sandbox-chat",
      max_tokens: 4_000,
      messages: [{ role: "user", content: "Hello" }],
    }),
  });
  const { error } = (await response.json()) as { error?: { code: string; human_message: string; details: object } };
  return { status: response.status, code: error?.code, human: error?.human_message, details: { ...error?.details } };
}

test("a member is refused with the arithmetic, the admin raises the limit, and then changes the payer", async ({
  browser,
  portal,
}) => {
  test.setTimeout(120_000);
  const [{ id: organisationId }] = (await portal.sql(
    "INSERT INTO organisation (name, slug) VALUES ('Paying Ltd', 'paying-ltd') RETURNING id",
  )) as [{ id: number }];
  const [ownerPage, adminPage, memberPage] = await Promise.all(
    (["owner", "org_admin", "member"] as const).map(async (role) => {
      const context = await browser.newContext();
      const person = await portal.signInAs(context, role, role === "owner" ? {} : { organisationId });
      return Object.assign(await context.newPage(), { person });
    }),
  );

  await ownerPage!.goto(`${portal.url}/dashboard/admin/billing`);
  await ownerPage!.getByLabel("Who to credit").fill("paying ltd");
  await ownerPage!.getByRole("button", { name: "Find" }).click();
  await ownerPage!.getByRole("link", { name: "Paying Ltd" }).click();
  await ownerPage!.getByLabel("Amount in US dollars").fill("5");
  await ownerPage!.getByLabel("Reason").fill("invoice 7");
  await ownerPage!.getByRole("button", { name: "Add credit" }).click();
  await expect(ownerPage!.getByText("Credit added.")).toBeVisible();

  await memberPage!.goto(`${portal.url}/dashboard/keys/new`);
  await memberPage!.getByLabel("Name", { exact: true }).fill("limited by its owner");
  await memberPage!.getByRole("button", { name: "Create key" }).click();
  const secret = /gw_[0-9A-Za-z]{49}/.exec(await memberPage!.locator("#shown-secret").innerText())![0];
  const keyPage = memberPage!.url();

  const personPage = `${portal.url}/dashboard/admin/users/${memberPage!.person.userId}`;
  const setLimit = async (amount: string, mode: "inherit" | "own" = "inherit") => {
    await adminPage!.goto(personPage);
    await adminPage!.getByLabel("Paid by").selectOption(mode);
    await adminPage!.getByLabel("Spending limit").fill(amount);
    await adminPage!.getByRole("button", { name: "Save billing" }).click();
    await expect(adminPage!.getByText("Billing saved.")).toBeVisible();
  };
  await setLimit("0.001");
  await expectUsable(adminPage!);
  await expect.poll(async () => (await call(portal, secret)).code).toBe("budget_exceeded");
  const refused = await call(portal, secret);
  expect(refused).toMatchObject({ status: 429, details: { scope: "user", limit: 0.001 } });
  expect(refused.human).toContain("of the budget of this key’s owner is left");
  await expect(async () => {
    await memberPage!.goto(keyPage);
    await expect(memberPage!.locator("#refusals")).toContainText("Set max_tokens to", { timeout: 500 });
  }).toPass();

  await portal.sql("UPDATE app_user SET language = 'de' WHERE id = $1", [memberPage!.person.userId]);
  await memberPage!.goto(keyPage);
  await expect(memberPage!.locator("#refusals")).toContainText("Setzen Sie max_tokens auf höchstens");
  await portal.sql("UPDATE app_user SET language = 'en' WHERE id = $1", [memberPage!.person.userId]);

  await setLimit("4");
  await expect.poll(async () => (await call(portal, secret)).status).toBe(200);

  await memberPage!.goto(`${portal.url}/dashboard/billing`);
  await expect(memberPage!.getByText("The organisation has no billing user, so its own wallet pays.")).toBeVisible();
  await setLimit("4", "own");
  await expect.poll(async () => (await call(portal, secret)).code).toBe("billing_limit_reached");
  const unpaid = await call(portal, secret);
  expect(unpaid).toMatchObject({ status: 403, details: { scope: "wallet", available: 0, pays_itself: true } });
  expect(unpaid.human).toContain(`add funds: ${portal.url}/dashboard/billing`);
  await memberPage!.goto(`${portal.url}/dashboard/billing`);
  await expect(memberPage!.getByText("Set to pay from their own wallet.")).toBeVisible();
});

test("the form of a key warns of a budget that covers no call, and a key can shorten answers instead", async ({
  page,
  portal,
  context,
}) => {
  await portal.signInAs(context, "member");
  await page.goto(`${portal.url}/dashboard/keys/new`);
  await page.getByLabel("Name", { exact: true }).fill("short of money");
  await page.getByLabel("Budget in US dollars").fill("0.001");
  const warning = page.getByText(/without max_tokens can cost up to \$[\d.]+, more than this budget/);
  await expect(warning).toBeVisible();
  await page.getByLabel("Budget in US dollars").fill("1000");
  await expect(warning).toHaveCount(0);
  await page.getByLabel("Budget in US dollars").fill("0.001");
  await page.getByLabel("When the budget is too small").selectOption("true");
  await expect(warning).toHaveCount(0);
  await page.getByRole("button", { name: "Create key" }).click();
  const secret = /gw_[0-9A-Za-z]{49}/.exec(await page.locator("#shown-secret").innerText())![0];
  const edit = page.getByRole("button", { name: "Edit", exact: true });
  await edit.click();
  await expect(page.getByLabel("When the budget is too small")).toHaveValue("true");
  const response = await fetch(`${portal.url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "sandbox-chat", max_tokens: 4_000, messages: [{ role: "user", content: "Hi" }] }),
  });
  expect(response.status).toBe(200);
  expect(Number(response.headers.get("x-gw-fitted-max-tokens"))).toBeGreaterThan(0);
  await page.getByLabel("When the budget is too small").selectOption("");
  await page.getByRole("button", { name: "Save changes" }).click();
  await edit.click();
  await expect(page.getByLabel("When the budget is too small")).toHaveValue("");
  await expect(warning).toBeVisible();
});
