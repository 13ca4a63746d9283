import { expect } from "@playwright/test";
import { expectUsable } from "./accessibility";
import { test } from "./portal";

test.setTimeout(90_000);

for (const look of [
  { colorScheme: "light", viewport: { width: 1280, height: 900 } },
  { colorScheme: "dark", viewport: { width: 360, height: 780 } },
] as const) {
  const { colorScheme, viewport } = look;
  test(`what is missing or closed keeps the dashboard around it, at ${viewport.width} px in ${colorScheme}`, async ({
    browser,
    portal,
  }) => {
    const context = await browser.newContext({ ...look, locale: "de" });
    const { email } = await portal.signInAs(context, "member", { language: "de" });
    const page = await context.newPage();
    const failures: string[] = [];
    page.on("pageerror", ({ message }) => failures.push(message));
    for (const [path, title] of [
      ["/dashboard/keys/2147483647", "Seite nicht gefunden"],
      ["/dashboard/no-such-page", "Seite nicht gefunden"],
      ["/dashboard/keys/abc", "Seite nicht gefunden"],
      ["/dashboard/admin/jobs", "Sie haben keinen Zugriff auf diese Seite"],
    ] as const) {
      await page.goto(portal.url + path);
      await expect(page).toHaveTitle(`${title} · gw`);
      await expect(page.getByRole("heading", { level: 1 })).toHaveText(title);
      await expect(page.getByTitle(email).first()).toBeAttached();
      await expectUsable(page);
    }
    // The navigation works on this page too.
    if (viewport.width < 800)
      await page.getByRole("banner").getByText("Menü").or(page.locator("summary")).first().click();
    await page.getByRole("link", { name: "API-Schlüssel" }).filter({ visible: true }).first().click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("API-Schlüssel");
    expect(failures).toEqual([]);
    await context.close();
  });
}

test("at 360 px the menu opens below its button, stays while a choice in it is made, and closes by Escape and by a link", async ({
  browser,
  portal,
}) => {
  const context = await browser.newContext({ viewport: { width: 360, height: 780 }, locale: "en" });
  await portal.signInAs(context, "member");
  const page = await context.newPage();
  await page.goto(`${portal.url}/dashboard/usage`);
  const pages = page.getByRole("navigation", { name: "Pages", exact: true });
  const menu = page.locator("summary[aria-controls=side]");
  await expect(pages).toBeHidden();
  await page.mouse.wheel(0, 400);
  await menu.press("Enter");
  await expect(pages).toBeInViewport();
  await expect(page.locator("a", { hasText: /^gw$/ }).filter({ visible: true })).toHaveCount(1);
  await page.getByRole("complementary").getByRole("button", { name: "Dark" }).click();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  await expect(pages).toBeVisible();
  await expectUsable(page);
  await page.keyboard.press("Escape");
  await expect(pages).toBeHidden();
  await expect(menu).toBeFocused();
  await menu.press("Enter");
  // Escape closes only the topmost dialog.
  await page.keyboard.press("Control+k");
  const palette = page.getByRole("dialog", { name: "Search" });
  await expect(palette).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(palette).toBeHidden();
  await expect(pages).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(pages).toBeHidden();
  await menu.press("Enter");
  await pages.getByRole("link", { name: "Models" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Models");
  await expect(pages).toBeHidden();
  await context.close();
});
