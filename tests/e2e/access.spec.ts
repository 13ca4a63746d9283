import { type BrowserContext, expect } from "@playwright/test";
import { expectUsable } from "./accessibility";
import { type Portal, test } from "./portal";

test.setTimeout(90_000);

const narrow = { viewport: { width: 360, height: 780 } };
const INVITE = "/dashboard/admin/users/invite";

/** Creates an organisation admin with an unassigned admin key. */
async function anAdminWithKey(portal: Portal, context: BrowserContext) {
  const [row] = await portal.sql(
    "INSERT INTO organisation (name, slug) VALUES ('Access Ltd', md5(random()::text)) RETURNING id",
  );
  await portal.sql("SELECT wallet_open('organisation', $1::int, $1::int, false)", [row.id]);
  const admin = await portal.signInAs(context, "org_admin", { organisationId: row.id, name: "Anna Admin" });
  const answer = await context.request.post(`${portal.url}/dashboard/keys/new`, {
    data: { name: "deploys", kind: "admin", owner: "nobody" },
    headers: { accept: "application/json", "sec-fetch-site": "same-origin" },
  });
  const { id } = (await answer.json()) as { id: number };
  const status = async () => (await portal.sql("SELECT status FROM api_key WHERE id = $1", [id]))[0].status as string;
  return { admin, organisationId: row.id as number, status };
}

for (const look of [
  { ticked: true, colorScheme: "light", viewport: { width: 1280, height: 900 } },
  { ticked: false, colorScheme: "dark", ...narrow },
] as const) {
  test(`suspending without script lists admin keys; ${look.ticked ? "as it stands they end" : "unticked they stay"}`, async ({
    browser,
    portal,
  }) => {
    const { admin, status } = await anAdminWithKey(portal, await browser.newContext());
    const { viewport, colorScheme } = look;
    const context = await browser.newContext({ viewport, colorScheme, javaScriptEnabled: false });
    await portal.signInAs(context, "platform_admin");
    const page = await context.newPage();
    await page.goto(`${portal.url}/dashboard/admin/users/${admin.userId}`);
    await page.getByRole("button", { name: "Suspend" }).first().click();
    const dialog = page.getByRole("dialog");
    const box = dialog.getByRole("checkbox", { name: "Revoke 1 admin key they created or can use" });
    await expect(box).toBeChecked();
    await expect(dialog.getByText("deploys")).toBeVisible();
    if (!look.ticked) await box.uncheck();
    await dialog.getByRole("button", { name: "Suspend" }).click();
    await expect(page.getByText("Status updated.")).toBeVisible();
    expect(await status()).toBe(look.ticked ? "revoked" : "active");
  });
}

test("without mail an admin's invitation waits; who runs the installation passes its link on, at 360 px", async ({
  browser,
  portal,
}) => {
  const theirs = await browser.newContext({ ...narrow, colorScheme: "dark" });
  await anAdminWithKey(portal, theirs);
  const page = await theirs.newPage();
  await page.goto(portal.url + INVITE);
  await page.getByLabel("Email address", { exact: true }).fill("kim@example.com");
  await page.getByRole("button", { name: "Send invitation" }).click();
  await expect(page.getByText("A platform admin has to pass on the link")).toBeVisible();
  await expect(page.getByText("Not sent by email")).toBeVisible();
  await expect(page.getByRole("button", { name: /New link/ })).toHaveCount(0);
  await expectUsable(page);

  const operator = await browser.newContext(narrow);
  await portal.signInAs(operator, "platform_admin");
  const desk = await operator.newPage();
  await desk.goto(portal.url + INVITE);
  await desk
    .getByRole("row", { name: /kim@example/ })
    .getByText("Details")
    .click();
  await desk.getByRole("button", { name: "New link: kim@example.com" }).click();
  await expect(desk.getByText("Pass it on to kim@example.com.")).toBeVisible();
  await expectUsable(desk);
  const link = /\/invite\/[\w-]{30,}/.exec(await desk.content())?.[0] ?? "";

  const landing = await (await browser.newContext(narrow)).newPage();
  await landing.goto(portal.url + link);
  await expect(landing.getByText("Already have an account?")).toBeVisible();
  await expectUsable(landing);
  await landing.getByLabel("Your name").fill("Kim New");
  await landing.getByLabel("Password").fill("several words and a half");
  await landing.getByRole("checkbox").check();
  await landing.getByRole("button", { name: "Create account and join" }).click();
  await expect(landing).toHaveURL(/\/dashboard/);
});
