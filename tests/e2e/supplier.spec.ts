import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { expect } from "@playwright/test";
import { expectUsable } from "./accessibility";
import { test } from "./portal";

test.use({ portalEnv: { GW_ALLOW_PRIVATE_UPSTREAMS: "true" } });
test.setTimeout(180_000);

let far: Server;
const asked: { team: unknown; key: unknown; url: unknown }[] = [];
test.beforeAll(async () => {
  far = createServer(async (request, response) => {
    for await (const _ of request);
    asked.push({ team: request.headers["x-team"], key: request.headers.authorization, url: request.url });
    const usage = { prompt_tokens: 1_000, completion_tokens: 200, total_tokens: 1_200 };
    const choices = [{ index: 0, message: { role: "assistant", content: "Hello." }, finish_reason: "stop" }];
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ id: "c", object: "chat.completion", created: 1, model: "m", choices, usage }));
  });
  await new Promise<void>((resolve) => far.listen(0, "127.0.0.1", resolve));
});
test.afterAll(() => far.close());

test("add a supplier, price a model, dry-run a request, serve one by a key, and find it in the request log with its cost", async ({
  page,
  portal,
  context,
}) => {
  const person = await portal.signInAs(context, "platform_admin");
  const base = `http://127.0.0.1:${(far.address() as AddressInfo).port}/v1`;

  await page.goto(`${portal.url}/dashboard/admin/models`);
  const adding = page.locator("#create");
  await adding.getByLabel("Name", { exact: true }).fill("far-away");
  await adding.getByLabel("Base URL").fill(base);
  await adding.getByLabel("API key", { exact: true }).fill("sk-far");
  await adding.getByText("Headers and parameters").click();
  await adding.getByLabel("Extra headers").fill("x-team: platform");
  await expectUsable(page);
  await adding.getByRole("button", { name: "Add supplier" }).click();
  await expect(page.getByText("Supplier added")).toBeVisible();
  await page
    .getByRole("row", { name: /far-away/ })
    .getByRole("link", { name: "Set", exact: true })
    .click();
  await expect(page.getByRole("heading", { name: "Headers and parameters of far-away" })).toBeVisible();
  await expect(page.getByRole("row", { name: /x-team/ })).toContainText("Stored encrypted");
  await expectUsable(page);

  await page.goto(`${portal.url}/dashboard/admin/models?tab=prices`);
  const price = page.locator("#price");
  await price.getByLabel("Model", { exact: true }).fill("house-model");
  await price.getByLabel("Input / 1M", { exact: true }).fill("2");
  await price.getByLabel("Output / 1M", { exact: true }).fill("8");
  await price.getByRole("button", { name: "Review change" }).click();
  await expect(page.getByRole("heading", { name: /Review the price of house-model/ })).toBeVisible();
  await expectUsable(page);
  await page.getByRole("button", { name: "Set price" }).click();
  await expect(page.getByText("Price saved")).toBeVisible();
  // Set another price from a file.
  await page.getByRole("link", { name: "Prices from a file" }).click();
  await page
    .getByLabel("Or paste it here")
    .fill("supplier,model,input_per_mtok,output_per_mtok\nfar-away,house-model,3,8");
  await page.getByRole("button", { name: "Preview" }).click();
  await expect(page.getByRole("row", { name: /house-model/ })).toContainText("+50%");
  await expectUsable(page);
  await page.getByRole("button", { name: "Set 1 price" }).click();
  await expect(page.getByText("1 price set")).toBeVisible();

  await expect(async () => {
    await page.goto(`${portal.url}/dashboard/admin/models/dry-run`);
    await page.getByLabel("Model", { exact: true }).fill("house-model");
    await page.locator("main form").getByRole("button").click();
    await expect(page.getByRole("row", { name: /far-away/ })).toBeVisible({ timeout: 2_000 });
  }).toPass({ timeout: 30_000 });
  expect(asked).toEqual([]);

  await portal.sql("UPDATE ledger_account SET exempt = true WHERE organisation_id = $1", [person.organisationId]);
  await page.goto(`${portal.url}/dashboard/keys/new`);
  await page.getByLabel("Name", { exact: true }).fill("house key");
  await page.getByRole("button", { name: "Create key" }).click();
  const secret = /gw_[0-9A-Za-z]{49}/.exec(await page.locator("#shown-secret").innerText())?.[0] ?? "";
  await expect(async () => {
    const answer = await fetch(`${portal.url}/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
      body: JSON.stringify({ model: "house-model", messages: [{ role: "user", content: "Hello" }] }),
    });
    expect(answer.status).toBe(200);
    expect((await answer.json()).choices[0].message.content).toBe("Hello.");
  }).toPass({ timeout: 30_000 });
  expect(asked).toEqual([{ team: "platform", key: "Bearer sk-far", url: "/v1/chat/completions" }]);

  const row = page.locator('table[data-table="request-log"] tbody tr').filter({ hasText: "house-model" });
  await expect(async () => {
    await page.goto(`${portal.url}/dashboard/request-log`);
    await expect(row).toHaveCount(1, { timeout: 1_000 });
  }).toPass({ timeout: 30_000 });
  // 1,000 × $3 and 200 × $8 per million.
  await expect(row).toContainText("$0.0046");
  await row.getByRole("link").first().click();
  await page.waitForURL(/\/dashboard\/request-log\/[\da-f-]{36}/);
  await expect(page.getByText("far-away").first()).toBeVisible();
  await expect(page.getByText("$0.0046").first()).toBeVisible();
  await expectUsable(page);
});

for (const javaScriptEnabled of [true, false])
  test(`what is changed of a supplier and refused stays as it was typed, ${javaScriptEnabled ? "with" : "without"} script`, async ({
    browser,
    portal,
  }) => {
    const context = await browser.newContext({ javaScriptEnabled, locale: "de-DE" });
    await portal.signInAs(context, "platform_admin");
    const name = `typed-${javaScriptEnabled}`;
    const form = { name, kind: "chat", base_url: "http://127.0.0.1:9/v1", region: "eu", api_key: "sk-typed" };
    await context.request.post(`${portal.url}/dashboard/admin/providers`, { form, headers: { origin: portal.url } });
    const page = await context.newPage();
    await page.goto(`${portal.url}/dashboard/admin/models`);
    await page.getByRole("row", { name }).getByRole("button", { name: "Bearbeiten" }).click();
    await page.getByRole("dialog").getByLabel("Basis-URL").fill("http://127.0.0.2:9/v1");
    await page.getByRole("dialog").getByLabel("Region").fill("eu-west");
    await page.getByRole("dialog").getByRole("button", { name: "Speichern" }).click();
    const given = page.locator("section", { has: page.getByRole("heading", { name: `${name} bearbeiten` }) });
    await expect(given.getByRole("alert")).toContainText("API-Schlüssel: Geben Sie den API-Schlüssel erneut ein");
    await expect(given.getByLabel("Basis-URL")).toHaveValue("http://127.0.0.2:9/v1");
    await expect(given.getByLabel("Region")).toHaveValue("eu-west");
    await given.getByLabel("API-Schlüssel").fill("sk-other");
    await given.getByRole("button", { name: "Speichern" }).click();
    await expect(page.getByRole("row", { name })).toContainText("eu-west");
    await context.close();
  });
