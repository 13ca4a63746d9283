import type { Page } from "@playwright/test";
import { expect } from "@playwright/test";
import { expectUsable } from "./accessibility";
import { test } from "./portal";

test.setTimeout(180_000);

const SECRET = /gw_[0-9A-Za-z]{49}/;

/** Creates a key as its owner does. Returns its secret. */
async function createKey(page: Page, url: string, name: string): Promise<string> {
  await page.goto(`${url}/dashboard/keys/new`);
  await page.getByLabel("Name", { exact: true }).fill(name);
  await page.getByRole("button", { name: "Create key" }).click();
  return SECRET.exec(await page.locator("#shown-secret").innerText())?.[0] ?? "";
}

const ask = (url: string, secret: string, { model, content }: { model: string; content: string }): Promise<Response> =>
  fetch(`${url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
    body: JSON.stringify({ model, messages: [{ role: "user", content }] }),
  });

/** Parses a displayed amount. */
const usd = (text: string): number => Number(text.replace("−", "-").replace(/[$,\s]/g, ""));

test("turn the autorouter on for a key, call auto, and read what it chose and what it saved", async ({
  page,
  portal,
  context,
}) => {
  await portal.signInAs(context, "member");
  const secret = await createKey(page, portal.url, "steered key");
  const request = { model: "auto", content: "Which planet is the largest?" };

  await page.goto(`${portal.url}/dashboard/autorouter`);
  await expect(page.getByText("No autorouted requests yet").first()).toBeVisible();
  const own = page.locator("#autorouter-user");
  await own.getByLabel("Algorithm").selectOption("off");
  await own.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Autorouter settings saved.")).toBeVisible();
  await expect(async () => {
    const refused = await ask(portal.url, secret, request);
    expect((await refused.json()).error.code).toBe("unsupported_auto_mode");
  }).toPass({ timeout: 60_000 });

  const ofKey = page.locator("#autorouter-key");
  await ofKey.getByLabel("API key").selectOption({ label: "steered key" });
  await ofKey.getByLabel("Algorithm").selectOption("cheapest");
  await ofKey.getByLabel("Default model").selectOption("sandbox-messages");
  await ofKey.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Autorouter settings saved.")).toBeVisible();
  const holds = page.locator("#keys").getByRole("row", { name: /steered key/ });
  await expect(holds).toContainText(/Cheapest\s*set on the key/);
  await expect(holds).toContainText(/sandbox-messages\s*set on the key/);

  let chosen = "";
  await expect(async () => {
    const answer = await ask(portal.url, secret, request);
    expect(answer.status).toBe(200);
    chosen = (await answer.json()).model;
  }).toPass({ timeout: 60_000 });
  const row = page.locator("#requests tbody tr").first();
  await expect(async () => {
    await page.goto(`${portal.url}/dashboard/autorouter`);
    expect(await row.getByText("Cheapest").count()).toBe(1);
  }).toPass({ timeout: 60_000 });
  await expect(row).toContainText(chosen);
  await expect(row).toContainText("sandbox-messages");
  const amounts = (await row.getByText(/^[−-]?\$/).allInnerTexts()).map(usd);
  expect(amounts).toHaveLength(3);
  const [charged, otherwise, saved] = amounts as [number, number, number];
  expect(saved).toBeGreaterThanOrEqual(0);
  expect(saved).toBeCloseTo(otherwise - charged, 6);
  const total = page.locator("#chosen tfoot");
  expect((await total.getByText(/^[−-]?\$/).allInnerTexts()).map(usd)).toEqual(amounts);
  await expectUsable(page);

  await row.getByRole("link").first().click();
  await expect(page.getByText("Cheapest").first()).toBeVisible();
  await expect(page.getByText(chosen).first()).toBeVisible();
  await expectUsable(page);
});

test("opt in to conversations, find one by its text, and delete it", async ({ page, portal, context }) => {
  await portal.signInAs(context, "org_admin");
  const secret = await createKey(page, portal.url, "remembered key");
  const conversations = `${portal.url}/dashboard/admin/conversations`;

  await page.goto(conversations);
  await expect(page.getByText("Conversations are not stored. Turn storage on below.")).toBeVisible();
  await expectUsable(page);
  await page.getByLabel("Store conversations").check();
  await page.getByLabel("Keep for (days)").fill("7");
  await page.locator("#settings").getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Conversations are stored from the next request on.")).toBeVisible();

  const stored = page.getByRole("table").locator("a[href*='/conversations/']");
  await expect(async () => {
    for (const content of ["Where do puffins nest? Write to ada@example.com.", "How deep is a fjord?"])
      expect((await ask(portal.url, secret, { model: "sandbox-chat", content })).status).toBe(200);
    await page.goto(conversations);
    expect(await stored.count()).toBeGreaterThanOrEqual(2);
  }).toPass({ timeout: 60_000 });
  await expectUsable(page);

  await page.getByLabel("Text", { exact: true }).fill("PUFFINS");
  await page.getByLabel("Text", { exact: true }).press("Enter");
  await expect(page).toHaveURL(/q=PUFFINS/);
  const found = await stored.count();
  expect(found).toBeGreaterThanOrEqual(1);
  const address = (await stored.first().getAttribute("href")) as string;
  await stored.first().click();
  await expect(page.locator("pre").first()).toContainText("Where do puffins nest? Write to [redacted].");
  await expectUsable(page);

  await page.getByRole("button", { name: "Delete conversation" }).first().click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete conversation" }).click();
  await expect(page.getByText("Conversation deleted.")).toBeVisible();
  expect((await page.goto(`${portal.url}${address}`))?.status()).toBe(404);
  await page.goto(`${conversations}?q=puffins`);
  expect(await stored.count()).toBe(found - 1);
  await page.goto(`${conversations}?q=fjord`);
  expect(await stored.count()).toBeGreaterThanOrEqual(1);

  await page.goto(conversations);
  await page.getByLabel("Store conversations").uncheck();
  await page.locator("#settings").getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Storage is off. Everything stored was deleted.")).toBeVisible();
  expect(await stored.count()).toBe(0);
});
