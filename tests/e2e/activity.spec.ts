import { expect } from "@playwright/test";
import { expectUsable } from "./accessibility";
import { test } from "./portal";

test.setTimeout(120_000);

test("find what a person did by their name: offered while one types, and chosen without script", async ({
  browser,
  page,
  portal,
  context,
}) => {
  const admin = await portal.signInAs(context, "org_admin", { name: "Ada Admin" });
  for (const name of ["Robin Reed", "Robin Rush"]) {
    const own = await browser.newContext();
    const email = `${name.toLowerCase().replace(" ", ".")}@robins.example`;
    await portal.signInAs(own, "member", { name, email, organisationId: admin.organisationId });
    await own.request.post(`${portal.url}/dashboard/keys/new`, {
      data: { name: `key of ${name}` },
      headers: { origin: portal.url },
    });
    await own.close();
  }
  await page.goto(`${portal.url}/dashboard/activity`);
  const field = page.getByLabel("Person", { exact: true });
  await field.pressSequentially("robin r");
  await expect(page.locator("#person-found option")).toHaveCount(2);
  const email = (await page.locator("#person-found option").first().getAttribute("value")) ?? "";
  await field.fill(email);
  await field.press("Enter");
  await expect(page).toHaveURL(/person=/);
  await expect(page.getByRole("cell", { name: /Robin (?:Reed|Rush)/ })).toHaveCount(1);
  await expectUsable(page);

  const plain = await browser.newContext({ javaScriptEnabled: false, storageState: await context.storageState() });
  const without = await plain.newPage();
  await without.goto(`${portal.url}/dashboard/activity`);
  await without.getByLabel("Person", { exact: true }).fill("robin");
  await without.getByRole("button", { name: "Apply" }).click();
  await without.getByRole("link", { name: /Robin Rush/ }).click();
  await expect(without.getByRole("cell", { name: /Robin Rush/ })).toHaveCount(1);
  await expect(without.getByText("Robin Reed")).toHaveCount(0);
  await plain.close();
});
