import { inTransaction } from "~/connection/bus.server";
import type { Db } from "~/connection/db.server";
import { recordAuditEvent } from "~/domain/activity/index.server";
import { sendToWebhook } from "~/domain/budgets/index.server";
import { nextTime } from "./cadence";
import { newExportId } from "./exports";
import {
  beginRuns,
  type DueSchedule,
  type EndedRun,
  endRuns,
  lockDue,
  putCall,
  takeCalls,
  type WaitingCall,
} from "./schedule-store";

const SCHEDULES_AT_ONCE = 200;
const RUNS_AT_ONCE = 100;
const CALLS_AT_ONCE = 10;

/** Adds the email about a run to the outbox in the transaction `tx`. */
type RunMail = (tx: Db, run: EndedRun) => Promise<void>;

/**
 * Starts the runs of due schedules, exactly one per period: a run, its export and the schedule's next time are committed together. After
 * downtime, missed periods are made up by one run. A schedule whose person can no longer read the report is disabled and audited. A job.
 * Returns the number of runs started.
 */
export async function beginScheduledRuns(db: Db, signal: AbortSignal): Promise<number> {
  for (let started = 0; ; ) {
    signal.throwIfAborted();
    const count = await inTransaction(db, async (tx) => {
      const due = await lockDue(tx, SCHEDULES_AT_ONCE);
      const now = new Date();
      const runs = due.map(({ id, cron, zone, period, hasAccess }) => ({
        scheduleId: id,
        period,
        exportId: hasAccess ? newExportId() : null,
        next: hasAccess ? nextTime(cron, zone, now > period ? now : period) : null,
      }));
      if (runs.length > 0) await beginRuns(tx, runs);
      for (const schedule of due) if (!schedule.hasAccess) await recordEnded(tx, schedule);
      return runs.length;
    });
    started += count;
    if (count < SCHEDULES_AT_ONCE) return started;
  }
}

const recordEnded = (tx: Db, { id, name, userId, organisationId }: DueSchedule): Promise<void> =>
  recordAuditEvent(tx, {
    by: { userId: null, label: "gw" },
    action: "report_schedule.disable",
    target: { kind: "report_schedule", id, label: name },
    organisationId,
    subjectUserId: userId,
    after: { reason: "no_access" },
  });

/**
 * Notifies people about runs whose export has ended. The email is added to the outbox in the transaction that ends the run, so it is sent
 * once. A webhook is called at least once, with the same `webhook-id` on each repeat. A job. Returns the number of runs ended.
 */
export async function deliverScheduledRuns(db: Db, mail: RunMail, signal: AbortSignal): Promise<number> {
  for (let ended = 0; ; ) {
    signal.throwIfAborted();
    const count = await inTransaction(db, async (tx) => {
      const runs = await endRuns(tx, RUNS_AT_ONCE);
      for (const run of runs) if (run.byMail) await mail(tx, run);
      return runs.length;
    });
    ended += count;
    if (count < RUNS_AT_ONCE) {
      await callWebhooks(db, signal);
      return ended;
    }
  }
}

async function callWebhooks(db: Db, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const calls = await takeCalls(db, CALLS_AT_ONCE);
    await Promise.all(calls.map((call) => callOne(db, call)));
    if (calls.length < CALLS_AT_ONCE) return;
  }
}

async function callOne(db: Db, call: WaitingCall): Promise<void> {
  const outcome = await sendToWebhook(db, call.userId, { id: `report_run_${call.id}`, body: bodyOf(call) });
  // A person who removed the webhook needs no call.
  await putCall(db, call.id, outcome === null || outcome.error === null);
}

const bodyOf = ({ id, exportId, status, problem, name, period, rows, bytes, sha256 }: WaitingCall): string =>
  JSON.stringify({
    type: status === "done" ? "report.ready" : "report.failed",
    timestamp: period.toISOString(),
    data: { run_id: id, job_id: exportId, report: name, period, problem, rows, bytes: Number(bytes), sha256 },
  });
