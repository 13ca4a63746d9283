import { hash } from "@node-rs/argon2";
import { expect } from "@playwright/test";
import { linkIn } from "../support/mailbox";
import { seriousProblems } from "./accessibility";
import { test } from "./portal";

const PASSWORD = "several words and a half";

test("a person whose account strangers keep locked signs in with the password and the mailed link", async ({
  page,
  portal,
}) => {
  const { email, userId } = await portal.addPerson();
  await portal.sql("UPDATE app_user SET password_hash = $1 WHERE id = $2", [await hash(PASSWORD), userId]);
  for (let count = 0; count < 10; count += 1) {
    await fetch(`${portal.url}/auth/login`, {
      method: "POST",
      headers: { "content-type": "application/json", "sec-fetch-site": "same-origin" },
      body: JSON.stringify({ email, password: `a guess, number ${count}` }),
    });
  }
  await page.goto(`${portal.url}/login?next=%2Fdashboard%2Fsettings`);
  await page.getByLabel("Email address").fill(email);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("alert")).toContainText("we've emailed you a link to finish signing in");
  await expect(page.getByLabel("Email address")).toHaveValue(email);
  const link = linkIn(await portal.mail(email), "/sign-in-link");
  await page.goto(portal.url + link);
  await expect(page.getByRole("heading", { name: "Finish signing in" })).toBeVisible();
  expect(page.url()).not.toContain("token");
  expect(await seriousProblems(page)).toEqual([]);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page).toHaveURL(`${portal.url}/dashboard/settings`);
});
