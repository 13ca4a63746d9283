import { type BrowserContext, expect, type Page } from "@playwright/test";
import { hashPassword } from "~/domain/accounts/passwords/password";
import { expectUsable } from "./accessibility";
import { hydrated, type Portal, test } from "./portal";

test.setTimeout(60_000);

/** Options of German pages; with `script: false` the page is only server-rendered. */
const german = { locale: "de-DE" };
const ways = [
  { script: true, viewport: { width: 1280, height: 900 }, colorScheme: "light" },
  { script: false, viewport: { width: 1280, height: 900 }, colorScheme: "dark" },
  { script: true, viewport: { width: 360, height: 780 }, colorScheme: "dark" },
] as const;

async function open(context: BrowserContext, portal: Portal, path: string): Promise<Page> {
  await portal.signInAs(context, "owner");
  const page = await context.newPage();
  await page.goto(portal.url + path);
  return page;
}

/** Returns the lines of the error summary. */
const summary = (page: Page) => page.locator("form [role=alert] li").allInnerTexts();

for (const { script, ...look } of ways) {
  const how = `${script ? "with" : "without"} script at ${look.viewport.width} px`;

  test.describe(how, () => {
    const contextOf = (browser: { newContext(options: object): Promise<BrowserContext> }) =>
      browser.newContext({ ...german, ...look, javaScriptEnabled: script });

    test("a key with wrong limits: every problem in German, nothing typed is lost", async ({ browser, portal }) => {
      const page = await open(await contextOf(browser), portal, "/dashboard/keys/new");
      await page.getByLabel("Name", { exact: true }).fill("Suche");
      await page
        .getByRole("checkbox", { name: /sandbox-chat/ })
        .first()
        .check();
      await page.getByLabel("Budget in US-Dollar").fill("viel");
      await page.getByLabel("Anfragen pro Minute").fill("-3");
      await page.getByLabel("Etiketten").fill("kein Gleichheitszeichen");
      await page.getByRole("button", { name: "Schlüssel anlegen" }).click();
      await expect(page.getByText("Bitte korrigieren Sie die markierten Felder.")).toBeVisible();
      expect(await summary(page)).toEqual([
        "Budget in US-Dollar: Geben Sie einen Betrag in US-Dollar ein, zum Beispiel 25 oder 0,50, oder lassen Sie das Feld leer.",
        "Anfragen pro Minute: Geben Sie eine ganze Zahl von 1 bis 1.000.000 ein, oder lassen Sie das Feld leer.",
        "Etiketten: Geben Sie ein Etikett pro Zeile ein, in der Form Name=Wert.",
      ]);
      await expect(page.getByLabel("Budget in US-Dollar")).toBeFocused();
      await expect(page.getByLabel("Budget in US-Dollar")).toHaveValue("viel");
      await expect(page.getByLabel("Name", { exact: true })).toHaveValue("Suche");
      await expect(page.getByRole("checkbox", { name: /sandbox-chat/ }).first()).toBeChecked();
      await page.locator("form [role=alert] a").last().click();
      await expect(page.getByLabel("Etiketten")).toBeFocused();
      await expect(page.getByLabel("Etiketten")).toHaveAttribute("aria-invalid", "true");
      if (script) await expectUsable(page);
      await page.getByLabel("Budget in US-Dollar").fill("25");
      await page.getByLabel("Anfragen pro Minute").fill("60");
      await page.getByLabel("Etiketten").fill("team=suche");
      await page.getByRole("button", { name: "Schlüssel anlegen" }).click();
      await expect(page.getByRole("heading", { name: "Suche" })).toBeVisible();
    });

    test("an invitation that cannot be sent stays as it was typed", async ({ browser, portal }) => {
      const { email } = await portal.addPerson();
      const page = await open(await contextOf(browser), portal, "/dashboard/admin/users/invite");
      await page.getByLabel("E-Mail-Adresse", { exact: true }).fill(email);
      await page.getByLabel("Rolle", { exact: true }).selectOption("org_admin");
      await page.getByRole("button", { name: "Einladung senden" }).click();
      await expect(page.getByLabel("E-Mail-Adresse", { exact: true })).toBeFocused();
      await expect(page.getByLabel("E-Mail-Adresse", { exact: true })).toHaveValue(email);
      await expect(page.getByLabel("Rolle", { exact: true })).toHaveValue("org_admin");
      await expect(page.locator("form [role=alert] a")).toHaveCount(1);
      if (script) await expectUsable(page);
    });

    test("settings: a time zone that does not exist leaves the other choices as they are", async ({
      browser,
      portal,
    }) => {
      const page = await open(await contextOf(browser), portal, "/dashboard/settings");
      await page.getByLabel("Sprache", { exact: true }).selectOption("fr");
      await page.getByLabel("Zeitzone").fill("Europa/Berlin");
      await page.getByLabel("Dunkel").check();
      await page.locator("#looks").getByRole("button", { name: "Speichern" }).click();
      await expect(page.locator("#looks [role=alert]")).toContainText("Zeitzone: Unbekannte Zeitzone.");
      await expect(page.locator("form [role=alert]")).toHaveCount(1);
      await expect(page.getByLabel("Zeitzone")).toBeFocused();
      await expect(page.getByLabel("Zeitzone")).toHaveValue("Europa/Berlin");
      await expect(page.getByLabel("Sprache", { exact: true })).toHaveValue("fr");
      await expect(page.getByLabel("Dunkel")).toBeChecked();
      if (script) await expectUsable(page);
    });
  });
}

test("a field says what is wrong when it is left, and no more once it is right", async ({ browser, portal }) => {
  const page = await open(await browser.newContext(german), portal, "/dashboard/keys/new");
  const budget = page.getByLabel("Budget in US-Dollar");
  const problem = page.locator("#new-key-budget_limit-problem");
  await budget.fill("viel");
  await expect(problem).toHaveCount(0);
  await page.getByLabel("Anfragen pro Minute").focus();
  await expect(problem).toHaveText(/^Geben Sie einen Betrag/);
  await budget.fill("25");
  await expect(problem).toHaveCount(0);
});

test("who is signed out in mid-form signs in and finds the form as it was", async ({ browser, portal }) => {
  const context = await browser.newContext(german);
  const { email, userId } = await portal.signInAs(context, "member");
  await portal.sql("UPDATE app_user SET password_hash = $2 WHERE id = $1", [
    userId,
    await hashPassword("mehrere Wörter und ein halbes"),
  ]);
  const page = await context.newPage();
  await page.goto(`${portal.url}/dashboard/keys/new`);
  await page.getByLabel("Name", { exact: true }).fill("Angefangen");
  await page.getByLabel("Anfragen pro Minute").fill("42");
  await page
    .getByRole("checkbox", { name: /sandbox-chat/ })
    .first()
    .check();
  await portal.sql("DELETE FROM session WHERE user_id = $1", [userId]);
  await page.getByRole("button", { name: "Schlüssel anlegen" }).click();
  await expect(
    page.getByText("Sie wurden abgemeldet. Melden Sie sich an, dann sind Ihre Eingaben wieder da."),
  ).toBeVisible();
  await page.getByLabel("E-Mail-Adresse").fill(email);
  await page.getByLabel("Passwort", { exact: true }).fill("mehrere Wörter und ein halbes");
  await page.getByRole("button", { name: "Anmelden", exact: true }).click();
  await expect(page.getByText("Ihre Eingaben sind wieder da.")).toBeVisible();
  await expect(page.getByLabel("Name", { exact: true })).toHaveValue("Angefangen");
  await expect(page.getByLabel("Anfragen pro Minute")).toHaveValue("42");
  await expect(page.getByRole("checkbox", { name: /sandbox-chat/ }).first()).toBeChecked();
  await expectUsable(page);
  await page.getByRole("button", { name: "Schlüssel anlegen" }).click();
  await expect(page.getByRole("heading", { name: "Angefangen" })).toBeVisible();
});

test("a list that is filtered beside a form loses nothing of what the server refused", async ({ browser, portal }) => {
  const page = await open(await browser.newContext(german), portal, "/dashboard/admin/models");
  const name = page.locator("#new-supplier-name");
  const region = page.locator("#new-supplier-region");
  await name.fill("mein-anbieter");
  await page.locator("#new-supplier-base_url").fill("https://api.example.com/v1");
  await region.fill("hier und da");
  await page.locator("#new-supplier").evaluate((form: HTMLFormElement) => form.submit());
  await expect(page.locator("#new-supplier [role=alert]")).toBeVisible();
  await hydrated(page, "form [role=alert]");
  await page.locator(".filter-bar input[name=q]").fill("sandbox");
  await page.locator(".filter-bar input[name=q]").press("Enter");
  await expect(page).toHaveURL(/q=sandbox/);
  await expect(page.getByRole("list", { name: "Filter" })).toContainText("sandbox");
  await expect(name).toHaveValue("mein-anbieter");
  await expect(region).toHaveValue("hier und da");
  await expect(region).toHaveAttribute("aria-invalid", "true");
});

test("a link within the page loses nothing of a form that the server refused", async ({ browser, portal }) => {
  const page = await open(await browser.newContext(german), portal, "/dashboard/keys/new");
  const name = page.getByLabel("Name", { exact: true });
  const rate = page.getByLabel("Anfragen pro Minute");
  const refusal = page.getByRole("alert");
  await name.fill("Suche");
  await rate.fill("-3");
  // Submits the form as before the page's script has loaded.
  await page.locator("#new-key").evaluate((form: HTMLFormElement) => form.submit());
  await expect(refusal).toBeVisible();
  await hydrated(page, "form [role=alert]");

  await refusal.getByRole("link").click();
  await expect(rate).toBeFocused();
  await expect(rate).toBeInViewport();
  await page.getByRole("link", { name: "Zum Inhalt" }).press("Enter");
  await expect(page.getByRole("main")).toBeFocused();
  await expect(refusal).toContainText("Anfragen pro Minute: Geben Sie eine ganze Zahl");
  await expect(name).toHaveValue("Suche");
  await expect(rate).toHaveValue("-3");
});
