import { inTransaction } from "~/connection/bus.server";
import type { Db } from "~/connection/db.server";
import { type Actor, authorOf } from "~/domain/accounts/shared";
import { recordAuditEvent } from "~/domain/activity/index.server";
import type { AuditAction } from "~/domain/activity/shared";
import { apiError } from "~/errors/app-error";
import { nextTime, PRESETS, timesOf } from "./cadence";
import { readReport } from "./reports";
import {
  deleteRuns,
  findScheduleRuns,
  findSchedules,
  insertSchedule,
  lockSchedulesOf,
  type NewSchedule,
  putDisabled,
  putReviewed,
} from "./schedule-store";
import type { Cadence, ReportSchedule, ScheduleRun } from "./shared";

const MAX_SCHEDULES = 50;
const SHOWN_SCHEDULES = 100;
const SHOWN_RUNS = 30;
const NEXT_SHOWN = 3;
const RUNS_KEPT_DAYS = 400;

/**
 * Creates a schedule that exports and sends a report at the times of a cadence in a time zone, with the data that the actor may see in the
 * chosen view. `cron` applies if the cadence is `custom`. Returns its id. Audited.
 * @throws AppError not_found for a report that the actor may not read; invalid_request for an invalid pattern or zone, or times less than
 *   an hour apart; conflict beyond 50 schedules
 */
export async function createSchedule(
  db: Db,
  actor: Actor,
  input: Omit<NewSchedule, "nextRunAt" | "cron"> & { cadence: Cadence; cron: string },
): Promise<number> {
  const { name } = await readReport(db, actor, input.reportId);
  const cron = input.cadence === "custom" ? input.cron.trim() : PRESETS[input.cadence];
  const [nextRunAt] = timesOf(cron, input.zone, { after: new Date(), count: 1 }) ?? [];
  if (nextRunAt === undefined) throw apiError("invalid_request", { key: "rejections:scheduleCron", param: "cron" });
  return inTransaction(db, async (tx) => {
    if ((await lockSchedulesOf(tx, actor.userId)) >= MAX_SCHEDULES)
      throw apiError("conflict", { key: "rejections:schedulesTooMany", values: { most: MAX_SCHEDULES } });
    const id = await insertSchedule(tx, actor, { ...input, cron, nextRunAt });
    await note(tx, actor, {
      action: "report_schedule.create",
      id,
      name,
      after: { cron, zone: input.zone, format: input.format },
    });
    return id;
  });
}

/** Returns an actor's own schedules with their next times, active ones first. */
export async function listSchedules(db: Db, actor: Pick<Actor, "userId">): Promise<ReportSchedule[]> {
  const rows = await findSchedules(db, actor.userId, SHOWN_SCHEDULES);
  return rows.map((row) => ({ ...row, next: nextOf(row) }));
}

function nextOf({ nextRunAt, cron, zone }: Omit<ReportSchedule, "next">): Date[] {
  const times: Date[] = [];
  for (let at = nextRunAt; at !== null && times.length < NEXT_SHOWN; at = nextTime(cron, zone, at)) times.push(at);
  return times;
}

/** Returns the latest runs of an actor's own schedules, newest first. */
export const listScheduleRuns = (db: Db, actor: Pick<Actor, "userId">): Promise<ScheduleRun[]> =>
  findScheduleRuns(db, actor.userId, SHOWN_RUNS);

/** Disables an actor's own schedule; running exports continue. Audited. Safe to repeat. @throws AppError not_found */
export async function disableSchedule(db: Db, actor: Actor, id: number): Promise<void> {
  await inTransaction(db, async (tx) => {
    const schedule = await putDisabled(tx, actor.userId, id);
    if (schedule === null) throw apiError("not_found");
    await note(tx, actor, { action: "report_schedule.disable", id, name: schedule.name });
  });
}

/** Marks an actor's own run as reviewed. Audited. Safe to repeat. @throws AppError not_found, also while it is running */
export async function reviewRun(db: Db, actor: Actor, id: number): Promise<void> {
  await inTransaction(db, async (tx) => {
    const schedule = await putReviewed(tx, actor.userId, id);
    if (schedule === null) throw apiError("not_found");
    await note(tx, actor, { action: "report_schedule.review", id, name: schedule.name });
  });
}

/** Deletes runs after 400 days, at most `maximum`. A job. Returns the number. */
export const purgeScheduleRuns = (db: Db, maximum: number): Promise<number> => deleteRuns(db, maximum, RUNS_KEPT_DAYS);

const note = (
  tx: Db,
  actor: Actor,
  { action, id, name, after }: { action: AuditAction; id: number; name: string; after?: Record<string, unknown> },
) =>
  recordAuditEvent(tx, {
    by: authorOf(actor),
    action,
    target: { kind: "report_schedule", id, label: name },
    organisationId: actor.organisationId,
    after,
  });
