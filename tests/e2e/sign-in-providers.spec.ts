import { expect, test } from "@playwright/test";
import { type IdentityProvider, startIdentityProvider } from "../support/identity-provider";
import { seriousProblems } from "./accessibility";
import { freePort, type Portal, startPortal } from "./portal";

let portal: Portal & { stop(): Promise<void> };
const providers: IdentityProvider[] = [];

test.beforeAll(async () => {
  test.setTimeout(120_000);
  const port = await freePort();
  const env: Record<string, string> = { PORT: String(port) };
  for (const [letter, label] of [
    ["A", "Acme ID"],
    ["B", "Globex"],
  ] as const) {
    const callback = `http://localhost:${port}/oauth/idp-${letter.toLowerCase()}/login/callback/`;
    const provider = await startIdentityProvider({ redirectUris: [callback] });
    providers.push(provider);
    env[`IDP_${letter}_ISSUER`] = provider.issuer;
    env[`IDP_${letter}_CLIENT_ID`] = provider.clientId;
    env[`IDP_${letter}_CLIENT_SECRET`] = provider.clientSecret;
    env[`IDP_${letter}_LABEL`] = label;
  }
  portal = await startPortal(env);
});

test.afterAll(async () => {
  await portal?.stop();
  for (const provider of providers) await provider.close();
});

for (const [at, label, javaScriptEnabled] of [
  [0, "Acme ID", true],
  [1, "Globex", false],
] as const) {
  test(`with ${label}: terms once, then straight in${javaScriptEnabled ? "" : ", at 360 px without script"}`, async ({
    browser,
  }) => {
    const email = `grace-${at}@acme.example`;
    providers[at]?.signInAs({ sub: `grace-${at}`, email, email_verified: true, name: "Grace" });
    const viewport = javaScriptEnabled ? { width: 1280, height: 860 } : { width: 360, height: 740 };
    const context = await browser.newContext({ viewport, javaScriptEnabled });
    const page = await context.newPage();
    const refused: string[] = [];
    page.on("console", (message) => /Content.Security.Policy/i.test(message.text()) && refused.push(message.text()));
    await page.goto(`${portal.url}/login?next=%2Fdashboard%2Fget-started`);
    await page.getByRole("link", { name: `Sign in with ${label}` }).click();
    await expect(page.getByRole("heading", { name: "One more step" })).toBeVisible();
    await expect(page.getByText(email)).toBeVisible();
    if (javaScriptEnabled) expect(await seriousProblems(page)).toEqual([]);
    await page.getByRole("checkbox").check();
    await page.getByRole("button", { name: `Create account with ${label}` }).click();
    await expect(page).toHaveURL(/\/dashboard\/get-started$/);
    await expect(page.getByText(/gw_[0-9A-Za-z]{40,}/).first()).toBeVisible();
    expect(refused).toEqual([]);
    await context.close();

    const again = await (await browser.newContext({ viewport, javaScriptEnabled })).newPage();
    await again.goto(`${portal.url}/login`);
    await again.getByRole("link", { name: `Sign in with ${label}` }).click();
    await expect(again).toHaveURL(/\/dashboard$/);
    await again.context().close();
  });
}

test("somebody who declines is back on the sign-in page and told so", async ({ page }) => {
  providers[0]?.signInAs(null);
  await page.goto(`${portal.url}/login`);
  await page.getByRole("link", { name: "Sign in with Acme ID" }).click();
  await expect(page.getByRole("alert")).toContainText("did not sign you in");
  await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
});
