import { db } from "~/connection/db.server";
import {
  beginScheduledRuns,
  createExport,
  createReport,
  createSchedule,
  deliverScheduledRuns,
  listScheduleRuns,
  purgeExports,
  reviewRun,
  writeExports,
} from "~/domain/reports/index.server";
import type { ReportRequest } from "~/domain/reports/shared";
import { leaderOf, type SeededOrganisation } from "./people";

const KEPT_EXPORTS = 1_000;
/** The newest runs stay unread, for the demo's visitor. */
const LEFT_TO_REVIEW = 2;

/** Saves reports of an organisation's leader, one with a daily schedule, and one report of a member. */
export async function saveReports(organisation: SeededOrganisation): Promise<void> {
  const leader = leaderOf(organisation);
  const spend: ReportRequest = { range: "7d", group: "model", interval: "day", charged_usd: true, requests: true };
  const reportId = await createReport(db(), leader, {
    name: "Spend by model and day",
    visibility: "organisation",
    question: "range=7d&group=model&interval=day&charged_usd=on&requests=on",
  });
  await createReport(db(), leader, {
    name: "Errors by supplier",
    visibility: "private",
    question: "range=30d&group=supplier&requests=on&errors=on&failovers=on",
  });
  const member = organisation.people.find(({ role }) => role === "member")?.actor;
  if (member !== undefined)
    await createReport(db(), member, {
      name: "My tokens",
      visibility: member.departmentId === null ? "private" : "department",
      question: "range=30d&group=key&input_tokens=on&output_tokens=on",
    });
  await createSchedule(db(), leader, {
    reportId,
    asked: spend,
    cadence: "daily",
    cron: "",
    zone: "Europe/Berlin",
    format: "xlsx",
    byMail: true,
    byWebhook: false,
  });
}

/** Runs the jobs for due schedules. People of the demo have no mailbox, so nothing is sent. */
export async function runReports(): Promise<void> {
  const { signal } = new AbortController();
  await beginScheduledRuns(db(), signal);
  await writeExports(db(), signal);
  await deliverScheduledRuns(db(), async () => undefined, signal);
  await purgeExports(db(), KEPT_EXPORTS);
}

/** Marks the runs of an organisation's schedules as reviewed, except the newest, and requests one more export. */
export async function openReports(organisation: SeededOrganisation): Promise<void> {
  const leader = leaderOf(organisation);
  const runs = await listScheduleRuns(db(), leader);
  for (const { id } of runs.slice(LEFT_TO_REVIEW)) await reviewRun(db(), leader, id);
  const [report] = await db().$queryRaw<{ id: number }[]>`
    SELECT id FROM saved_report WHERE user_id = ${leader.userId} ORDER BY id LIMIT 1`;
  if (report === undefined) return;
  await createExport(db(), leader, { reportId: report.id, asked: { range: "30d" }, format: "csv" });
  await runReports();
}
