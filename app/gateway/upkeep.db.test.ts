import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { sqlPool } from "~/db.server";
import { openFreshDatabase, type TestDatabase } from "../../tests/support/database";
import { startUpkeep, stopUpkeep } from "./upkeep";

let database: TestDatabase;
beforeAll(async () => {
  database = await openFreshDatabase();
});
afterEach(() => vi.useRealTimers());
afterAll(() => database.close());

test("one turn of upkeep removes everything that is too old, however much it is, and nothing else", async () => {
  await sqlPool().query(`
    INSERT INTO gateway_refusal (at, key_id, organisation_id, request_id, endpoint, model, code, status, human_message)
      SELECT now() - CASE WHEN g <= 5 THEN interval '6 days' ELSE interval '8 days' END, 1, 1, gen_random_uuid(), 'chat/completions', 'm',
             'invalid_request', 400, ''
        FROM generate_series(1, 11000) g`);
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

  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  startUpkeep();
  vi.advanceTimersByTime(600_000);
  vi.useRealTimers();
  await vi.waitFor(
    async () => {
      const { rows } = await sqlPool().query(`
        SELECT (SELECT count(*)::int FROM gateway_refusal) AS refusals, (SELECT count(*)::int FROM idempotent_call) AS answers,
               (SELECT count(*)::int FROM one_time_token) AS links, (SELECT count(*)::int FROM session) AS sessions`);
      expect(rows[0]).toEqual({ refusals: 5, answers: 7, links: 2, sessions: 1 });
    },
    { timeout: 15_000, interval: 200 },
  );
  await stopUpkeep();
});
