import { expect } from "@playwright/test";
import { expectUsable } from "./accessibility";
import { test } from "./portal";

test.setTimeout(90_000);

test("run a job by keyboard, at 360 px in the dark and on a wide screen", async ({ browser, portal }) => {
  const context = await browser.newContext({ viewport: { width: 360, height: 780 }, colorScheme: "dark" });
  await portal.signInAs(context, "platform_admin");
  const page = await context.newPage();
  await page.goto(`${portal.url}/dashboard/admin/jobs`);
  await expect(page.getByText("No runs to show yet")).toBeVisible();
  await expectUsable(page);

  const purge = page.getByRole("row", { name: /Purge credential events/ });
  await purge.getByText("Details").focus();
  await page.keyboard.press("Enter");
  await purge.getByRole("button", { name: "Run now" }).focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Run “Purge credential events” now?" });
  await expect(dialog).toBeVisible();
  await expectUsable(page);
  await dialog.getByRole("button", { name: "Run now" }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByText("The job will start within a second.")).toBeVisible();
  await expect(async () => {
    await page.goto(`${portal.url}/dashboard/admin/jobs?job=purge-token-events`);
    await expect(page.getByText("Started by hand", { exact: true })).toBeVisible({ timeout: 500 });
  }).toPass({ timeout: 10_000 });

  await portal.sql(
    `INSERT INTO job_run (job, requested, process, started_at, finished_at, result, handled, error)
     SELECT 'release-expired-holds', n % 7 = 0, 'gw-production-eu-west-1-' || n % 3 || '-4711-a1b2c3', now() - n * interval '7 minutes',
            now() - n * interval '7 minutes' + n * interval '37 milliseconds',
            (ARRAY['succeeded', 'succeeded', 'failed', 'timed_out', 'interrupted', 'abandoned'])[n % 6 + 1], n * 31,
            CASE n % 6 WHEN 2 THEN 'canceling statement due to statement timeout while updating a tuple in a relation with a long name' ELSE '' END
       FROM generate_series(1, 70) n`,
  );
  await portal.sql(
    "UPDATE job SET succeeded_at = now() - interval '2 days', failures = 3, result = 'failed', error = 'no space left' WHERE name = 'purge-emails'",
  );
  for (const width of [360, 1280]) {
    for (const colorScheme of ["dark", "light"] as const) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      await page.goto(`${portal.url}/dashboard/admin/jobs`);
      await expectUsable(page);
      if (process.env.LOOK)
        await page.screenshot({ path: `${process.env.LOOK}/jobs-${width}-${colorScheme}.png`, fullPage: true });
    }
  }
  await page.getByRole("link", { name: "Older" }).click();
  await expect(page.getByRole("link", { name: "Newer" })).toBeVisible();
});
