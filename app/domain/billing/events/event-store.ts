import type { Db } from "~/connection/db.server";
import type { DeadEvent } from "../shared";
import type { EventFacts } from "./event-facts";

export type NewEvent = {
  id: string;
  type: string;
  livemode: boolean;
  createdAt: Date;
  facts: EventFacts | null;
  found: boolean;
  /** Why the event cannot be parsed. */
  error: string | null;
};
export type EventRow = { id: string; type: string; livemode: boolean; facts: EventFacts | null; attempts: number };

/**
 * Records an event. Returns whether it is new, or was ignored by the release that recorded it. For a known event a
 * delivery is counted.
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

/** Makes an event that an earlier release ignored due for applying; returns false when it is not such an event. */
async function makeUseful(db: Db, id: string, facts: EventFacts): Promise<boolean> {
  const changed = await db.$executeRaw`
    UPDATE processor_event SET facts = ${JSON.stringify(facts)}::jsonb, state = 'received', next_attempt_at = app_now(), applied_at = NULL
     WHERE id = ${id} AND state = 'ignored' AND facts IS NULL`;
  return changed > 0;
}

/**
 * Returns an event that waits to be applied, locked until the transaction ends; null when it is applied, or another
 * transaction has it.
 */
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

/** Counts a failed attempt. The event is due again after a delay that doubles, or becomes dead. */
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

/** Makes a dead event due again; returns false when there is no such event. */
export async function reviveEvent(db: Db, id: string): Promise<boolean> {
  const changed = await db.$executeRaw`
    UPDATE processor_event SET state = 'received', attempts = 0, next_attempt_at = app_now(), told_at = NULL WHERE id = ${id} AND state = 'dead'`;
  return changed > 0;
}
