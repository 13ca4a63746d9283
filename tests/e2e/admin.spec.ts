import { type BrowserContext, expect } from "@playwright/test";
import { hashPassword } from "~/domain/accounts/passwords/password";
import { expectUsable, seriousProblems } from "./accessibility";
import { test } from "./portal";

test.setTimeout(90_000);

const narrow = { viewport: { width: 360, height: 780 } };

async function anOrganisation(sql: (query: string, parameters?: unknown[]) => Promise<{ id: number }[]>, name: string) {
  const [row] = await sql("INSERT INTO organisation (name, slug) VALUES ($1, md5($1)) RETURNING id", [name]);
  const id = row?.id as number;
  await sql("SELECT wallet_open('organisation', $1::int, $1::int, false)", [id]);
  return id;
}

test("invite, accept, give a role: at 360 px in the dark", async ({ browser, portal }) => {
  const context = await browser.newContext({ ...narrow, colorScheme: "dark" });
  const organisationId = await anOrganisation(portal.sql, "Narrow Ltd");
  await portal.signInAs(context, "org_admin", { organisationId, name: "Nora Narrow" });
  const page = await context.newPage();
  await page.goto(`${portal.url}/dashboard/admin/users`);
  await expectUsable(page);
  await page.getByRole("link", { name: "Invite" }).first().click();
  await page.waitForURL(/users\/invite$/);
  await page.getByLabel("Email address", { exact: true }).fill("ivy@example.com");
  await page.getByRole("button", { name: "Send invitation" }).click();
  await expect(page.getByText("A platform admin has to pass on the link")).toBeVisible();
  await expect(page.getByText("Not sent by email")).toBeVisible();
  await expectUsable(page);
  const letter = await portal.mail("ivy@example.com");
  const link = /\/invite\/[\w-]{30,}/.exec(letter.text)?.[0] ?? "";

  const guest = await browser.newContext(narrow);
  const landing = await guest.newPage();
  await landing.goto(portal.url + link);
  await expect(landing.getByRole("heading", { name: "Join Narrow Ltd" })).toBeVisible();
  await expectUsable(landing);
  await landing.getByLabel("Your name").fill("Ivy Invited");
  await landing.getByLabel("Password").fill("several words and a half");
  await landing.getByRole("checkbox").check();
  await landing.getByRole("button", { name: "Create account and join" }).click();
  await expect(landing).toHaveURL(/\/dashboard/);

  await page.goto(`${portal.url}/dashboard/admin/users`);
  await page.getByRole("link", { name: /Ivy Invited/ }).click();
  await page.waitForURL(/users\/\d+$/);
  await page.getByLabel("Role", { exact: true }).selectOption("viewer");
  await page.getByRole("button", { name: "Change role" }).click();
  await expect(page.getByText("Role updated.")).toBeVisible();
  await expectUsable(page);
  await page.goto(`${portal.url}/dashboard/activity`);
  await expect(page.getByRole("cell", { name: /changed the role of .* from Member to Viewer/ })).toBeVisible();
  await expectUsable(page);
});

test("suspend by keyboard: what stops is said first, and the person is out at once", async ({ browser, portal }) => {
  const organisationId = await anOrganisation(portal.sql, "Keyboard Ltd");
  const context = await browser.newContext();
  await portal.signInAs(context, "org_admin", { organisationId });
  const theirs = await browser.newContext();
  const member = await portal.signInAs(theirs, "member", { organisationId, name: "Sam Suspended" });
  const page = await context.newPage();
  await page.goto(`${portal.url}/dashboard/admin/users/${member.userId}`);
  await page.getByRole("button", { name: "Suspend" }).first().focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByText("1 browser is signed out")).toBeVisible();
  expect(await seriousProblems(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Suspend" }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByText("Status updated.")).toBeVisible();
  const their = await theirs.newPage();
  await their.goto(`${portal.url}/dashboard`);
  await expect(their).toHaveURL(/\/login/);
  await page.getByRole("button", { name: "Reactivate" }).click();
  await expect(page.getByText("Active", { exact: true }).first()).toBeVisible();
});

test("merge without script: choose, look, confirm; people, key and money have come over", async ({
  browser,
  portal,
}) => {
  const [keep, gone] = [await anOrganisation(portal.sql, "Keep Ltd"), await anOrganisation(portal.sql, "Gone Ltd")];
  await portal.sql(
    `SELECT wallet_post(id, 'promo_expense', 12500000000, 'promo_grant', 'merge-funds', 'test', '')
       FROM ledger_account WHERE kind = 'wallet' AND payer_kind = 'organisation' AND payer_id = $1`,
    [gone],
  );
  const boss = await portal.addPerson({ organisationId: gone, role: "org_admin", email: "boss@gone.example" });
  const context: BrowserContext = await browser.newContext({ javaScriptEnabled: false });
  await portal.signInAs(context, "platform_admin");
  const page = await context.newPage();
  await page.goto(`${portal.url}/dashboard/admin/organisations`);
  await page.getByRole("checkbox", { name: "Select: Keep Ltd" }).check();
  await page.getByRole("checkbox", { name: "Select: Gone Ltd" }).check();
  await page.getByRole("button", { name: "Merge selected" }).click();
  await page.getByLabel("Organisation to keep").selectOption({ label: "Keep Ltd" });
  await page.getByRole("button", { name: "Update preview" }).click();
  await expect(page.getByText("$12.50 moves now.")).toBeVisible();
  await page.getByLabel("Role: boss@gone.example").selectOption("member");
  await page.getByLabel("I understand this can’t be undone").check();
  await page.getByRole("button", { name: "Merge into Keep Ltd" }).click();
  await expect(page.getByRole("heading", { name: "Keep Ltd" })).toBeVisible();
  await expect(page.getByText("$12.50")).toBeVisible();
  const [row] = await portal.sql("SELECT organisation_id, role FROM app_user WHERE id = $1", [boss.userId]);
  expect(row).toEqual({ organisation_id: keep, role: "member" });
});

for (const look of [
  { name: "with script", javaScriptEnabled: true, colorScheme: "light" },
  { name: "in dark, without script", javaScriptEnabled: false, colorScheme: "dark" },
] as const) {
  test(`credit an hour after signing in asks who it is and leads back to the form, ${look.name}`, async ({
    browser,
    portal,
  }) => {
    const { javaScriptEnabled, colorScheme } = look;
    const context = await browser.newContext({ ...narrow, javaScriptEnabled, colorScheme });
    const organisationId = await anOrganisation(portal.sql, `Careful ${look.name} Ltd`);
    await portal.sql("UPDATE organisation SET credit_ceiling_nano_usd = 100000000000 WHERE id = $1", [organisationId]);
    const admin = await portal.signInAs(context, "org_admin", { organisationId });
    const person = await portal.addPerson({ organisationId, role: "member" });
    await portal.sql("UPDATE app_user SET password_hash = $2 WHERE id = $1", [
      admin.userId,
      await hashPassword("several words and a half"),
    ]);
    await portal.sql("UPDATE session SET proved_at = now() - interval '1 hour' WHERE user_id = $1", [admin.userId]);
    const page = await context.newPage();
    await page.goto(`${portal.url}/dashboard/admin/users/${person.userId}`);
    const credit = page.getByLabel("Credit limit", { exact: false }).first();
    const save = page.getByRole("button", { name: "Save billing" });
    await credit.fill("25");
    await save.click();
    await expect(page.getByRole("heading", { name: "Confirm it’s you" })).toBeVisible();
    if (javaScriptEnabled) await expectUsable(page);
    await page.getByLabel(/^Password for/).fill("not the right one");
    await page.getByRole("button", { name: "Confirm" }).click();
    await expect(page.locator("#password-problem")).toHaveText("That password isn’t correct.");
    if (javaScriptEnabled) await expectUsable(page);
    await page.getByLabel(/^Password for/).fill("several words and a half");
    await page.getByRole("button", { name: "Confirm" }).click();
    await page.waitForURL(new RegExp(`/users/${person.userId}$`));
    await expect(page.getByText("Confirmed for 15 minutes")).toBeVisible();
    await expect(page.getByText("Your entries are back.")).toBeVisible();
    await expect(credit).toHaveValue("25");
    await save.click();
    await expect(page.getByText("Billing saved.")).toBeVisible();
    await expect(credit).toHaveValue("25.00");
  });
}

test("nothing serious is wrong with any page of the administration, light and dark", async ({ browser, portal }) => {
  const organisationId = await anOrganisation(portal.sql, "Accessible Ltd");
  const context = await browser.newContext();
  const owner = await portal.signInAs(context, "owner");
  const person = await portal.addPerson({ organisationId, role: "member" });
  const [project] = await portal.sql(
    "INSERT INTO project (organisation_id, name, created_by_id) VALUES ($1, 'Apollo', $2) RETURNING id",
    [organisationId, owner.userId],
  );
  await portal.sql("INSERT INTO project_member (project_id, user_id) VALUES ($1, $2)", [project.id, person.userId]);
  const page = await context.newPage();
  for (const path of [
    "users?q=nobody-at-all",
    `users/${person.userId}`,
    "users/invite?show=all",
    "organisations",
    `organisations/${organisationId}`,
    `organisations/merging?merge=${organisationId}&merge=${owner.organisationId}`,
    "projects",
    `projects/${project.id}`,
  ]) {
    for (const [colorScheme, width] of [
      ["light", 1280],
      ["dark", 360],
    ] as const) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 800 });
      await page.goto(`${portal.url}/dashboard/admin/${path}`);
      await expectUsable(page);
    }
  }
});
