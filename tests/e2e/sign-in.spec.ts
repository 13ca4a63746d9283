import { expect, type Page } from "@playwright/test";
import { linkIn } from "../support/mailbox";
import { seriousProblems } from "./accessibility";
import { enhanceAddress, type Portal, test } from "./portal";

const PASSWORD = "blue tea and quiet stairs";
const PAGES = [
  "/login",
  "/signup",
  "/forgot-password",
  "/forgot-password?sent=1",
  "/reset-password",
  "/verify-email",
  "/account/suspended",
  "/account/archived",
];

test("every page on the way in fits 360 px, keeps its policy, is accessible and loads no framework", async ({
  browser,
  portal,
}) => {
  for (const colorScheme of ["light", "dark"] as const) {
    const context = await browser.newContext({ viewport: { width: 360, height: 740 }, colorScheme });
    const page = await context.newPage();
    const problems: string[] = [];
    const scripts = new Set<string>();
    page.on("pageerror", (problem) => problems.push(String(problem)));
    page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
    page.on(
      "request",
      (request) => request.resourceType() === "script" && scripts.add(new URL(request.url()).pathname),
    );
    for (const path of PAGES) {
      await page.goto(portal.url + path, { waitUntil: "networkidle" });
      const tooWide = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
      expect(tooWide, `${path} is wider than the screen`).toBe(false);
      expect(await seriousProblems(page), path).toEqual([]);
    }
    expect(problems).toEqual([]);
    expect([...scripts]).toEqual([await enhanceAddress(portal.url)]);
    await context.close();
  }
});

for (const look of [
  { name: "on a wide screen", viewport: { width: 1280, height: 860 }, javaScriptEnabled: true },
  { name: "at 360 px, in dark, without script", viewport: { width: 360, height: 740 }, javaScriptEnabled: false },
]) {
  test(`signing up ${look.name}: message, confirmation, the first page, its key shown until it is stored`, async ({
    browser,
    portal,
  }) => {
    const { viewport, javaScriptEnabled } = look;
    const context = await browser.newContext({ viewport, javaScriptEnabled, colorScheme: "dark" });
    const page = await context.newPage();
    const email = `ada-${viewport.width}@example.com`;
    await page.goto(`${portal.url}/signup`);
    await page.getByLabel("Your name").fill("Ada");
    await page.getByLabel("Email address").fill(email);
    await page.getByLabel("Password").fill("password1234");
    await page.getByRole("checkbox").check();
    await page.getByRole("button", { name: "Create account" }).click();
    await expect(page.getByRole("alert")).toContainText("This password is too common.");
    await expect(page.getByRole("checkbox")).toBeChecked();
    await expect(page.getByLabel("Email address")).toHaveValue(email);
    await page.getByLabel("Password").fill(PASSWORD);
    await page.getByRole("button", { name: "Create account" }).click();
    await expect(page.getByRole("heading", { name: "Check your inbox" })).toBeVisible();
    await expect(page.getByText(email)).toBeVisible();

    await page.goto(portal.url + linkIn(await portal.mail(email), "/verify-email"));
    expect(new URL(page.url()).search).toBe("");
    await page.getByRole("button", { name: "Confirm and continue" }).click();
    await expect(page).toHaveURL(/\/dashboard\/get-started$/);
    await expect(page.getByText("Welcome!")).toBeVisible();
    const secret = page.getByText(/gw_[0-9A-Za-z]{40,}/).first();
    await expect(secret).toBeVisible();
    await page.reload();
    await expect(secret).toBeVisible();
    await page.getByRole("button", { name: "I have stored it", exact: true }).click();
    await expect(page.getByText(/gw_[0-9A-Za-z]{40,}/)).toHaveCount(0);
    await context.close();
  });
}

test("signing in by keyboard alone, to the page that was asked for", async ({ page, portal }) => {
  await addPassword(portal, "keyboard@example.com");
  await page.goto(`${portal.url}/dashboard/get-started`);
  await expect(page).toHaveURL(/\/login\?next=%2Fdashboard%2Fget-started$/);
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Skip to content" })).toBeFocused();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await expect(page.getByLabel("Email address")).toBeFocused();
  await page.keyboard.type("keyboard@example.com");
  await page.keyboard.press("Tab");
  await page.keyboard.type("not the password");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("alert")).toContainText("is incorrect");
  await page.getByLabel("Password").focus();
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/dashboard\/get-started$/);
});

test("a forgotten password: the message, a new one, and in with it", async ({ page, portal }) => {
  await addPassword(portal, "forgetful@example.com");
  await page.goto(`${portal.url}/login`);
  await page.getByRole("link", { name: "Forgot password?" }).click();
  await page.getByLabel("Email address").fill("forgetful@example.com");
  await page.getByRole("button", { name: "Send link" }).click();
  await expect(page.getByRole("heading", { name: "Check your inbox" })).toBeVisible();
  await page.goto(portal.url + linkIn(await portal.mail("forgetful@example.com", 1), "/reset-password"));
  expect(await seriousProblems(page)).toEqual([]);
  await page.getByLabel("New password").fill("password1234");
  await page.getByRole("button", { name: "Save new password" }).click();
  await expect(page.getByRole("alert")).toContainText("This password is too common.");
  await page.getByLabel("New password").fill("a lamp below the harbour");
  await page.getByRole("button", { name: "Save new password" }).click();
  await expect(page.getByRole("status")).toContainText("Password saved");
  await signIn(page, "forgetful@example.com", "a lamp below the harbour");
  await expect(page).toHaveURL(/\/dashboard$/);
});

test("a suspension shows itself on the next click", async ({ context, page, portal }) => {
  const person = await portal.signInAs(context, "member");
  await page.goto(`${portal.url}/dashboard`);
  await expect(page).toHaveURL(/\/dashboard$/);
  await portal.sql("UPDATE app_user SET status = 'suspended' WHERE id = $1", [person.userId]);
  await page.goto(`${portal.url}/dashboard/keys`);
  await expect(page.getByRole("heading", { name: "Your account is suspended" })).toBeVisible();
  await page.getByRole("button", { name: "Sign out" }).click();
  await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
});

test("new terms stand before everything else, once", async ({ context, page, portal }) => {
  await portal.signInAs(context, "member", { terms: false });
  await page.goto(`${portal.url}/dashboard/keys`);
  await expect(page.getByRole("heading", { name: "Updated terms" })).toBeVisible();
  expect(await seriousProblems(page)).toEqual([]);
  await page.getByRole("button", { name: "Accept and continue" }).click();
  await expect(page).toHaveURL(/\/dashboard\/keys$/);
});

test("the language follows the browser, then what one chooses, with and without script", async ({
  browser,
  portal,
}) => {
  for (const javaScriptEnabled of [true, false]) {
    const context = await browser.newContext({ locale: "de-AT", javaScriptEnabled });
    const page = await context.newPage();
    await page.goto(`${portal.url}/login`);
    await expect(page.locator("html")).toHaveAttribute("lang", "de");
    await expect(page.getByRole("heading", { name: "Anmelden" })).toBeVisible();
    await page.getByRole("button", { name: "Español" }).click();
    await expect(page).toHaveURL(/\/login$/);
    await expect(page.getByRole("heading", { name: "Iniciar sesión" })).toBeVisible();
    await page.getByLabel("Dirección de correo").fill("no@one");
    await page.getByLabel("Contraseña").fill("unas palabras");
    await page.getByRole("button", { name: "Iniciar sesión" }).click();
    await expect(page.getByRole("alert")).toContainText("Esta dirección de correo no parece válida.");
    await context.close();
  }
});

test("a page with script speaks the language without a mismatch, with the words of that language only", async ({
  browser,
  portal,
}) => {
  const context = await browser.newContext({ locale: "fr-FR" });
  await portal.signInAs(context, "org_admin");
  const page = await context.newPage();
  const problems: string[] = [];
  page.on("pageerror", (problem) => problems.push(String(problem)));
  page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
  const words: string[] = [];
  page.on("response", (response) => {
    const [, language] = /\/assets\/(en|de|fr|es)-[\w-]+\.js$/.exec(response.url()) ?? [];
    if (language) words.push(language);
  });
  await page.goto(`${portal.url}/dashboard/keys/new`, { waitUntil: "networkidle" });
  await expect(page.locator("html")).toHaveAttribute("lang", "fr");
  // The page's script requests the texts, on a slow machine long after the page has loaded.
  await expect.poll(() => words).toEqual(["fr"]);
  await page.waitForLoadState("networkidle");
  expect(words).toEqual(["fr"]);
  expect(problems).toEqual([]);
  await context.close();
});

async function signIn(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel("Email address").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

/** Sets a person's password through a sign-up with confirmation. */
async function addPassword(portal: Pick<Portal, "url" | "mail">, email: string): Promise<void> {
  const send = (path: string, body: object) =>
    fetch(portal.url + path, {
      method: "POST",
      headers: { "content-type": "application/json", "sec-fetch-site": "same-origin" },
      body: JSON.stringify(body),
    });
  await send("/auth/register", { email, name: "Somebody", password: PASSWORD, accept_terms: true });
  const link = new URL(linkIn(await portal.mail(email), "/verify-email"), portal.url);
  await send("/auth/verify-email", { token: link.searchParams.get("token"), password: PASSWORD });
}
