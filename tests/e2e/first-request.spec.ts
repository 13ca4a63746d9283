import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, type Locator } from "@playwright/test";
import { linkIn } from "../support/mailbox";
import { seriousProblems } from "./accessibility";
import { test } from "./portal";

// The default of an installation: the sandbox is free.
test.use({ portalEnv: { GW_SANDBOX_FREE_RPM: "600" } });

test("from sign-up without money to the receipt of the first request, in six clicks", async ({ page, portal }) => {
  let clicks = 0;
  const click = async (target: Locator) => {
    clicks += 1;
    await target.click();
  };
  const email = "newcomer@example.com";
  await page.goto(`${portal.url}/signup`);
  await page.getByLabel("Your name").fill("New Comer");
  await page.getByLabel("Email address").fill(email);
  await page.getByLabel("Password").fill("blue tea and quiet stairs");
  await click(page.getByRole("checkbox"));
  await click(page.getByRole("button", { name: "Create account" }));
  await expect(page.getByRole("heading", { name: "Check your inbox" })).toBeVisible();
  // The link in the message.
  clicks += 1;
  await page.goto(portal.url + linkIn(await portal.mail(email), "/verify-email"));
  await click(page.getByRole("button", { name: "Confirm and continue" }));
  await expect(page).toHaveURL(/\/dashboard\/get-started$/);
  await expect(page.locator("#shown-secret")).toHaveText(/^gw_\w+$/);
  await click(page.getByRole("button", { name: "I have stored it: create key" }));
  await click(page.getByRole("button", { name: "Copy curl" }));
  const command = await page.locator("#first-request").innerText();
  const { stdout } = await promisify(execFile)("sh", ["-c", command]);
  expect(stdout).toContain("chat.completion");
  await expect(page.getByText(/sandbox-chat answered with 200/)).toBeVisible({ timeout: 15_000 });
  await expect(page.getByText("Charged to your wallet: nothing, the sandbox is free")).toBeVisible();
  expect(clicks).toBeLessThanOrEqual(6);

  await page.getByRole("link", { name: "See the whole request" }).click();
  await expect(page.locator("[data-explained]")).toBeVisible();
  expect(await seriousProblems(page)).toEqual([]);
  const secret = /gw_[0-9A-Za-z]{49}/.exec(command)?.[0];
  const rejected = await fetch(`${portal.url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "no-such-model", messages: [{ role: "user", content: "Hello" }] }),
  });
  const address = `${portal.url}/dashboard/request-log/${rejected.headers.get("x-request-id")}`;
  await expect.poll(async () => (await page.goto(address))?.status(), { timeout: 15_000 }).toBe(200);
  await expect(page.getByRole("heading", { name: "Rejected request" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Show models" })).toBeVisible();
  expect(await seriousProblems(page)).toEqual([]);
});
