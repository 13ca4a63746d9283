import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import { inTransaction, publish, subscribe } from "~/connection/bus.server";
import { type Db, db, isEmbedded } from "~/connection/db.server";
import { type Actor, authorOf } from "~/domain/accounts/shared";
import { recordAuditEvent } from "~/domain/activity/index.server";
import { apiError } from "~/errors/app-error";
import { EXTEND_HOLDS, type JobSettings, jobRegistry } from "./registry";
import { JobRunner } from "./runner";
import { lateAfter } from "./schedule";
import type { Job, JobRunView, JobView } from "./shared";
import { findJobs, findRuns, type JobRow, requestJob } from "./store";

type Room = { runner: JobRunner; jobs: readonly Job[]; instance: string; stopListening: () => void };

let room: Room | null = null;

/** Starts this process's runner. Database, bus, accounting and catalogue must already be started. */
export function startJobs(settings: JobSettings): void {
  if (room !== null) throw new Error("the jobs have been started already");
  const jobs = jobRegistry(settings);
  const instance = `${hostname()}-${process.pid}-${randomBytes(3).toString("hex")}`;
  const runner = new JobRunner({ db, jobs, instance, alone: isEmbedded() });
  const stopListening = subscribe("jobs", (name) => runner.wake(name));
  room = { runner, jobs, instance, stopListening };
  runner.start();
}

/** Starts no more jobs, aborts running ones and waits for them, at most ten seconds. Safe to repeat. */
export async function stopJobs(): Promise<void> {
  const stopping = room;
  room = null;
  stopping?.stopListening();
  await stopping?.runner.stop();
}

/** Returns the name of this process in the records of jobs. */
export const jobProcess = (): string => started().instance;

/** Returns every job with its state, in the order of the registry. */
export async function readJobs(db: Db): Promise<JobView[]> {
  const { jobs, runner } = started();
  const rows = new Map((await findJobs(db, sharedNames(jobs))).map((row) => [row.name, row]));
  return jobs.map((job) => {
    const { name, scope, everyMs } = job;
    const row = rows.get(name);
    const known = scope === "process" ? runner.book.read(name) : row && jobStateOf(row);
    const silentMs = scope === "process" ? runner.book.silenceOf(name).succeededMs : (row?.silentMs ?? 0);
    return { name, scope, everyMs, isLate: silentMs > lateAfter(job), ...(known ?? NOTHING_KNOWN) };
  });
}

const NOTHING_KNOWN = { runningSince: null, last: null, failures: 0, nextRunAt: null };

/**
 * Returns runs that handled something, failed or were requested, newest first.
 * @throws AppError not_found for an unknown job
 */
export async function readJobRuns(
  db: Db,
  query: { job: string | null; beforeId: number | null; limit: number },
): Promise<{ runs: JobRunView[]; nextBeforeId: bigint | null }> {
  if (query.job !== null) jobNamed(query.job);
  const rows = await findRuns(db, { ...query, limit: query.limit + 1 });
  const runs = rows.slice(0, query.limit);
  return { runs, nextBeforeId: rows.length > runs.length ? (runs.at(-1)?.id ?? null) : null };
}

/**
 * Makes a job due at once, and records the actor in the audit log. One process starts a job of the installation; every
 * process starts a job of scope `process`.
 * @throws AppError not_found for an unknown job; conflict while it runs, or when a run is already requested.
 */
export async function requestRun(db: Db, actor: Actor, name: string): Promise<void> {
  const { scope } = jobNamed(name);
  await inTransaction(db, async (tx) => {
    if (scope === "installation" && !(await requestJob(tx, name)))
      throw apiError("conflict", { key: "rejections:jobRunning" });
    await recordAuditEvent(tx, {
      by: authorOf(actor),
      action: "job.run",
      target: { kind: "job", id: name, label: name },
      organisationId: null,
    });
    await publish(tx, "jobs", name);
  });
}

/**
 * Returns why this process should get no requests: its runner is stuck, so the holds of its calls are not extended.
 * Null when the runner works. A failed run counts as working.
 */
export function silentBecause(): string | null {
  if (room === null) return null;
  const { endedMs } = room.runner.book.silenceOf(EXTEND_HOLDS);
  return endedMs > lateAfter(jobNamed(EXTEND_HOLDS)) ? `the job ${EXTEND_HOLDS} is silent` : null;
}

/** Returns the names of jobs without a success for much longer than their interval. @throws the database's error */
export async function lateJobs(db: Db): Promise<string[]> {
  if (room === null) return [];
  return (await readJobs(db)).flatMap(({ name, isLate }) => (isLate ? [name] : []));
}

function started(): Room {
  if (room === null) throw new Error("the jobs have not been started");
  return room;
}

function jobNamed(name: string): Job {
  const job = started().jobs.find((each) => each.name === name);
  if (job === undefined) throw apiError("not_found", { key: "rejections:noJob" });
  return job;
}

const sharedNames = (jobs: readonly Job[]) =>
  jobs.filter(({ scope }) => scope === "installation").map(({ name }) => name);

function jobStateOf({
  runningSince,
  failures,
  nextRunAt,
  ...row
}: JobRow): Omit<JobView, "name" | "scope" | "everyMs" | "isLate"> {
  const { result, handled, error, startedAt, finishedAt, process } = row;
  const last =
    result === null || startedAt === null || finishedAt === null
      ? null
      : { result, handled, error, startedAt, finishedAt, process };
  return { runningSince, failures, nextRunAt, last };
}
