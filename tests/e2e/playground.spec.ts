import { expect } from "@playwright/test";
import { expectUsable } from "./accessibility";
import { test } from "./portal";

test("somebody compares two models in the playground and opens the request of an answer", async ({
  page,
  context,
  portal,
}) => {
  await portal.signInAs(context, "member");
  await page.goto(`${portal.url}/dashboard/playground`);
  await expect(page.getByText("Create a key to use the playground").first()).toBeVisible();
  await page.goto(`${portal.url}/dashboard/keys/new`);
  await page.getByLabel("Name", { exact: true }).fill("for trying");
  await page.getByRole("button", { name: "Create key" }).click();
  await page.waitForURL(/\/dashboard\/keys\/\d+/);
  await page.goto(`${portal.url}/dashboard/playground`);
  await page.getByLabel("Model", { exact: true }).selectOption("sandbox-chat");
  await page.getByLabel("Compare with").selectOption("sandbox-messages");
  await page.getByLabel("Message").fill("");
  await page.getByRole("button", { name: "Send" }).click();
  await expect(page.getByText("Please fix the highlighted fields.")).toBeVisible();
  await page.getByLabel("Message").fill("Say hello.");
  await page.getByRole("button", { name: "Send" }).click();
  await expect(page.getByText("Please fix the highlighted fields.")).toHaveCount(0);
  const answers = page.getByRole("region", { name: "Answers" });
  await expect(answers.getByText("You said: “Say hello.”")).toHaveCount(2);
  await expect(answers.getByText("First byte")).toHaveCount(2);
  await expect(page.locator("pre").first()).toContainText('"content": "Say hello."');
  await expectUsable(page);
  const request = answers.getByRole("link").first();
  const id = await request.innerText();
  await expect(request).toHaveAttribute("href", `/dashboard/request-log/${id}`);

  // A long question scrolls in its frame, also by keyboard, and the answers stay visible.
  const sent = page.waitForResponse(/playground\/run$/);
  await page.getByLabel("Message").fill("A long question. ".repeat(1_000));
  await page.getByRole("button", { name: "Send" }).click();
  await sent;
  const asked = answers.getByText("A long question. A long").locator("..");
  await expect(asked).toHaveCount(2);
  await expect(answers.getByText("First byte")).toHaveCount(2);
  for (const frame of await asked.all()) expect((await frame.boundingBox())?.height).toBeLessThan(300);
  await asked.first().press("End");
  await expect.poll(() => asked.first().evaluate((frame) => frame.scrollTop)).toBeGreaterThan(300);
  await expectUsable(page);
});
