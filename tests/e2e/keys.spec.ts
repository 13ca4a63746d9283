import type { Page } from "@playwright/test";
import { expect } from "@playwright/test";
import { type Portal, test } from "./portal";

const SECRET = /gw_[0-9A-Za-z]{49}/;

const call = (portal: Portal, secret: string, model = "sandbox-chat") =>
  fetch(`${portal.url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
    body: JSON.stringify({ model, messages: [{ role: "user", content: "Hello" }] }),
  }).then(({ status }) => status);

async function secretOn(page: Page): Promise<string> {
  const text = await page.locator("#shown-secret").innerText();
  return SECRET.exec(text)?.[0] ?? "";
}

test("first key, first request and its receipt without leaving the first steps, in five clicks at most", async ({
  page,
  portal,
  context,
}) => {
  await portal.signInAs(context, "member");
  await page.goto(`${portal.url}/dashboard/get-started`);
  await page.getByRole("button", { name: "Create key" }).click();
  const secret = await secretOn(page);
  await expect(page.locator("#first-request")).toContainText(`Bearer ${secret}`);
  await expect(page.getByText("Waiting for your first request")).toBeVisible();
  expect(await call(portal, secret)).toBe(200);
  await expect(page.getByText(/sandbox-chat answered with 200/)).toBeVisible({ timeout: 15_000 });
  await expect(page.getByText(/Cost of \d+ tokens in/)).toBeVisible();
  await expect(page.locator("#shown-secret")).toHaveText(secret);
  await page.getByRole("button", { name: "I have stored it" }).click();
  await expect(page.locator("#shown-secret")).toHaveCount(0);
  await page.getByRole("link", { name: "See the whole request" }).click();
  await expect(page).toHaveURL(/\/dashboard\/request-log\/[\da-f-]{36}$/);
});

test("a first request that is rejected shows by itself, with what to do, until one is answered", async ({
  page,
  portal,
  context,
}) => {
  await portal.signInAs(context, "member");
  await page.goto(`${portal.url}/dashboard/get-started`);
  await page.getByRole("button", { name: "Create key" }).click();
  const secret = await secretOn(page);
  await expect(page.getByText("Waiting for your first request")).toBeVisible();
  expect(await call(portal, secret, "no-such-model")).toBe(404);
  const rejected = page.getByRole("alert").filter({ hasText: "Your request arrived and was rejected." });
  await expect(rejected).toContainText("model_not_found", { timeout: 15_000 });
  await expect(page.locator("#shown-secret")).toHaveText(secret);
  await rejected.getByRole("link").first().click();
  await expect(page.locator("#first-request")).toBeInViewport();
  expect(await call(portal, secret)).toBe(200);
  await expect(page.getByText(/sandbox-chat answered with 200/)).toBeVisible({ timeout: 15_000 });
  await expect(rejected).toHaveCount(0);
});

test("a key is made with its limits, which are shown while one chooses", async ({ page, portal, context }) => {
  await portal.signInAs(context, "member");
  await page.goto(`${portal.url}/dashboard/keys/new`);
  await page.getByLabel("Name", { exact: true }).fill("my first key");
  await page.getByLabel("Budget in US dollars").fill("12.50");
  await page.getByRole("checkbox", { name: "sandbox-chat", exact: false }).first().check();
  await expect(page.getByText("Stops at $12.50 a month.")).toBeVisible();
  await expect(page.getByText("Uses one model: sandbox-chat.")).toBeVisible();
  await page.getByRole("button", { name: "Create key" }).click();
  await expect(page.getByRole("heading", { name: "my first key" })).toBeVisible();
  const secret = await secretOn(page);
  expect(page.url()).not.toContain(secret);
  expect(await call(portal, secret)).toBe(200);
  await page.goto(`${portal.url}/dashboard`);
  await expect(page.getByRole("table", { name: "Latest requests" }).getByText("my first key")).toBeVisible();
});

test("rotating keeps the old secret for as long as one says, revoking asks for the name", async ({
  page,
  portal,
  context,
}) => {
  await portal.signInAs(context, "member");
  await page.goto(`${portal.url}/dashboard/keys/new`);
  await page.getByLabel("Name", { exact: true }).fill("turned");
  await page.getByRole("button", { name: "Create key" }).click();
  const first = await secretOn(page);
  await page.getByRole("button", { name: "Rotate", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Rotate secret" });
  await dialog.getByLabel("1 hour").check();
  await dialog.getByRole("button", { name: "Rotate", exact: true }).click();
  await expect(page.getByText(/Previous secret works until/)).toBeVisible();
  const second = await secretOn(page);
  expect(second).not.toBe(first);
  expect(await Promise.all([call(portal, first), call(portal, second)])).toEqual([200, 200]);

  await page.getByRole("button", { name: "Suspend" }).click();
  await expect(page.getByText("Suspended", { exact: true })).toBeVisible();
  expect(await call(portal, second)).toBe(403);
  await page.getByRole("button", { name: "Resume" }).click();
  await expect(page.getByText("Active", { exact: true })).toBeVisible();

  await page.getByRole("button", { name: "Revoke" }).click();
  const end = page.getByRole("dialog", { name: "Revoke turned?" });
  await expect(end.getByText("This can’t be undone.")).toBeVisible();
  await end.getByRole("textbox").fill("turned");
  await end.getByRole("button", { name: "Revoke" }).click();
  await expect(page.getByText("Revoked", { exact: true })).toBeVisible();
  expect(await Promise.all([call(portal, first), call(portal, second)])).toEqual([401, 401]);
  await expect(page.getByText("rotated the secret")).toBeVisible();
});

test("what a new key can do grows while the button is pressed, and the click counts", async ({
  page,
  portal,
  context,
}) => {
  await portal.signInAs(context, "member");
  await page.goto(`${portal.url}/dashboard/keys/new`);
  await page.getByLabel("Name", { exact: true }).fill("pressed");
  await page.getByRole("button", { name: "Create key" }).hover();
  await page.mouse.down();
  // Simulates a script that loads late and reads earlier input.
  await page.getByLabel("Requests per minute").evaluate((field: HTMLInputElement) => {
    field.value = "5";
    field.dispatchEvent(new Event("input", { bubbles: true }));
  });
  await expect(page.getByText("Up to 5 requests in any 60 seconds")).toBeVisible();
  await page.mouse.up();
  await expect(page.locator("#shown-secret")).toHaveText(SECRET);
});

test("the limiter counts while one watches", async ({ page, portal, context }) => {
  await portal.signInAs(context, "member");
  await page.goto(`${portal.url}/dashboard/keys/new`);
  await page.getByLabel("Name", { exact: true }).fill("limited");
  await page.getByLabel("Requests per minute").fill("5");
  await page.getByRole("button", { name: "Create key" }).click();
  const secret = await secretOn(page);
  await expect(page.getByText("5 available now")).toBeVisible();
  expect(await Promise.all([1, 2].map(() => call(portal, secret)))).toEqual([200, 200]);
  await expect(page.getByText("3 available now")).toBeVisible({ timeout: 10_000 });
});

test("without script, at 360 px, in German: a key is made, changed and revoked", async ({ browser, portal }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 360, height: 740 } });
  await portal.signInAs(context, "member", { language: "de" });
  const page = await context.newPage();
  await page.goto(`${portal.url}/dashboard/keys/new`);
  await page.getByLabel("Name", { exact: true }).fill("ohne Skript");
  await page.getByLabel("Budget in US-Dollar").fill("viel");
  await page.getByRole("button", { name: "Schlüssel anlegen" }).click();
  await expect(page.getByLabel("Name", { exact: true })).toHaveValue("ohne Skript");
  await page.getByLabel("Budget in US-Dollar").fill("3");
  await page.getByRole("button", { name: "Schlüssel anlegen" }).click();
  await expect(page.locator("#shown-secret")).toHaveText(SECRET);
  await page.getByRole("button", { name: "Bearbeiten" }).click();
  await page.getByLabel("Anfragen pro Minute").fill("7");
  await page.getByRole("button", { name: "Änderungen speichern" }).click();
  await expect(page.getByText("Schlüssel aktualisiert.")).toBeVisible();
  await expect(page.getByText("Limit 7")).toBeVisible();
  await context.close();
});

test("a key is made by keyboard alone", async ({ page, portal, context }) => {
  await portal.signInAs(context, "member");
  await page.goto(`${portal.url}/dashboard/keys/new`);
  await page.keyboard.type("by keyboard");
  await page.keyboard.press("Enter");
  await expect(page.locator("#shown-secret")).toHaveText(SECRET);
  await page.goto(`${portal.url}/dashboard/keys`);
  await page.getByRole("link", { name: "by keyboard" }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "by keyboard" })).toBeVisible();
});

test("two keys are suspended together, and the act is undone", async ({ page, portal, context }) => {
  await portal.signInAs(context, "member");
  for (const name of ["first of two", "second of two"])
    expect(
      (
        await page.request.post(`${portal.url}/dashboard/keys/new`, {
          data: { name },
          headers: { accept: "application/json", origin: portal.url },
        })
      ).status(),
    ).toBe(200);
  await page.goto(`${portal.url}/dashboard/keys`);
  const bar = page.locator("#keys-bulk");
  await expect(bar).toBeHidden();
  await page.getByLabel("Select first of two").check();
  await page.getByLabel("Select second of two").check();
  await expect(bar).toContainText("Selected 2");
  await bar.getByRole("button", { name: "Suspend" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Suspend" }).click();
  const suspended = page.locator("tbody tr").filter({ hasText: "Suspended" });
  await expect(suspended).toHaveCount(2);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByRole("status")).toContainText("2 changes");
  await expect(suspended).toHaveCount(0);
});
