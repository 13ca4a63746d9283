import { afterAll, beforeAll, expect, test } from "vitest";
import { db, sqlPool } from "~/connection/db.server";
import { LANGUAGES } from "~/i18n/languages";
import { WORDS } from "~/i18n/server.server";
import { openFreshDatabase, type TestDatabase } from "../../tests/support/database";
import { inBatches } from "./in-batches";
import { jobRegistry } from "./registry";
import { JobRunner } from "./runner";

const jobs = jobRegistry({ holdLeaseMs: 60_000, runBatches: async () => 0 });
let database: TestDatabase;
beforeAll(async () => {
  database = await openFreshDatabase();
});
afterAll(() => database.close());

test("one turn of the jobs removes everything that is too old, however much it is, and nothing else", async () => {
  await sqlPool().query(`
    INSERT INTO gateway_refusal (at, last_at, key_id, organisation_id, request_id, endpoint, model, code, status, human_message)
      SELECT at, at, 1, 1, gen_random_uuid(), 'chat/completions', 'm', 'invalid_request', 400, ''
        FROM generate_series(1, 11000) g, LATERAL (SELECT now() - CASE WHEN g <= 5 THEN interval '6 days' ELSE interval '8 days' END AS at) x`);
  await sqlPool().query(`
    INSERT INTO refusal_hour (hour, key_id, code, scope, refusals, last_at)
      SELECT now() - g * interval '100 days', 1, 'invalid_request', '', 1, now() FROM generate_series(3, 6) g`);
  await sqlPool().query(`
    INSERT INTO idempotent_call (key_id, idem_key, organisation_id, request_hash, call_id, claimed_at, answered_at, answer)
      SELECT 1, g, 1, '\\x00', gen_random_uuid(), at, at, '{}'
        FROM generate_series(1, 11000) g, LATERAL (SELECT now() - CASE WHEN g <= 7 THEN interval '23 hours' ELSE interval '25 hours' END AS at) x`);
  await sqlPool().query(`
    INSERT INTO one_time_token (purpose, token_hash, payload, expires_at)
      SELECT 'sign_up', sha256(g::text::bytea), '{"email": "ada@example.com", "passwordHash": "…"}',
             now() + CASE g WHEN 1 THEN interval '1 hour' WHEN 2 THEN interval '-23 hours' ELSE interval '-25 hours' END
        FROM generate_series(1, 5) g`);
  await sqlPool().query(`
    WITH organisation AS (INSERT INTO organisation (name, slug) VALUES ('Home', 'home') RETURNING id),
         person AS (INSERT INTO app_user (email, organisation_id, role) SELECT 'ada@example.com', id, 'member' FROM organisation RETURNING id)
    INSERT INTO session (token_hash, user_id, address, expires_at)
      SELECT sha256(g::text::bytea), person.id, '192.0.2.1', now() + CASE g WHEN 1 THEN interval '1 day' ELSE interval '-1 day' END
        FROM person, generate_series(1, 3) g`);

  const purges = jobs.filter(({ name }) => name.startsWith("purge-"));
  const runner = new JobRunner({ db, jobs: purges, instance: "test", alone: false });
  await runner.tick();
  await runner.idle();
  const { rows } = await sqlPool().query(`
    SELECT (SELECT count(*)::int FROM gateway_refusal) AS refusals, (SELECT count(*)::int FROM refusal_hour) AS hours, (SELECT count(*)::int FROM idempotent_call) AS answers,
           (SELECT count(*)::int FROM one_time_token) AS links, (SELECT count(*)::int FROM session) AS sessions`);
  expect(rows[0]).toEqual({ refusals: 5, hours: 1, answers: 7, links: 2, sessions: 1 });
  const handled = await db().job.findMany({ where: { handled: { gt: 0 } }, select: { name: true, result: true } });
  expect(handled.map(({ name, result }) => `${name} ${result}`).toSorted()).toEqual([
    "purge-rejections succeeded",
    "purge-sessions succeeded",
    "purge-stored-answers succeeded",
  ]);
  await runner.stop();
});

/** The tables of each purge: the column of a row's time, and the age at which the row is deleted. */
const KEPT: Record<string, { table: string; from: string; for: string; row?: Record<string, string> }[]> = {
  "purge-stored-answers": [
    { table: "idempotent_call", from: "answered_at", for: "24 hours", row: { answer: "'{}'" } },
    { table: "managed_request", from: "answered_at", for: "24 hours", row: { answer: "'{}'" } },
  ],
  "purge-rejections": [
    { table: "gateway_refusal", from: "at", for: "7 days", row: { last_at: "$at" } },
    { table: "refusal_hour", from: "hour", for: "400 days" },
  ],
  "purge-conversations": [
    { table: "conversation_turn", from: "expires_at", for: "0 days", row: { conversation_id: "1", key_used: "1" } },
  ],
  "purge-stored-responses": [{ table: "stored_response", from: "expires_at", for: "0 days" }],
  "purge-files": [
    { table: "stored_file", from: "expires_at", for: "0 days", row: { ready: "true" } },
    // An incomplete upload.
    {
      table: "stored_file",
      from: "at",
      for: "1 day",
      row: { ready: "false", expires_at: "now() + interval '9 days'" },
    },
  ],
  "purge-batches": [{ table: "batch", from: "ended_at", for: "30 days", row: { state: "'completed'" } }],
  "purge-alerts": [
    { table: "alert_delivery", from: "created_at", for: "400 days", row: { state: "'sent'", channel: "'mail'" } },
    { table: "alert", from: "created_at", for: "400 days", row: { subject_kind: "'budget'", kind: "'refusing'" } },
  ],
  "purge-report-runs": [
    { table: "report_schedule_run", from: "created_at", for: "400 days", row: { status: "'done'" } },
  ],
  "purge-exports": [
    {
      table: "report_export",
      from: "finished_at",
      for: "7 days",
      row: { id: "'exp_' || left(md5(random()::text), 24)", status: "'failed'", format: "'csv'" },
    },
  ],
  "purge-sessions": [
    { table: "session", from: "expires_at", for: "0 days" },
    { table: "one_time_token", from: "expires_at", for: "1 day" },
  ],
  "purge-emails": [{ table: "mail", from: "sent_at", for: "7 days" }],
  "purge-token-events": [{ table: "token_event", from: "at", for: "30 days" }],
  "purge-job-runs": [{ table: "job_run", from: "started_at", for: "7 days" }],
};

test("every purge of the registry is in the table of what is kept for how long", () => {
  const purges = jobs.flatMap(({ name }) => (name.startsWith("purge-") ? [name] : []));
  expect(Object.keys(KEPT).toSorted()).toEqual(purges.toSorted());
});

test.each(Object.entries(KEPT).flatMap(([job, tables]) => tables.map((kept) => ({ job, ...kept }))))(
  "$job deletes rows of $table when $from is $for ago, and none a minute younger",
  async ({ job, table, from, for: age, row = {} }) => {
    await sqlPool().query(`TRUNCATE ${table} CASCADE`);
    const required = await sqlPool().query<{ name: string; type: string }>(
      `SELECT column_name AS name, data_type AS type FROM information_schema.columns
        WHERE table_name = $1 AND is_nullable = 'NO' AND column_default IS NULL AND is_identity = 'NO' AND table_schema = 'public'`,
      [table],
    );
    const insert = async (number: number, at: string) => {
      const filled = required.rows.map(({ name, type }) => [name, sampleOf(type, number, at)]);
      const values: Record<string, string> = { ...Object.fromEntries(filled), ...row, [from]: at };
      const columns = Object.keys(values);
      const line = columns.map((column) => values[column]?.replace("$at", at)).join(", ");
      await withoutForeignKeys(`INSERT INTO ${table} (${columns.join(", ")}) VALUES (${line})`);
    };
    await insert(1, `now() - interval '${age}' - interval '1 minute'`);
    await insert(2, `now() - interval '${age}' + interval '1 minute'`);
    await jobs.find(({ name }) => name === job)?.run(new AbortController().signal);
    const { rows } = await sqlPool().query(`SELECT (${from} > now() - interval '${age}') AS young FROM ${table}`);
    expect(rows).toEqual([{ young: true }]);
  },
);

/** Returns a value of a column's type; two rows get different values. */
function sampleOf(type: string, number: number, at: string): string {
  if (/^(integer|bigint|smallint|numeric)/.test(type)) return String(number);
  if (type === "uuid") return "gen_random_uuid()";
  if (type === "bytea") return `sha256('${number}')`;
  if (type === "boolean") return "false";
  if (type.startsWith("json")) return "'{}'";
  if (type === "ARRAY") return "'{}'";
  if (type.startsWith("timestamp") || type === "date") return at;
  return `'row ${number}'`;
}

/** Runs SQL without checking foreign keys, because the referenced rows do not exist. */
async function withoutForeignKeys(sql: string): Promise<void> {
  await sqlPool().query(`BEGIN; SET LOCAL session_replication_role = replica; ${sql}; COMMIT`);
}

test("a purge that is told to stop ends behind the batch that it is at", async () => {
  const stop = new AbortController();
  let batches = 0;
  const run = inBatches(async (maximum) => {
    batches += 1;
    stop.abort(new Error("stop"));
    return maximum;
  }, 10);
  await expect(run(stop.signal)).rejects.toThrow("stop");
  expect(batches).toBe(1);
});

test("every job has a name of its own, and words in every language", () => {
  const names = jobs.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const language of LANGUAGES)
    expect(Object.keys(WORDS[language]?.jobs?.job ?? {}).toSorted(), language).toEqual(names.toSorted());
});

test("no job rests for no time", () => {
  expect(jobs.filter(({ everyMs }) => !(everyMs >= 1_000))).toEqual([]);
});
