import type { Db } from "~/connection/db.server";
import type { Viewpoint } from "~/domain/accounts/shared";
import type { ExportFormat, ReportRequest, ReportSchedule, ScheduleRun } from "./shared";

/** Locks a person, so that parallel requests wait. Returns the number of their active schedules. */
export async function lockSchedulesOf(tx: Db, userId: number): Promise<number> {
  await tx.$queryRaw`SELECT id FROM app_user WHERE id = ${userId}::int FOR NO KEY UPDATE`;
  const [row] = await tx.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM report_schedule WHERE user_id = ${userId}::int AND disabled_because IS NULL`;
  return row?.count ?? 0;
}

export type NewSchedule = {
  reportId: number;
  asked: ReportRequest;
  format: ExportFormat;
  cron: string;
  zone: string;
  byMail: boolean;
  byWebhook: boolean;
  nextRunAt: Date;
};

export async function insertSchedule(tx: Db, actor: Viewpoint, row: NewSchedule): Promise<number> {
  const [made] = await tx.$queryRaw<{ id: number }[]>`
    INSERT INTO report_schedule (user_id, organisation_id, report_id, role, department_id, admin_mode, admin_organisation_id, asked, format,
                                 cron, zone, by_mail, by_webhook, next_run_at)
    VALUES (${actor.userId}::int, ${actor.organisationId}::int, ${row.reportId}::int, ${actor.role}, ${actor.departmentId}::int,
            ${actor.adminMode}, ${actor.adminOrganisationId}::int, ${JSON.stringify(row.asked)}::jsonb, ${row.format}, ${row.cron},
            ${row.zone}, ${row.byMail}, ${row.byWebhook}, ${row.nextRunAt})
    RETURNING id`;
  return made!.id;
}

export const findSchedules = (db: Db, userId: number, limit: number): Promise<Omit<ReportSchedule, "next">[]> =>
  db.$queryRaw`
    SELECT s.id, s.report_id AS "reportId", r.name, s.format, s.cron, s.zone, s.by_mail AS "byMail", s.by_webhook AS "byWebhook",
           s.disabled_because AS "disabledBecause", s.next_run_at AS "nextRunAt"
      FROM report_schedule s JOIN saved_report r ON r.id = s.report_id
     WHERE s.user_id = ${userId}::int ORDER BY s.disabled_because IS NOT NULL, s.id DESC LIMIT ${limit}::int`;

export const findScheduleRuns = (db: Db, userId: number, limit: number): Promise<ScheduleRun[]> =>
  db.$queryRaw`
    SELECT n.id, n.schedule_id AS "scheduleId", r.name, n.period, n.status, n.problem, n.row_count AS rows, n.bytes,
           n.duration_ms AS "durationMs", n.reviewed_at AS "reviewedAt",
           CASE WHEN e.status = 'done' AND e.expires_at > app_now() THEN e.id END AS "exportId"
      FROM report_schedule_run n JOIN report_schedule s ON s.id = n.schedule_id JOIN saved_report r ON r.id = s.report_id
      LEFT JOIN report_export e ON e.id = n.export_id
     WHERE s.user_id = ${userId}::int ORDER BY n.id DESC LIMIT ${limit}::int`;

/** Disables a person's own schedule and returns the report's name; null: the person has no such schedule. */
export async function putDisabled(tx: Db, userId: number, id: number): Promise<{ name: string } | null> {
  const [row] = await tx.$queryRaw<{ name: string }[]>`
    UPDATE report_schedule s SET disabled_because = coalesce(disabled_because, 'person'), next_run_at = NULL
      FROM saved_report r WHERE s.id = ${id}::int AND s.user_id = ${userId}::int AND r.id = s.report_id RETURNING r.name`;
  return row ?? null;
}

/** Marks a person's own run as reviewed and returns the report's name; null: the person has no such run. */
export async function putReviewed(tx: Db, userId: number, id: number): Promise<{ name: string } | null> {
  const [row] = await tx.$queryRaw<{ name: string }[]>`
    UPDATE report_schedule_run n SET reviewed_at = coalesce(n.reviewed_at, app_now())
      FROM report_schedule s, saved_report r
     WHERE n.id = ${id}::int AND s.id = n.schedule_id AND s.user_id = ${userId}::int AND r.id = s.report_id
       AND n.status <> 'running' RETURNING r.name`;
  return row ?? null;
}

export type DueSchedule = {
  id: number;
  userId: number;
  organisationId: number;
  /** The report's name. */
  name: string;
  cron: string;
  zone: string;
  period: Date;
  hasAccess: boolean;
};

/** Locks due schedules that no other process has locked, until the transaction ends. */
export const lockDue = (tx: Db, limit: number): Promise<DueSchedule[]> =>
  tx.$queryRaw`
    SELECT s.id, s.user_id AS "userId", s.organisation_id AS "organisationId", r.name, s.cron, s.zone, s.next_run_at AS period,
           u.status = 'active' AND u.organisation_id = s.organisation_id AND u.role = s.role
             AND u.department_id IS NOT DISTINCT FROM s.department_id
             AND (r.user_id = u.id OR (r.organisation_id = u.organisation_id AND (r.visibility = 'organisation'
                  OR (r.visibility = 'department' AND r.department_id = u.department_id)))) AS "hasAccess"
      FROM report_schedule s JOIN app_user u ON u.id = s.user_id JOIN saved_report r ON r.id = s.report_id
     WHERE s.next_run_at <= app_now() ORDER BY s.next_run_at, s.id LIMIT ${limit}::int FOR NO KEY UPDATE OF s SKIP LOCKED`;

export type BegunRun = { scheduleId: number; period: Date; exportId: string | null; next: Date | null };

/**
 * Inserts the runs of locked schedules, with an export for each run that has an export id, and sets the next times. Runs without an export
 * fail for lack of access, and their schedules are disabled.
 */
export async function beginRuns(tx: Db, runs: readonly BegunRun[]): Promise<void> {
  const answers = JSON.stringify(
    runs.map(({ scheduleId, period, exportId, next }) => ({ id: scheduleId, period, export_id: exportId, next })),
  );
  await tx.$executeRaw`
    WITH given AS (
      SELECT * FROM jsonb_to_recordset(${answers}::jsonb) AS g (id int, period timestamptz, export_id text, next timestamptz)
    ), written AS (
      INSERT INTO report_export (id, user_id, organisation_id, report_id, name, asked, as_of, admin_mode, admin_organisation_id, format, scheduled)
      SELECT g.export_id, s.user_id, s.organisation_id, s.report_id, r.name, s.asked, g.period, s.admin_mode, s.admin_organisation_id, s.format, true
        FROM given g JOIN report_schedule s ON s.id = g.id JOIN saved_report r ON r.id = s.report_id WHERE g.export_id IS NOT NULL
    ), begun AS (
      INSERT INTO report_schedule_run (schedule_id, period, export_id, webhook)
      SELECT g.id, g.period, g.export_id, CASE WHEN s.by_webhook THEN 'waiting' ELSE 'none' END
        FROM given g JOIN report_schedule s ON s.id = g.id
    )
    UPDATE report_schedule s SET next_run_at = g.next,
           disabled_because = CASE WHEN g.export_id IS NULL THEN 'no_access' ELSE s.disabled_because END
      FROM given g WHERE s.id = g.id`;
}

/** A run whose export has ended, with its recipient. */
export type EndedRun = {
  id: number;
  exportId: string | null;
  status: "done" | "failed";
  name: string;
  rows: number;
  email: string;
  personName: string;
  language: string | null;
  organisationId: number;
  /** Whether the person wants an email and can sign in. */
  byMail: boolean;
};

/** Ends runs whose exports have ended or were deleted. Each run is returned to one transaction only. */
export const endRuns = (tx: Db, limit: number): Promise<EndedRun[]> =>
  tx.$queryRaw`
    WITH over AS (
      SELECT n.id FROM report_schedule_run n LEFT JOIN report_export e ON e.id = n.export_id
       WHERE n.status = 'running' AND (e.id IS NULL OR e.status NOT IN ('queued', 'running'))
       ORDER BY n.id LIMIT ${limit}::int FOR NO KEY UPDATE OF n SKIP LOCKED
    )
    UPDATE report_schedule_run n
       SET status = CASE WHEN e.status = 'done' THEN 'done' ELSE 'failed' END,
           problem = CASE WHEN e.id IS NULL THEN 'no_access' WHEN e.status = 'cancelled' THEN 'cancelled' ELSE e.problem END,
           row_count = coalesce(e.row_count, 0), bytes = coalesce(e.bytes, 0), finished_at = app_now(),
           duration_ms = (extract(epoch FROM e.finished_at - e.started_at) * 1000)::int,
           webhook_at = CASE WHEN n.webhook = 'waiting' THEN app_now() END
      FROM over JOIN report_schedule_run m ON m.id = over.id JOIN report_schedule s ON s.id = m.schedule_id
      JOIN saved_report r ON r.id = s.report_id JOIN app_user u ON u.id = s.user_id LEFT JOIN report_export e ON e.id = m.export_id
     WHERE n.id = over.id
    RETURNING n.id, n.export_id AS "exportId", n.status, r.name, n.row_count AS rows, u.email, u.name AS "personName", u.language,
              u.organisation_id AS "organisationId",
              (s.by_mail OR n.status = 'failed') AND u.status = 'active' AS "byMail"`;

export type WaitingCall = {
  id: number;
  userId: number;
  exportId: string | null;
  status: string;
  problem: string | null;
  name: string;
  period: Date;
  rows: number;
  bytes: bigint;
  sha256: string | null;
};

/** Reserves runs with due webhooks for a minute. If the process crashes meanwhile, they are repeated. */
export const takeCalls = (db: Db, limit: number): Promise<WaitingCall[]> =>
  db.$queryRaw`
    WITH due AS (
      SELECT id FROM report_schedule_run WHERE webhook = 'waiting' AND webhook_at <= app_now()
       ORDER BY webhook_at LIMIT ${limit}::int FOR NO KEY UPDATE SKIP LOCKED
    )
    UPDATE report_schedule_run n SET webhook_at = app_now() + interval '1 minute', webhook_attempts = n.webhook_attempts + 1
      FROM due JOIN report_schedule_run m ON m.id = due.id JOIN report_schedule s ON s.id = m.schedule_id
      JOIN saved_report r ON r.id = s.report_id LEFT JOIN report_export e ON e.id = m.export_id
     WHERE n.id = due.id
    RETURNING n.id, s.user_id AS "userId", n.export_id AS "exportId", n.status, n.problem, r.name, n.period, n.row_count AS rows, n.bytes, e.sha256`;

const MAX_ATTEMPTS = 12;

/** Records a webhook's result. A failed one is retried up to twelve times, with a delay that doubles up to an hour. */
export async function putCall(db: Db, id: number, wentWell: boolean): Promise<void> {
  await db.$executeRaw`
    UPDATE report_schedule_run SET webhook = CASE WHEN ${wentWell} THEN 'sent' WHEN webhook_attempts >= ${MAX_ATTEMPTS}::int THEN 'dead' ELSE 'waiting' END,
           webhook_at = CASE WHEN ${wentWell} OR webhook_attempts >= ${MAX_ATTEMPTS}::int THEN NULL
                             ELSE app_now() + least(interval '1 hour', interval '5 seconds' * power(2, webhook_attempts)) END
     WHERE id = ${id}::int`;
}

/** Deletes runs older than `days`. Returns the number. */
export const deleteRuns = (db: Db, maximum: number, days: number): Promise<number> =>
  db.$executeRaw`
    DELETE FROM report_schedule_run WHERE id IN (
      SELECT id FROM report_schedule_run WHERE created_at < app_now() - make_interval(days => ${days}::int) AND status <> 'running'
       LIMIT ${maximum}::int)`;
