import { afterAll, beforeAll, expect, test } from "vitest";
import { readConfig, setConfig } from "~/config.server";
import { db } from "~/connection/db.server";
import type { Actor } from "~/domain/accounts/shared";
import { type Books, openBooks } from "../../../tests/support/accounting";
import { claimExport } from "./export-store";
import {
  beginScheduledRuns,
  createExport,
  createReport,
  createSchedule,
  deliverScheduledRuns,
  disableSchedule,
  listScheduleRuns,
  listSchedules,
  readExport,
  reviewRun,
  writeExports,
} from "./index.server";
import type { EndedRun } from "./schedule-store";

const GO = new AbortController().signal;
let books: Books;
const told: EndedRun[] = [];
const tell = async (_tx: unknown, run: EndedRun) => void told.push(run);

beforeAll(async () => {
  books = await openBooks();
  setConfig(readConfig({}));
}, 120_000);
afterAll(() => books.close());

async function somebody(name: string): Promise<Actor> {
  const one = async (text: string, values: unknown[]) => (await books.sql<{ id: number }>(text, values))[0]!.id;
  const organisationId = await one("INSERT INTO organisation (name, slug) VALUES ($1, $1) RETURNING id", [name]);
  const userId = await one(
    "INSERT INTO app_user (email, name, organisation_id, role) VALUES ($1 || '@example.com', $1, $2, 'member') RETURNING id",
    [name, organisationId],
  );
  return {
    ...{ userId, sessionId: 1, email: `${name}@example.com`, name, role: "member", organisationId, departmentId: null },
    ...{ adminMode: false, adminOrganisationId: null, language: "en", address: "127.0.0.1" },
  };
}

async function scheduled(name: string): Promise<{ actor: Actor; id: number; reportId: number }> {
  const actor = await somebody(name);
  const reportId = await createReport(db(), actor, { name, question: "", visibility: "private" });
  const how = {
    cadence: "daily",
    cron: "",
    zone: "Europe/Berlin",
    format: "csv",
    byMail: true,
    byWebhook: false,
  } as const;
  return { actor, reportId, id: await createSchedule(db(), actor, { reportId, asked: {}, ...how }) };
}

/** Makes a schedule due since `ago`. */
const due = (id: number, ago = "1 minute") =>
  books.sql("UPDATE report_schedule SET next_run_at = app_now() - $2::interval WHERE id = $1", [id, ago]);

test("a schedule that is due has one run, its file, one mail and a later time", async () => {
  const { actor, id } = await scheduled("ada");
  expect((await listSchedules(db(), actor))[0]?.next).toHaveLength(3);
  expect(await beginScheduledRuns(db(), GO)).toBe(0);
  await due(id);
  // Two processes at once, and then one of them again.
  const begun = await Promise.all([beginScheduledRuns(db(), GO), beginScheduledRuns(db(), GO)]);
  expect(begun.toSorted()).toEqual([0, 1]);
  expect(await beginScheduledRuns(db(), GO)).toBe(0);
  expect(await deliverScheduledRuns(db(), tell, GO)).toBe(0);
  await writeExports(db(), GO);
  const ended = await Promise.all([deliverScheduledRuns(db(), tell, GO), deliverScheduledRuns(db(), tell, GO)]);
  expect(ended.toSorted()).toEqual([0, 1]);
  expect(told.splice(0)).toMatchObject([{ status: "done", name: "ada", email: "ada@example.com", byMail: true }]);
  const [run] = await listScheduleRuns(db(), actor);
  expect(run).toMatchObject({ status: "done", rows: 0, reviewedAt: null, durationMs: expect.any(Number) });
  expect(await readExport(db(), actor, run!.exportId!)).toMatchObject({ status: "done" });
  const [schedule] = await listSchedules(db(), actor);
  expect(schedule?.nextRunAt?.getTime()).toBeGreaterThan(Date.now());
});

test("a process that dies between a run and its mail leaves both to the next", async () => {
  const { actor, id } = await scheduled("bea");
  await due(id);
  await beginScheduledRuns(db(), GO);
  await writeExports(db(), GO);
  const dies = async () => {
    throw new Error("killed");
  };
  await expect(deliverScheduledRuns(db(), dies, GO)).rejects.toThrow("killed");
  expect((await listScheduleRuns(db(), actor))[0]).toMatchObject({ status: "running" });
  expect(await deliverScheduledRuns(db(), tell, GO)).toBe(1);
  expect(told.splice(0)).toMatchObject([{ name: "bea" }]);
});

test("what was missed for days is made up for once", async () => {
  const { actor, id } = await scheduled("cleo");
  await due(id, "9 days");
  await beginScheduledRuns(db(), GO);
  expect(await beginScheduledRuns(db(), GO)).toBe(0);
  expect(await listScheduleRuns(db(), actor)).toHaveLength(1);
  await writeExports(db(), GO);
  await deliverScheduledRuns(db(), tell, GO);
  told.splice(0);
});

test.each([
  ["their role", "UPDATE app_user SET role = 'viewer' WHERE id = $1"],
  ["their organisation", "UPDATE app_user SET organisation_id = (SELECT min(id) FROM organisation) WHERE id = $1"],
])("somebody who has lost %s gets no file and is told", async (_what, sql) => {
  const { actor, id } = await scheduled(`lost-${sql.length}`);
  await due(id);
  await books.sql(sql, [actor.userId]);
  expect(await beginScheduledRuns(db(), GO)).toBe(1);
  expect(await writeExports(db(), GO)).toBe(0);
  expect(await deliverScheduledRuns(db(), tell, GO)).toBe(1);
  expect(told.splice(0)).toMatchObject([{ status: "failed", exportId: null, email: actor.email, byMail: true }]);
  expect(await listSchedules(db(), actor)).toMatchObject([{ disabledBecause: "no_access", next: [] }]);
  const noted = "SELECT actor_label AS by, subject_user_id AS of, after FROM act WHERE action = $1 AND target_id = $2";
  expect(await books.sql(noted, ["report_schedule.disable", String(id)])).toEqual([
    { by: "gw", of: actor.userId, after: { reason: "no_access" } },
  ]);
});

test("somebody who loses their place while the file is written gets none", async () => {
  const { actor, id } = await scheduled("dora");
  await due(id);
  await beginScheduledRuns(db(), GO);
  await books.sql("UPDATE app_user SET role = 'viewer' WHERE id = $1", [actor.userId]);
  expect(await writeExports(db(), GO)).toBe(0);
  await deliverScheduledRuns(db(), tell, GO);
  expect(told.splice(0)).toMatchObject([{ status: "failed", name: "dora" }]);
});

test("a schedule ends, and a run is reviewed, by its own person alone", async () => {
  const { actor, id } = await scheduled("eve");
  const stranger = await somebody("fay");
  await due(id);
  await beginScheduledRuns(db(), GO);
  const [run] = await listScheduleRuns(db(), actor);
  await expect(reviewRun(db(), actor, run!.id)).rejects.toMatchObject({ code: "not_found" });
  await writeExports(db(), GO);
  await deliverScheduledRuns(db(), tell, GO);
  for (const act of [() => disableSchedule(db(), stranger, id), () => reviewRun(db(), stranger, run!.id)])
    await expect(act()).rejects.toMatchObject({ code: "not_found" });
  for (let twice = 0; twice < 2; twice += 1) {
    await reviewRun(db(), actor, run!.id);
    await disableSchedule(db(), actor, id);
  }
  expect((await listScheduleRuns(db(), actor))[0]?.reviewedAt).toBeInstanceOf(Date);
  await due(id);
  await books.sql("UPDATE report_schedule SET next_run_at = NULL WHERE disabled_because IS NOT NULL");
  expect(await beginScheduledRuns(db(), GO)).toBe(0);
});

test("a pattern or a zone that is none is refused, and nobody has more than fifty schedules", async () => {
  const { actor, reportId } = await scheduled("gia");
  const how = { reportId, asked: {}, format: "csv", byMail: true, byWebhook: false } as const;
  for (const wrong of [
    { cadence: "custom", cron: "* * * * *", zone: "UTC" },
    { cadence: "custom", cron: "", zone: "UTC" },
    { cadence: "daily", cron: "", zone: "Nowhere/Land" },
  ] as const)
    await expect(createSchedule(db(), actor, { ...how, ...wrong })).rejects.toMatchObject({ code: "invalid_request" });
  await books.sql(
    `INSERT INTO report_schedule (user_id, organisation_id, report_id, role, admin_mode, asked, format, cron, zone, by_mail, by_webhook)
     SELECT $1, $2, $3, 'member', false, '{}', 'csv', '0 8 * * *', 'UTC', true, false FROM generate_series(1, 48)`,
    [actor.userId, actor.organisationId, reportId],
  );
  const tries = Array.from({ length: 4 }, () =>
    createSchedule(db(), actor, { ...how, cadence: "daily", cron: "", zone: "UTC" }),
  );
  const made = (await Promise.allSettled(tries)).filter(({ status }) => status === "fulfilled");
  expect(made).toHaveLength(1);
});

test("of ten thousand schedules that are due at once each runs once, and what somebody asks for meanwhile comes first", async () => {
  const many = 10_000;
  const { actor, reportId } = await scheduled("hal");
  await books.sql("DELETE FROM report_schedule WHERE user_id = $1", [actor.userId]);
  await books.sql(
    `INSERT INTO report_schedule (user_id, organisation_id, report_id, role, admin_mode, asked, format, cron, zone, by_mail, by_webhook, next_run_at)
     SELECT $1, $2, $3, 'member', false, '{}', 'csv', '0 8 * * *', 'Europe/Berlin', true, false, app_now() - interval '1 minute'
       FROM generate_series(1, $4::int)`,
    [actor.userId, actor.organisationId, reportId, many],
  );
  const begun = await Promise.all([beginScheduledRuns(db(), GO), beginScheduledRuns(db(), GO)]);
  expect(begun[0] + begun[1]).toBe(many);
  // A person's scheduled reports do not count towards their limit of exports.
  const asked = await createExport(db(), actor, { reportId, asked: {}, format: "csv" });
  expect(await claimExport(db())).toMatchObject({ id: asked });
  await books.sql(
    `UPDATE report_export SET status = 'done', sha256 = 'x', started_at = app_now(), finished_at = app_now(), expires_at = app_now() + interval '1 day'
      WHERE user_id = $1`,
    [actor.userId],
  );
  expect(await deliverScheduledRuns(db(), tell, GO)).toBe(many);
  const ofHal = told.splice(0).filter(({ name }) => name === "hal");
  expect([ofHal.length, new Set(ofHal.map(({ id }) => id)).size]).toEqual([many, many]);
  const [row] = await books.sql(
    `SELECT count(*)::int AS runs, count(DISTINCT n.schedule_id)::int AS schedules, count(*) FILTER (WHERE s.next_run_at > app_now())::int AS later
       FROM report_schedule_run n JOIN report_schedule s ON s.id = n.schedule_id WHERE s.user_id = $1`,
    [actor.userId],
  );
  expect(row).toEqual({ runs: many, schedules: many, later: many });
}, 240_000);
