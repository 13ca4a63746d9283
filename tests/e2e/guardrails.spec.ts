import { expect } from "@playwright/test";
import { expectUsable } from "./accessibility";
import { test } from "./portal";

const SECRET = /gw_[0-9A-Za-z]{49}/;

test.setTimeout(180_000);

test("a guardrail that is set on a key redacts in a stream, and the request log says so", async ({
  page,
  portal,
  context,
}) => {
  await portal.signInAs(context, "member");
  await page.goto(`${portal.url}/dashboard/keys/new`);
  await page.getByLabel("Name", { exact: true }).fill("guarded key");
  await page.getByRole("button", { name: "Create key" }).click();
  const secret = SECRET.exec(await page.locator("#shown-secret").innerText())?.[0] ?? "";

  await page.getByRole("link", { name: "View guardrails" }).click();
  await expect(page.getByText("No guardrails yet")).toBeVisible();
  await expectUsable(page);
  const form = page.locator("#add");
  await form.getByLabel("Name", { exact: true }).fill("Codename");
  await form.getByLabel("Words or pattern").fill("blue fox");
  await form.getByLabel("Checks").selectOption("output");
  await form.getByRole("button", { name: "Add guardrail" }).click();
  await expect(page.getByText("Guardrail added.")).toBeVisible();
  await expect(page.getByRole("cell", { name: "Codename", exact: true })).toBeVisible();
  await expectUsable(page);

  const attempt = page.locator("#test");
  await attempt.getByLabel("Text").fill("So the blue fox jumps.");
  await attempt.getByLabel("Check as").selectOption("output");
  await attempt.getByRole("button", { name: "Try" }).click();
  await expect(page.getByText("So the ******** jumps.")).toBeVisible();

  const webhook = page.locator("#webhook");
  await webhook.getByLabel("Address").fill("https://hooks.example.com/check");
  await webhook.getByLabel("Allow the request").check();
  await webhook.getByRole("button", { name: "Save webhook" }).click();
  await expect(page.getByText("Webhook saved.")).toBeVisible();
  await expect(webhook.getByText(/^whsec_/)).toBeVisible();
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    await expectUsable(page);
  }
  await webhook.getByRole("button", { name: "Remove webhook" }).click();
  await expect(page.getByText("Webhook removed.")).toBeVisible();

  await expect(async () => {
    const answer = await fetch(`${portal.url}/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
      body: JSON.stringify({
        ...{ model: "sandbox-chat", stream: true },
        messages: [{ role: "user", content: "Repeat: the blue fox jumps." }],
      }),
    });
    const events = (await answer.text()).split("\n\n").filter((event) => event.startsWith("data: {"));
    const said = events.map((event) => JSON.parse(event.slice(6)).choices[0]?.delta?.content ?? "").join("");
    expect(said).toContain("the ******** jumps");
    expect(events.length).toBeGreaterThan(3);
  }).toPass({ timeout: 60_000 });

  await expect(async () => {
    await page.goto(`${portal.url}/dashboard/request-log?guardrail=redact`);
    const requests = page.getByRole("table").locator("a[href*='/dashboard/request-log/']");
    expect(await requests.count()).toBeGreaterThan(0);
    await page.goto(`${portal.url}${await requests.first().getAttribute("href")}`);
    expect(await page.getByRole("cell", { name: "Codename", exact: true }).count()).toBe(1);
  }).toPass({ timeout: 60_000 });
  await expectUsable(page);
});
