import type { Db } from "~/connection/db.server";
import type { PaymentMethodView } from "./shared";

export async function findCustomer(db: Db, userId: number): Promise<string | null> {
  const [row] = await db.$queryRaw<{ id: string }[]>`
    SELECT customer_id AS id FROM processor_customer WHERE user_id = ${userId}::int`;
  return row?.id ?? null;
}

/** Records a person's customer id at the processor; the first one wins and is returned. */
export async function putCustomer(db: Db, userId: number, customerId: string): Promise<string> {
  await db.$executeRaw`
    INSERT INTO processor_customer (user_id, customer_id) VALUES (${userId}::int, ${customerId}) ON CONFLICT DO NOTHING`;
  return (await findCustomer(db, userId))!;
}

/**
 * Replaces a customer that was deleted at the processor together with its cards. Returns the person's current customer
 * id.
 */
export async function replaceCustomer(
  tx: Db,
  userId: number,
  { gone, made }: { gone: string; made: string },
): Promise<string> {
  const changed = await tx.$executeRaw`
    UPDATE processor_customer SET customer_id = ${made}, default_method_id = NULL WHERE user_id = ${userId}::int AND customer_id = ${gone}`;
  if (changed > 0)
    await tx.$executeRaw`UPDATE payment_method SET removed_at = app_now() WHERE user_id = ${userId}::int AND removed_at IS NULL`;
  return (await findCustomer(tx, userId))!;
}

export async function findCustomerOwner(db: Db, customerId: string): Promise<number | null> {
  const [row] = await db.$queryRaw<{ userId: number }[]>`
    SELECT user_id AS "userId" FROM processor_customer WHERE customer_id = ${customerId}`;
  return row?.userId ?? null;
}

export type SetupRow = {
  id: string;
  state: "created" | "open" | "complete" | "expired";
  sessionId: string | null;
  methodId: string | null;
};

/**
 * Inserts a card set-up before the processor is called. For an idempotency key that the person has used before, returns
 * the earlier set-up.
 */
export async function insertSetup(
  db: Db,
  setup: { id: string; userId: number; idempotencyKey: string | null; livemode: boolean },
): Promise<SetupRow> {
  const { id, userId, idempotencyKey, livemode } = setup;
  await db.$executeRaw`
    INSERT INTO card_setup (id, user_id, idem_key, livemode) VALUES (${id}::uuid, ${userId}::int, ${idempotencyKey}, ${livemode})
    ON CONFLICT (user_id, idem_key) DO NOTHING`;
  const [row] = await db.$queryRaw<SetupRow[]>`
    SELECT id::text AS id, state, session_id AS "sessionId", payment_method_id AS "methodId" FROM card_setup
     WHERE user_id = ${userId}::int AND (id = ${id}::uuid OR idem_key = ${idempotencyKey})`;
  return row!;
}

export async function openSetup(db: Db, id: string, sessionId: string): Promise<void> {
  await db.$executeRaw`
    UPDATE card_setup SET session_id = coalesce(session_id, ${sessionId}), state = CASE state WHEN 'created' THEN 'open' ELSE state END
     WHERE id = ${id}::uuid`;
}

export async function findSetup(db: Db, userId: number, id: string): Promise<SetupRow | null> {
  const [row] = await db.$queryRaw<SetupRow[]>`
    SELECT id::text AS id, state, session_id AS "sessionId", payment_method_id AS "methodId" FROM card_setup WHERE id = ${id}::uuid AND user_id = ${userId}::int`;
  return row ?? null;
}

/**
 * Ends a set-up, with or without a card. Returns false when there is no such set-up, or it belongs to another person.
 */
export async function finishSetup(
  tx: Db,
  end: { id: string; sessionId: string; methodId: string | null; userId: number | null },
): Promise<boolean> {
  const { id, sessionId, methodId, userId } = end;
  const changed = await tx.$executeRaw`
    UPDATE card_setup SET session_id = coalesce(session_id, ${sessionId}), payment_method_id = coalesce(payment_method_id, ${methodId}),
           state = CASE WHEN state = 'complete' OR ${methodId}::text IS NOT NULL THEN 'complete' ELSE 'expired' END
     WHERE id = ${id}::uuid AND coalesce(session_id, ${sessionId}) = ${sessionId} AND (${userId}::int IS NULL OR user_id = ${userId}::int)`;
  return changed > 0;
}

type Card = { id: string; brand: string; last4: string; expMonth: number; expYear: number };

/** Inserts or updates a person's card. Their first card becomes the default. A removed card remains removed. */
export async function putCard(tx: Db, userId: number, card: Card): Promise<void> {
  const { id, brand, last4, expMonth, expYear } = card;
  await tx.$executeRaw`
    INSERT INTO payment_method (id, user_id, brand, last4, exp_month, exp_year)
    VALUES (${id}, ${userId}::int, ${brand}, ${last4}, ${expMonth}::int, ${expYear}::int)
    ON CONFLICT (id) DO UPDATE SET brand = excluded.brand, last4 = excluded.last4, exp_month = excluded.exp_month, exp_year = excluded.exp_year
      WHERE payment_method.user_id = excluded.user_id`;
  await tx.$executeRaw`
    UPDATE processor_customer SET default_method_id = coalesce(default_method_id, ${id}) WHERE user_id = ${userId}::int`;
}

/**
 * Removes a card. If it was the default, the newest other card becomes the default. Returns false when there is no such
 * card.
 */
export async function removeCard(tx: Db, id: string): Promise<boolean> {
  const changed =
    await tx.$executeRaw`UPDATE payment_method SET removed_at = app_now() WHERE id = ${id} AND removed_at IS NULL`;
  if (changed === 0) return false;
  await tx.$executeRaw`
    UPDATE processor_customer c SET default_method_id = (
      SELECT m.id FROM payment_method m WHERE m.user_id = c.user_id AND m.removed_at IS NULL ORDER BY m.created_at DESC, m.id LIMIT 1)
     WHERE c.default_method_id = ${id}`;
  return true;
}

export function listCards(db: Db, userId: number): Promise<PaymentMethodView[]> {
  return db.$queryRaw`
    SELECT m.id, m.brand, m.last4, m.exp_month::int AS "expMonth", m.exp_year::int AS "expYear",
           make_date(m.exp_year, m.exp_month, 1) + interval '1 month' <= app_now() AT TIME ZONE 'UTC' AS expired,
           c.default_method_id IS NOT DISTINCT FROM m.id AS "isDefault"
      FROM payment_method m JOIN processor_customer c ON c.user_id = m.user_id
     WHERE m.user_id = ${userId}::int AND m.removed_at IS NULL ORDER BY m.created_at DESC, m.id LIMIT 100`;
}

export async function ownsCard(db: Db, userId: number, id: string): Promise<boolean> {
  const [row] = await db.$queryRaw<unknown[]>`
    SELECT 1 AS one FROM payment_method WHERE id = ${id} AND user_id = ${userId}::int AND removed_at IS NULL`;
  return row !== undefined;
}

export async function setDefaultCard(db: Db, userId: number, id: string): Promise<void> {
  await db.$executeRaw`UPDATE processor_customer SET default_method_id = ${id} WHERE user_id = ${userId}::int`;
}
