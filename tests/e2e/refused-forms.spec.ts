import { expect, type Page } from "@playwright/test";
import { expectUsable } from "./accessibility";
import { type Portal, test } from "./portal";

test.setTimeout(120_000);

const WEAK = "password1234";
const TOO_COMMON = "Dieses Passwort ist zu häufig.";

/** Asserts that the error summary links to the invalid field, that this has the focus, and that no text is English. */
async function expectRefused(page: Page, { name, text, script }: { name: string; text: string; script: boolean }) {
  const summary = page.getByRole("alert");
  await expect(summary).toContainText("Bitte korrigieren Sie die markierten Felder.");
  await expect(summary.locator(`a[href="#${name}"]`)).toContainText(text);
  const field = page.locator(`#${name}`);
  await expect(field).toBeFocused();
  await expect(field).toHaveAttribute("aria-invalid", "true");
  await expect(page.locator("main")).not.toContainText(/\b(?:password|please|enter|address|must|field)\b/i);
  // Axe needs timers, which do not run on a page without script.
  if (script) await expectUsable(page);
}

/** Asserts that the browser's own validation prevents the submission. */
async function expectKept(page: Page) {
  const path = new URL(page.url()).pathname;
  await page.locator("main form button.button-primary").click();
  expect(await page.locator("input:invalid").count()).toBeGreaterThan(0);
  expect(new URL(page.url()).pathname).toBe(path);
  await expect(page.getByRole("alert")).toHaveCount(0);
}

async function inviteLink(portal: Portal, page: Page): Promise<string> {
  const headers = { accept: "application/json", "sec-fetch-site": "same-origin" };
  const context = await page.context().browser()!.newContext();
  const admin = await portal.signInAs(context, "org_admin");
  const email = `eva-${admin.userId}@example.com`;
  const sent = await context.request.post(`${portal.url}/dashboard/admin/users/invite`, {
    data: { email, role: "member" },
    headers,
  });
  expect(sent.ok()).toBe(true);
  const { text } = await portal.mail(email);
  await context.close();
  return /\/invite\/[\w-]{30,}/.exec(text)?.[0] ?? "";
}

for (const look of [
  { script: true, viewport: { width: 1280, height: 900 } },
  { script: false, viewport: { width: 360, height: 780 } },
]) {
  const { script, viewport } = look;
  test(`wrong input is told in German, ${script ? "with" : "without"} script at ${viewport.width} px`, async ({
    browser,
    portal,
  }) => {
    const context = await browser.newContext({ viewport, javaScriptEnabled: script, locale: "de" });
    const page = await context.newPage();

    await page.goto(`${portal.url}/signup`);
    await expectKept(page);
    await page.locator("#name").fill("Ada");
    await page.locator("#email").fill(`ada-${viewport.width}@example.com`);
    await page.locator("#password").fill(WEAK);
    await page.locator("#accept_terms").check();
    await page.locator("main form button.button-primary").click();
    await expectRefused(page, { name: "password", text: TOO_COMMON, script });
    await expect(page.locator("#name")).toHaveValue("Ada");
    await expect(page.locator("#email")).toHaveValue(`ada-${viewport.width}@example.com`);
    await expect(page.locator("#accept_terms")).toBeChecked();
    await expect(page.locator("#password")).toHaveValue("");

    await page.goto(`${portal.url}/forgot-password`);
    await expectKept(page);
    await page.locator("#email").fill("ada@example");
    await page.locator("main form button.button-primary").click();
    await expectRefused(page, { name: "email", text: "Das ist keine gültige E-Mail-Adresse.", script });
    await expect(page.locator("#email")).toHaveValue("ada@example");

    await page.goto(portal.url + (await inviteLink(portal, page)));
    await expectKept(page);
    await page.locator("#name").fill("Eva");
    await page.locator("#password").fill(WEAK);
    await page.locator("#accept_terms").check();
    await page.locator("main form button.button-primary").click();
    await expectRefused(page, { name: "password", text: TOO_COMMON, script });
    await expect(page.locator("#name")).toHaveValue("Eva");
    await expect(page.locator("#accept_terms")).toBeChecked();
    await context.close();
  });
}
