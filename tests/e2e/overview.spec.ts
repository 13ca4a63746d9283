import { type BrowserContext, expect } from "@playwright/test";
import { addOrganisation } from "../support/people";
import { expectUsable } from "./accessibility";
import { hydrated, type Portal, test } from "./portal";

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
  await page.setViewportSize({ width: 1280, height: 900 });
  const table = page.getByRole("region", { name: "Latest requests" });
  const frame = await table.boundingBox();
  const duration = await table.getByRole("columnheader", { name: "Duration" }).boundingBox();
  expect((duration?.x ?? 0) + (duration?.width ?? 0)).toBeLessThanOrEqual((frame?.x ?? 0) + (frame?.width ?? 0));
  await expect(page.getByText("in flight")).toHaveCount(0);
  expect(await page.evaluate(() => "isTheSamePage" in globalThis)).toBe(true);
});

test("the request log says how many requests have come since, and moves nothing until one asks for them", async ({
  page,
  context,
  portal,
}) => {
  const call = await someoneWhoCalls({ portal, context }, { name: "Reader", calls: 2 });
  const rows = page.locator('table[data-table="request-log"] tbody tr');
  await expect(async () => {
    await page.goto(`${portal.url}/dashboard/request-log`);
    await expect(rows).toHaveCount(2, { timeout: 500 });
  }).toPass({ timeout: 20_000 });
  const place = await rows.first().boundingBox();
  const first = await rows.first().getAttribute("data-row");
  await expect(page.getByRole("link", { name: /new request/ })).toHaveCount(0);
  await call();
  await expect(page.getByRole("link", { name: "1 new request", exact: true })).toBeVisible({ timeout: 60_000 });
  await call();
  const more = page.getByRole("link", { name: "2 new requests", exact: true });
  await expect(more).toBeVisible({ timeout: 60_000 });
  await expect(rows).toHaveCount(2);
  expect(await rows.first().boundingBox()).toEqual(place);
  await expect(rows.first()).toHaveAttribute("data-row", String(first));
  await expectUsable(page);
  await more.click();
  await expect(rows).toHaveCount(4);
  await expect(page.getByRole("link", { name: /new request/ })).toHaveCount(0);
});

test("the overview and the request log are as ever when one comes to them from a page with a form", async ({
  page,
  context,
  portal,
}) => {
  await someoneWhoCalls({ portal, context }, { name: "Chooser", calls: 1 });
  const pages = page.getByRole("navigation", { name: "Pages", exact: true });
  const comeTo = async (name: string) => {
    await page.goto(`${portal.url}/dashboard/settings`);
    await hydrated(page, "body");
    await pages.getByRole("link", { name, exact: true }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(name);
  };
  await comeTo("Overview");
  await expect(page.getByText("Live", { exact: true })).toBeVisible();
  await expect(async () => {
    await comeTo("Requests");
    await expect(page.getByRole("columnheader", { name: "Model" })).toBeVisible({ timeout: 500 });
  }).toPass({ timeout: 20_000 });
  await expect(page.getByRole("columnheader", { name: "Session" })).toBeHidden();
});

for (const javaScriptEnabled of [true, false])
  test(`by the way back a list says what it is filtered by, ${javaScriptEnabled ? "with" : "without"} script`, async ({
    browser,
    portal,
  }) => {
    const context = await browser.newContext({ javaScriptEnabled });
    await portal.signInAs(context, "org_admin");
    const page = await context.newPage();
    const role = page.locator("select[name=role]");
    await page.goto(`${portal.url}/dashboard/admin/users`);
    await role.selectOption("owner");
    if (!javaScriptEnabled) await page.getByRole("button", { name: "Apply" }).click();
    await page.waitForURL(/role=owner/);
    await expect(role).toHaveValue("owner");
    await page.goBack();
    await expect(page).toHaveURL(/users$/);
    await expect(role).toHaveValue("");
    await context.close();
  });

/** Creates a person with a key and a number of calls. Returns a function that sends one more call. */
async function someoneWhoCalls(
  { portal, context }: { portal: Portal; context: BrowserContext },
  { name, organisationId, calls }: { name: string; organisationId?: number; calls: number },
) {
  await portal.signInAs(context, "member", { name, ...(organisationId !== undefined && { organisationId }) });
  const made = await context.request.post(`${portal.url}/dashboard/keys/new`, {
    data: { name: `key of ${name}` },
    headers: { origin: portal.url },
  });
  const { key } = (await made.json()) as { key: string };
  const call = async () => {
    const answer = await fetch(`${portal.url}/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ model: "sandbox-chat", messages: [{ role: "user", content: "Hello" }] }),
    });
    expect(answer.status).toBe(200);
    await answer.text();
  };
  for (let done = 0; done < calls; done += 1) await call();
  return call;
}

test("from the overview an expensive person is followed down to one request", async ({
  browser,
  page,
  context,
  portal,
}) => {
  const organisationId = await addOrganisation(portal.sql);
  await portal.sql("UPDATE ledger_account SET exempt = true WHERE organisation_id = $1", [organisationId]);
  for (const [name, calls] of [
    ["Frugal", 1],
    ["Spendthrift", 4],
  ] as const) {
    const own = await browser.newContext();
    await someoneWhoCalls({ portal, context: own }, { name, organisationId, calls });
    await own.close();
  }
  await portal.signInAs(context, "org_admin", { organisationId });
  await expect(async () => {
    await page.goto(`${portal.url}/dashboard`);
    await expect(page.locator('table[data-table="overview-requests"] tbody tr')).toHaveCount(5, { timeout: 500 });
  }).toPass({ timeout: 30_000 });
  // Spend by person, highest first.
  await page.locator("dl .stat").first().getByRole("link").click();
  await page.waitForURL(/\/dashboard\/usage/);
  await page.getByRole("navigation", { name: "Group by" }).getByRole("link", { name: "Person" }).click();
  const people = page.locator('table[data-table="usage"] tbody tr');
  await expect(people.first()).toContainText("Spendthrift");
  await expect(people).toHaveCount(2);
  // The person's requests are linked from the table and from a bar of the chart.
  await people.first().getByTitle("Show these requests").click();
  await page.waitForURL(/\/dashboard\/request-log\?.*user=\d+/);
  const requests = page.locator('table[data-table="request-log"] tbody tr');
  await expect(requests).toHaveCount(4);
  await page.goBack();
  // A part of a bar links to the requests of its day and person; the first part is that of the highest spend.
  await page.locator("figure a rect").first().click();
  await page.waitForURL(/\/dashboard\/request-log\?.*since=\d{4}-\d\d-\d\d.*user=\d+/);
  await expect(requests).toHaveCount(4);
  await expect(page.locator(".chip", { hasText: "Spendthrift" })).toBeVisible();
  await requests.first().getByRole("link").first().click();
  await page.waitForURL(/\/dashboard\/request-log\/[\da-f-]{36}/);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expectUsable(page);
});
