import type { Db } from "~/db.server";
import type { EventFacts } from "./event-facts";
import type { DeadEvent } from "./shared";

export type NewEvent = {
  id: string;
  type: string;
  livemode: boolean;
  createdAt: Date;
  facts: EventFacts | null;
  found: boolean;
  /** Why nobody can read it. */
  error: string | null;
};
export type EventRow = { id: string; type: string; livemode: boolean; facts: EventFacts | null; attempts: number };

/**
 * Writes an event down; answers whether it was unknown, or was of no use to the release that wrote it down. One that is known counts a
 * delivery.
 */
export async function insertEvent(db: Db, event: NewEvent): Promise<boolean> {
  const { id, type, livemode, createdAt, facts, found, error } = event;
  const state = error !== null ? "dead" : facts === null ? "ignored" : "received";
  if (facts !== null && (await makeUseful(db, id, facts))) return true;
  const [row] = await db.$queryRaw<{ isNew: boolean }[]>`
    INSERT INTO processor_event (id, type, livemode, created_at, facts, state, found, error)
    VALUES (${id}, ${type}, ${livemode}, ${createdAt}::timestamptz, ${facts === null ? null : JSON.stringify(facts)}::jsonb,
            ${state}, ${found}, ${error})
    ON CONFLICT (id) DO UPDATE SET deliveries = processor_event.deliveries + CASE WHEN ${found} THEN 0 ELSE 1 END
    RETURNING xmax = 0 AS "isNew"`;
  return row!.isNew;
}

/** An event that nobody could use becomes one that waits to be applied; false where it is not one of these. */
async function makeUseful(db: Db, id: string, facts: EventFacts): Promise<boolean> {
  const changed = await db.$executeRaw`
    UPDATE processor_event SET facts = ${JSON.stringify(facts)}::jsonb, state = 'received', next_attempt_at = app_now(), applied_at = NULL
     WHERE id = ${id} AND state = 'ignored' AND facts IS NULL`;
  return changed > 0;
}

/** An event that waits to be applied; null when it is done, or somebody else is at it. Kept until the transaction ends. */
export async function takeEvent(tx: Db, id: string): Promise<EventRow | null> {
  const [row] = await tx.$queryRaw<EventRow[]>`
    SELECT id, type, livemode, facts, attempts FROM processor_event WHERE id = ${id} AND state = 'received' FOR NO KEY UPDATE SKIP LOCKED`;
  return row ?? null;
}

export async function findEvent(db: Db, id: string): Promise<EventRow | null> {
  const [row] = await db.$queryRaw<EventRow[]>`
    SELECT id, type, livemode, facts, attempts FROM processor_event WHERE id = ${id} AND state = 'received'`;
  return row ?? null;
}

export async function finishEvent(tx: Db, id: string, state: "applied" | "ignored"): Promise<void> {
  await tx.$executeRaw`
    UPDATE processor_event SET state = ${state}, applied_at = app_now(), attempts = attempts + 1, error = NULL WHERE id = ${id}`;
}

/** Counts a failed attempt; the event is due again after a time that doubles, or is dead. */
export async function postponeEvent(db: Db, id: string, problem: { error: string; final: boolean }): Promise<void> {
  await db.$executeRaw`
    UPDATE processor_event SET attempts = attempts + 1, error = ${problem.error},
           state = CASE WHEN ${problem.final} OR attempts + 1 >= ${MAX_ATTEMPTS}::int THEN 'dead' ELSE 'received' END,
           next_attempt_at = app_now() + least(interval '1 hour', interval '5 seconds' * power(2, attempts))
     WHERE id = ${id} AND state = 'received'`;
}
const MAX_ATTEMPTS = 12;

export async function listDue(db: Db, limit: number): Promise<string[]> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT id FROM processor_event WHERE state = 'received' AND next_attempt_at <= app_now() ORDER BY next_attempt_at LIMIT ${limit}::int`;
  return rows.map(({ id }) => id);
}

export function listDead(db: Db): Promise<DeadEvent[]> {
  return db.$queryRaw`
    SELECT id, type, coalesce(error, '') AS error, attempts, deliveries, received_at AS "receivedAt"
      FROM processor_event WHERE state = 'dead' ORDER BY received_at DESC LIMIT 200`;
}

/** Makes a dead event due again; false where there is no such one. */
export async function reviveEvent(db: Db, id: string): Promise<boolean> {
  const changed = await db.$executeRaw`
    UPDATE processor_event SET state = 'received', attempts = 0, next_attempt_at = app_now(), told_at = NULL WHERE id = ${id} AND state = 'dead'`;
  return changed > 0;
}
