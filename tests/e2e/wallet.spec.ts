import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { type BrowserContext, expect, type Page } from "@playwright/test";
import { addOrganisation } from "../support/people";
import { StandInProcessor } from "../support/stand-in-processor";
import type { Thing } from "../support/stand-in-processor/state";
import { expectUsable } from "./accessibility";
import { type Portal, startPortal, test } from "./portal";

test.setTimeout(240_000);

const CHECKOUT = "https://checkout.stripe.com";
const processor = new StandInProcessor();
processor.state.checkout = CHECKOUT;
const received: { type: string }[] = [];
let receiver: Server;
let portal: Portal & { stop(): Promise<void> };

test.beforeAll(async () => {
  receiver = createServer((request, response) => {
    let body = "";
    request.on("data", (part) => (body += part));
    request.on("end", () => {
      received.push(JSON.parse(body));
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((listening) => receiver.listen(0, "127.0.0.1", listening));
  portal = await startPortal({
    ...processor.environment(await processor.start()),
    GW_ALLOW_PRIVATE_WEBHOOKS: "true",
  });
});
test.afterAll(async () => {
  await portal?.stop();
  await processor.close();
  receiver?.close();
});

async function anAdmin(context: BrowserContext, organisation: string) {
  const organisationId = await addOrganisation(portal.sql, organisation);
  const person = await portal.signInAs(context, "org_admin", { organisationId });
  return { person, page: await context.newPage() };
}

/** Chooses ten dollars and goes to the processor's page. Returns the id of its session. */
async function checkOut(page: Page): Promise<string> {
  await page.goto(`${portal.url}/dashboard/billing`);
  await page.getByRole("link", { name: "Add funds" }).click();
  await page.getByRole("link", { name: "$10.00" }).click();
  await page.getByRole("button", { name: "Continue to payment" }).click();
  await expect(page.getByRole("heading", { name: "Pay here" })).toBeVisible();
  return page.url().split("/").at(-1) as string;
}

const returnFrom = (sessionId: string) =>
  (processor.state.things.get(sessionId) as Thing).success_url.replace(/^https?:\/\/[^/]+/, portal.url);

const newKey = (page: Page, body: object): Promise<string> =>
  page.evaluate(async (body) => {
    const headers = { "content-type": "application/json", accept: "application/json" };
    const made = await fetch("/dashboard/keys/new", { method: "POST", headers, body });
    return (await made.json()).key;
  }, JSON.stringify(body));

const call = (key: string): Promise<Response> =>
  fetch(`${portal.url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "sandbox-chat", messages: [{ role: "user", content: "Hello" }] }),
  });

test("a person funds the wallet, spends of it, is refunded, owes what is spent, and repays it with the next payment", async ({
  browser,
}) => {
  const context = await browser.newContext();
  await context.route(`${CHECKOUT}/**`, (route) =>
    route.fulfill({ body: "<h1>Pay here</h1>", contentType: "text/html" }),
  );
  const { page } = await anAdmin(context, "Refunded Ltd");
  const first = await checkOut(page);
  await page.goto(returnFrom(first));
  await expect(page.getByText("Waiting for the payment processor")).toBeVisible();
  await expect(page.getByRole("link", { name: "Check again" })).toBeVisible();
  await processor.deliver(portal.url, processor.state.pay(first));
  await expect(page.getByText("$10.00 added to the wallet")).toBeVisible({ timeout: 15_000 });

  const key = await newKey(page, { name: "Spends" });
  expect((await call(key)).status).toBe(200);
  const ledger = page.locator("#ledger");
  const wallet = async () => {
    await page.goto(`${portal.url}/dashboard/billing`);
    return (await page.locator("main").textContent()) ?? "";
  };
  await expect.poll(wallet).toContain("1 request");
  const spent = /−(\$0\.0\d+)/.exec(await wallet())?.[1] as string;

  await processor.deliver(portal.url, processor.state.refund(first, 1_000));
  await expect.poll(wallet, { timeout: 15_000 }).toContain("Owed");
  await expect(page.locator(".stat", { hasText: "Owed" })).toContainText(spent.replace(/0+$/, ""));
  await expect(ledger).toContainText("Refunded to the card");
  expect((await call(key)).status).toBe(403);

  const second = await checkOut(page);
  await processor.deliver(portal.url, processor.state.pay(second));
  await page.goto(returnFrom(second));
  await expect(page.getByText("$10.00 added to the wallet")).toBeVisible({ timeout: 15_000 });
  expect(await wallet()).not.toContain("Owed");
  await ledger.getByLabel("Entry").selectOption("topup");
  await expect(ledger.locator("tbody tr")).toHaveCount(2);
  await ledger.getByRole("link", { name: "Paid by card" }).first().click();
  await expect(page.locator("#payment")).toContainText("$10.00");
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    for (const colorScheme of ["dark", "light"] as const) {
      await page.emulateMedia({ colorScheme });
      for (const [name, path] of Object.entries(PAGES)) {
        await page.goto(`${portal.url}${path}`);
        await expectUsable(page);
        const picture = `${process.env.LOOK}/${name}-${width}-${colorScheme}.png`;
        if (process.env.LOOK) await page.screenshot({ path: picture, fullPage: true });
      }
    }
  }
  await context.close();
});

const PAGES = { wallet: "/dashboard/billing?kind=topup&minimum=1", entry: "/dashboard/billing/ledger/1" };

test("an alert about a budget arrives by email and by webhook", async ({ browser }) => {
  const context = await browser.newContext();
  const { page, person } = await anAdmin(context, "Alerted Ltd");
  await page.goto(`${portal.url}/dashboard/budgets/alerts`);
  await page.getByRole("button", { name: "Turn on alerts" }).click();
  await expect(page.getByText("Alerts are on.")).toBeVisible();
  const { port } = receiver.address() as AddressInfo;
  await page.getByLabel("Address").fill(`http://127.0.0.1:${port}/alerts`);
  await page.getByRole("button", { name: "Save webhook" }).click();
  await expect(page.getByText("Webhook saved.")).toBeVisible();

  const key = await newKey(page, { name: "Tiny budget", budget_limit: "0.000000001", budget_period: "daily" });
  expect((await call(key)).status).toBe(429);
  await expect.poll(() => received.map(({ type }) => type), { timeout: 30_000 }).toContain("budget.refusing");
  expect((await portal.mail(person.email)).subject).toBe("Out of budget: Tiny budget");
  await page.goto(`${portal.url}/dashboard/budgets/alerts`);
  await expect(page.getByRole("cell", { name: "Out of budget: requests are rejected" }).first()).toBeVisible();
  await context.close();
});
