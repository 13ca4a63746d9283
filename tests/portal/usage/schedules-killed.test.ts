import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { freshDatabase } from "../../support/database";
import { mailsTo, type Portal, startPortal } from "../../support/portal";

/** Progress of a period's runs when the process is killed. Each round kills at another time after the stage. */
const STAGES = [
  ["the times have come", "true"],
  ["runs have begun", "EXISTS (SELECT FROM runs)"],
  ["a file is under way or written", "EXISTS (SELECT FROM runs WHERE export_status <> 'queued')"],
  ["a run has ended", "EXISTS (SELECT FROM runs WHERE status <> 'running')"],
] as const;
// ROUNDS=5 tests twenty kills.
const ROUNDS = Number(process.env.ROUNDS ?? 1);
const PEOPLE = 3;
const JOBS = ["run-report-schedules", "write-exports", "deliver-reports"];

/** Query part: the runs of a period with their files. */
const RUNS = `WITH runs AS (
  SELECT n.status, e.status AS export_status FROM report_schedule_run n LEFT JOIN report_export e ON e.id = n.export_id
   WHERE n.period = $1)`;

/** Creates a person with a scheduled report. */
async function aReader(gw: Portal): Promise<string> {
  const { browser, person } = await gw.signInAs("member");
  const json = { headers: { accept: "application/json", "content-type": "application/json" } };
  const post = (path: string, body: object) =>
    browser.fetch(path, { method: "POST", ...json, body: JSON.stringify(body) });
  const saved = await post("/dashboard/reports", { name: "Spend" });
  const { id } = await saved.json();
  const schedule = { report_id: String(id), cadence: "daily", zone: "UTC", by_mail: "on" };
  expect((await post("/dashboard/reports/schedules", schedule)).status).toBe(200);
  return person.email;
}

test(`each period of a schedule has one run and one mail, at whichever of ${STAGES.length * ROUNDS} moments the process is killed`, async () => {
  const database = await freshDatabase();
  const env = { GW_SECRET: "a-secret-of-both-processes-0123456789abcdef" };
  let gw = await startPortal({ database, env });
  try {
    const readers: string[] = [];
    for (let at = 0; at < PEOPLE; at += 1) readers.push(await aReader(gw));
    const periods: Date[] = [];
    for (let round = 0; round < ROUNDS; round += 1)
      for (const [stage, reached] of STAGES) {
        const [{ period }] = await gw.sql("SELECT date_trunc('second', now()) AS period");
        periods.push(period);
        await gw.sql("UPDATE report_schedule SET next_run_at = $1", [period]);
        await gw.sql("UPDATE job SET next_run_at = now() WHERE name = ANY ($1)", [JOBS]);
        const isReached = async () => (await gw.sql(`${RUNS} SELECT ${reached} AS is`, [period]))[0].is;
        await expect.poll(isReached, { message: stage, timeout: 30_000, interval: 2 }).toBe(true);
        await pause(round * 7 + Math.random() * 20);
        const { dataDir, adminKey } = gw.gateway;
        await gw.gateway.kill("SIGKILL");
        gw = await startPortal({ database, dataDir, adminKey, env });
        // End the leases of the dead process now, so that the test need not wait for them.
        await gw.sql("UPDATE job SET lease_until = now() WHERE lease_owner IS NOT NULL");
        await gw.sql("UPDATE job SET next_run_at = now() WHERE name = ANY ($1)", [JOBS]);
        const ended = async () =>
          (await gw.sql(`${RUNS} SELECT count(*)::int AS n FROM runs WHERE status = 'done'`, [period]))[0].n;
        await expect.poll(ended, { message: stage, timeout: 60_000, interval: 50 }).toBe(PEOPLE);
      }
    const counted = await gw.sql(
      `SELECT n.period, count(*)::int AS runs, count(DISTINCT n.schedule_id)::int AS schedules
         FROM report_schedule_run n WHERE n.status = 'done' GROUP BY 1 ORDER BY 1`,
    );
    expect(counted).toEqual(periods.map((period) => ({ period, runs: PEOPLE, schedules: PEOPLE })));
    // Delivery is at least once, and an interrupted delivery waits before its retry. The outbox has each email once.
    const [mails] = await gw.sql("SELECT count(*)::int AS n FROM mail WHERE kind = 'scheduled_report'");
    expect(mails).toEqual({ n: PEOPLE * periods.length });
    await gw.sql("UPDATE mail SET next_try_at = now() WHERE sent_at IS NULL");
    const { dataDir } = gw.gateway;
    for (const reader of readers)
      await expect
        .poll(async () => (await mailsTo(dataDir, reader)).length, { timeout: 30_000 })
        .toBeGreaterThanOrEqual(periods.length);
  } finally {
    await gw.close();
    await database.close();
  }
}, 400_000);
