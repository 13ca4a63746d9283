import { expect } from "@playwright/test";
import { addOrganisation } from "../support/people";
import { expectUsable } from "./accessibility";
import { type Portal, startPortal, test } from "./portal";

let portal: Portal & { stop(): Promise<void> };
test.beforeAll(async () => {
  portal = await startPortal();
});
test.afterAll(() => portal?.stop());

test("a department gets a budget, which is seen and undone", async ({ browser }) => {
  const context = await browser.newContext({ viewport: { width: 360, height: 900 } });
  const organisationId = await addOrganisation(portal.sql, "Budgeted Ltd");
  await portal.sql("INSERT INTO department (organisation_id, name) VALUES ($1, 'Engineering')", [organisationId]);
  await portal.signInAs(context, "org_admin", { organisationId });
  const page = await context.newPage();
  await page.goto(`${portal.url}/dashboard/budgets`);
  await expect(page.getByText("No limits yet")).toBeVisible();
  const row = page.getByRole("row", { name: /Engineering/ });
  await row.getByText("No limit").click();
  await row.getByRole("textbox", { name: /^Limit of Engineering/ }).fill("250");
  await row.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Limit of Engineering: No limit → $250.00 a month")).toBeVisible();
  await expect(row.locator("summary").last()).toContainText("$250.00 a month");
  await expectUsable(page);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(row.locator("summary").last()).toContainText("No limit");
  await context.close();
});
