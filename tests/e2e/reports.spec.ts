import { expect } from "@playwright/test";
import { hashPassword } from "~/domain/accounts/passwords/password";
import { addOrganisation } from "../support/people";
import { expectUsable } from "./accessibility";
import { test } from "./portal";

test.setTimeout(240_000);

const DAY_MS = 86_400_000;
const KEYS = 1_500;
const PASSWORD = "mehrere Wörter und ein halbes";

test("build a report, cancel an export half-way, download one, schedule it, receive it and review the run", async ({
  browser,
  portal,
}) => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const organisationId = await addOrganisation(portal.sql, "Reporting Ltd");
  const person = await portal.signInAs(context, "member", { organisationId });
  const page = await context.newPage();
  const look = async (name: string) => {
    for (const width of [360, 1280])
      for (const colorScheme of ["dark", "light"] as const) {
        await page.setViewportSize({ width, height: 900 });
        await page.emulateMedia({ colorScheme });
        await expectUsable(page);
        if (process.env.LOOK)
          await page.screenshot({ path: `${process.env.LOOK}/${name}-${width}-${colorScheme}.png`, fullPage: true });
      }
  };
  await page.goto(`${portal.url}/dashboard/reports`);
  await page.getByLabel("Rows", { exact: true }).selectOption({ label: "By day" });
  await page.getByRole("button", { name: "Apply" }).click();
  await page.getByRole("textbox", { name: "Name", exact: true }).fill("Spend by day");
  await page.getByRole("button", { name: "Save report" }).click();
  await expect(page.getByRole("heading", { name: "Spend by day" })).toBeVisible();
  await look("report");

  // An hourly export of many keys takes long enough to observe while it is written.
  const since = new Date(Math.floor(Date.now() / DAY_MS - 20) * DAY_MS);
  await portal.sql(
    `INSERT INTO usage_hour (hour, organisation_id, key_id, user_id, department_id, project_id, model, supplier, region, requests, charged, cost,
                             errors, failovers, routed, input_tokens, cached_input_tokens, cache_write_tokens, output_tokens, reasoning_tokens,
                             saved, latency_ms, first_byte_ms, first_bytes)
     SELECT $1::timestamptz + h * interval '1 hour', $2, 1000000 + k, $3, 0, 0, 'm', 's', 'r', 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
       FROM generate_series(0, 167) h, generate_series(1, $4::int) k`,
    [since, organisationId, person.userId, KEYS],
  );
  const day = (at: Date) => at.toISOString().slice(0, 10);
  const until = new Date(since.getTime() + 6 * DAY_MS);
  await page.goto(
    `${portal.url}/dashboard/reports?since=${day(since)}&until=${day(until)}&interval=hour&group=key&requests=on`,
  );
  await page.getByRole("textbox", { name: "Name", exact: true }).fill("Every key by the hour");
  await page.getByRole("button", { name: "Save report" }).click();
  await page.getByRole("button", { name: "Export", exact: true }).click();
  await expect(page.getByText("Export started.")).toBeVisible();
  const share = page.getByText(/^[1-9]\d?%$/);
  await expect(async () => {
    await page.reload();
    await expect(share).toBeVisible({ timeout: 50 });
  }).toPass({ timeout: 60_000, intervals: [50] });
  await page.getByRole("button", { name: "Cancel", exact: true }).click();
  await expect(page.getByText("Export cancelled.")).toBeVisible();
  await expect(page.getByText("Cancelled", { exact: true })).toBeVisible();
  const pieces = "SELECT 1 FROM report_export_piece p JOIN report_export e ON e.id = p.export_id WHERE e.user_id = $1";
  await expect.poll(() => portal.sql(pieces, [person.userId])).toEqual([]);

  await page.getByRole("link", { name: "Spend by day", exact: true }).click();
  await page.getByLabel("Format").first().selectOption("xlsx");
  await page.getByRole("button", { name: "Export", exact: true }).click();
  const file = page.getByRole("link", { name: "Download Spend by day" });
  await expect(async () => {
    await page.reload();
    await expect(file).toBeVisible({ timeout: 3_000 });
  }).toPass({ timeout: 60_000 });
  const download = page.waitForEvent("download");
  await file.click();
  expect((await download).suggestedFilename()).toMatch(/^report-\d{4}-\d\d-\d\d\.xlsx$/);

  await page.getByLabel("Frequency").selectOption({ label: "Every Monday at 08:00" });
  await page.getByRole("button", { name: "Schedule this report" }).click();
  await expect(page.getByText("Report scheduled.")).toBeVisible();
  await portal.sql("UPDATE report_schedule SET next_run_at = now() WHERE user_id = $1", [person.userId]);
  const review = page.getByRole("button", { name: "Mark as reviewed" });
  await expect(async () => {
    await page.goto(`${portal.url}/dashboard/reports`);
    await expect(review).toBeVisible({ timeout: 3_000 });
  }).toPass({ timeout: 30_000 });
  await look("reports");
  await review.click();
  await expect(page.getByText("Reviewed", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Disable" }).click();
  await expect(page.getByText("Schedule disabled.")).toBeVisible();
});

test("a schedule that is refused, or held back until one has signed in, stays as it was typed", async ({
  browser,
  portal,
}) => {
  const context = await browser.newContext({ locale: "de-DE" });
  const { email, userId } = await portal.signInAs(context, "member");
  await portal.sql("UPDATE app_user SET password_hash = $2 WHERE id = $1", [userId, await hashPassword(PASSWORD)]);
  const page = await context.newPage();
  await page.goto(`${portal.url}/dashboard/reports`);
  await page.getByRole("textbox", { name: "Name", exact: true }).fill("Wöchentlich");
  await page.getByRole("button", { name: "Bericht speichern" }).click();
  await page.getByLabel("Häufigkeit").selectOption("custom");
  await page.getByLabel("Muster").fill("0 7 * * 1");
  await page.getByLabel("Zeitzone").fill("Europe/Berln");
  await page.getByLabel("Format").last().selectOption("xlsx");
  await page.getByRole("checkbox").first().uncheck();
  const expectTyped = async (zone: string) => {
    await expect(page.getByLabel("Häufigkeit")).toHaveValue("custom");
    await expect(page.getByLabel("Muster")).toHaveValue("0 7 * * 1");
    await expect(page.getByLabel("Zeitzone")).toHaveValue(zone);
    await expect(page.getByLabel("Format").last()).toHaveValue("xlsx");
    await expect(page.getByRole("checkbox").first()).not.toBeChecked();
  };
  await page.getByRole("button", { name: "Diesen Bericht planen" }).click();
  await expect(page.locator("#new-schedule [role=alert] a")).toContainText("Geben Sie eine Zeitzone");
  await expectTyped("Europe/Berln");
  await page.getByLabel("Zeitzone").fill("Europe/Berlin");
  await portal.sql("DELETE FROM session WHERE user_id = $1", [userId]);
  await page.getByRole("button", { name: "Diesen Bericht planen" }).click();
  await page.getByLabel("E-Mail-Adresse").fill(email);
  await page.getByLabel("Passwort", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Anmelden", exact: true }).click();
  await expect(page.getByText("Ihre Eingaben sind wieder da.")).toBeVisible();
  await expectTyped("Europe/Berlin");
  await page.getByRole("button", { name: "Diesen Bericht planen" }).click();
  await expect(page.getByRole("region", { name: "Zeitpläne" })).toContainText("0 7 * * 1");
  await context.close();
});
