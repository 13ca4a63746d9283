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
      ["/dashboard/admin/jobs", "Sie haben keinen Zugriff auf diese Seite"],
    ] as const) {
      await page.goto(portal.url + path);
      await expect(page).toHaveTitle(`${title} · gw`);
      await expect(page.getByRole("heading", { level: 1 })).toHaveText(title);
      await expect(page.getByTitle(email).first()).toBeAttached();
      await expectUsable(page);
    }
    // The navigation works from here as from any other page.
    if (viewport.width < 800)
      await page.getByRole("banner").getByText("Menü").or(page.locator("summary")).first().click();
    await page.getByRole("link", { name: "API-Schlüssel" }).filter({ visible: true }).first().click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("API-Schlüssel");
    expect(failures).toEqual([]);
    await context.close();
  });
}
