import type { Db } from "~/connection/db.server";
import { Prisma } from "~/generated/prisma/client";
import type { HeldCall, HoldScope, OpenHold } from "../shared";

/**
 * Excludes spare holds that no call may have taken yet. Unused ones are released within 200 ms, so an older one belongs to a call;
 * such a call appears up to 200 ms late.
 */
const TAKEN = Prisma.sql`(reason IS DISTINCT FROM 'spare' OR created_at < app_now() - interval '200 milliseconds')`;
const OPEN = Prisma.sql`state IN ('reserved', 'dispatched') AND ${TAKEN}`;

/** Two look-ups, because open holds and holds in review have separate indexes. */
const open = (scope: HoldScope) => Prisma.sql`(
  SELECT * FROM hold WHERE ${OPEN} AND ${inside(scope)} UNION ALL SELECT * FROM hold WHERE state = 'review' AND ${inside(scope)}) h`;

export function findOpenHolds(db: Db, scope: HoldScope, limit: number): Promise<OpenHold[]> {
  return db.$queryRaw<OpenHold[]>`
    SELECT id::text AS "callId", organisation_id AS "organisationId", key_id AS "keyId", user_id AS "userId",
           department_id AS "departmentId", project_id AS "projectId", wallet_id::integer AS "walletId", exempt, state,
           amount AS "amountNanoUsd", created_at AS "admittedAt", lease_until AS "leaseUntil", ckpt_in AS "inputTokens",
           ckpt_out AS "outputTokens", reason
      FROM ${open(scope)} ORDER BY created_at LIMIT ${limit}::integer`;
}

/** Returns calls that had a hold, by their ids. */
export const findHeldCalls = (db: Db, callIds: readonly string[]): Promise<HeldCall[]> =>
  db.$queryRaw<HeldCall[]>`
    SELECT id::text AS "callId", organisation_id AS "organisationId", key_id AS "keyId", user_id AS "userId",
           department_id AS "departmentId", project_id AS "projectId", wallet_id::integer AS "walletId", exempt, state,
           amount AS "amountNanoUsd", created_at AS "admittedAt"
      FROM hold WHERE id = ANY (${[...callIds]}::uuid[])`;

/**
 * Returns the number of requests in flight, and the money held now for them and for calls in review, in nano-USD. Two index look-ups,
 * independent of the number of past holds.
 */
export async function sumUnderWay(db: Db, scope: HoldScope): Promise<{ count: number; heldNanoUsd: bigint }> {
  const [row] = await db.$queryRaw<{ count: number; heldNanoUsd: bigint }[]>`
    SELECT (count(*) FILTER (WHERE state <> 'review'))::integer AS count, coalesce(sum(amount), 0)::bigint AS "heldNanoUsd"
      FROM ${open(scope)}`;
  return row!;
}

export async function sumOpenHolds(db: Db, scope: HoldScope): Promise<{ count: number; heldNanoUsd: bigint }> {
  const [row] = await db.$queryRaw<{ count: number; heldNanoUsd: bigint }[]>`
    SELECT count(*)::integer AS count, coalesce(sum(amount), 0)::bigint AS "heldNanoUsd" FROM ${open(scope)}`;
  return row!;
}

/** Returns the stamps inside the rate window by the database's clock, oldest first. */
export async function findStamps(db: Db, keyId: number): Promise<{ now: Date; stamps: { at: Date; n: number }[] }> {
  const rows = await db.$queryRaw<{ now: Date; at: Date | null; n: number }[]>`
    SELECT c.now, s.at, s.n
      FROM (SELECT app_now() AS now) c
      LEFT JOIN rate_stamp s ON s.key_id = ${keyId}::integer AND s.at > c.now - interval '60 seconds' AND s.at <= c.now + interval '1 second'
     ORDER BY s.at`;
  return { now: rows[0]!.now, stamps: rows.flatMap(({ at, n }) => (at === null ? [] : [{ at, n }])) };
}

function inside({ organisationId, departmentId, keyId, walletId, userId, projectId, callId }: HoldScope): Prisma.Sql {
  const conditions = [Prisma.sql`true`];
  if (organisationId !== undefined) conditions.push(Prisma.sql`organisation_id = ${organisationId}::integer`);
  if (departmentId !== undefined) conditions.push(Prisma.sql`department_id = ${departmentId}::integer`);
  if (keyId !== undefined) conditions.push(Prisma.sql`key_id = ${keyId}::integer`);
  if (walletId !== undefined) conditions.push(Prisma.sql`wallet_id = ${walletId}::bigint`);
  if (userId !== undefined) conditions.push(Prisma.sql`user_id = ${userId}::integer`);
  if (projectId !== undefined) conditions.push(Prisma.sql`project_id = ${projectId}::integer`);
  if (callId !== undefined) conditions.push(Prisma.sql`id = ${callId}::uuid`);
  return Prisma.join(conditions, " AND ");
}

export async function takeRate(db: Db, keyId: number, rpm: number): Promise<number> {
  const [row] = await db.$queryRaw<
    { seconds: number }[]
  >`SELECT rate_take(${keyId}::integer, ${rpm}::integer) AS seconds`;
  return row!.seconds;
}
