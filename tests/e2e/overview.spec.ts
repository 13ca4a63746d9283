import { expect } from "@playwright/test";
import { expectUsable } from "./accessibility";
import { test } from "./portal";

test("the overview shows a request while it runs, its money held, and its row when it has ended, without being loaded again", async ({
  page,
  context,
  portal,
}) => {
  await portal.signInAs(context, "member");
  const made = await page.request.post(`${portal.url}/dashboard/keys/new`, {
    data: { name: "watched", budget_limit: "5", budget_period: "monthly" },
    headers: { origin: portal.url },
  });
  const { key } = (await made.json()) as { key: string };
  const call = (body: object) =>
    fetch(`${portal.url}/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ messages: [{ role: "user", content: "Hello" }], ...body }),
    });
  await (await call({ model: "sandbox-chat" })).text();
  const rows = page.locator('table[data-table="overview-requests"] tbody tr');
  await expect(async () => {
    await page.goto(`${portal.url}/dashboard`);
    await expect(rows).toHaveCount(1, { timeout: 500 });
  }).toPass({ timeout: 20_000 });
  await expect(page.getByText("in flight")).toHaveCount(0);
  await expect(page.getByText("Live", { exact: true })).toBeVisible();
  await page.evaluate(() => Object.assign(globalThis, { isTheSamePage: true }));
  const running = await call({ model: "sandbox-fault-slow", stream: true, max_tokens: 30 });
  await expect(page.getByText("1 request in flight")).toBeVisible({ timeout: 30_000 });
  await expect(page.locator(".under-way")).toContainText("held now");
  await expect(page.locator('figure rect[fill^="url(#"]')).toHaveCount(1);
  await expectUsable(page);
  await running.text();
  await expect(rows).toHaveCount(2, { timeout: 60_000 });
  await expect(rows.first()).toHaveClass(/row-new/);
  await expect(page.getByText("in flight")).toHaveCount(0);
  expect(await page.evaluate(() => "isTheSamePage" in globalThis)).toBe(true);
});
