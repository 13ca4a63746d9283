import type { Db } from "~/connection/db.server";
import { Prisma } from "~/generated/prisma/client";
import type { ConversationFilter, ConversationView, FinishedTurn } from "./shared";

/** The organisation of the conversations; null: all organisations. */
export type ConversationScope = { organisationId: number | null };

const inScope = ({ organisationId }: ConversationScope): Prisma.Sql =>
  organisationId === null ? Prisma.sql`true` : Prisma.sql`c.organisation_id = ${organisationId}`;

export const findDataKey = (db: Db, organisationId: number) =>
  db.conversationKey.findUnique({ where: { organisationId }, select: { id: true, sealed: true } });

/** Of two concurrent transactions, the first one's key is stored, and both return it. */
export async function createDataKey(db: Db, organisationId: number, sealed: string) {
  await db.$executeRaw`INSERT INTO conversation_key (organisation_id, sealed) VALUES (${organisationId}, ${sealed}) ON CONFLICT DO NOTHING`;
  return db.conversationKey.findUniqueOrThrow({ where: { organisationId }, select: { id: true, sealed: true } });
}

export async function replaceDataKey(db: Db, id: number, sealed: string): Promise<void> {
  await db.conversationKey.updateMany({ where: { id }, data: { sealed } });
}

/**
 * Stores a turn, unless its organisation no longer stores or has a different data key: storing may have been switched
 * off since the call began. Safe to repeat. Returns false when nothing was stored.
 */
export async function insertTurn(
  db: Db,
  turn: FinishedTurn,
  stored: { keyUsed: number; content: string; days: number },
): Promise<boolean> {
  const { organisationId, keyId, userId, sessionId, model, at } = turn;
  const rows = await db.$executeRaw`
    WITH storing AS (
      SELECT o.id FROM organisation o JOIN conversation_key k ON k.organisation_id = o.id AND k.id = ${stored.keyUsed}
       WHERE o.id = ${organisationId} AND o.conversations IS NOT NULL AND o.closed_at IS NULL
         AND NOT EXISTS (SELECT 1 FROM app_user WHERE id = ${userId}::integer AND status = 'deleted')
         AND NOT EXISTS (SELECT 1 FROM conversation_turn WHERE request_id = ${turn.requestId}::uuid) FOR SHARE OF o
    ), written AS (
      INSERT INTO conversation AS c (organisation_id, key_id, user_id, session_id, model, started_at, last_at)
      SELECT id, ${keyId}, ${userId}::integer, ${sessionId}::text, ${model}, ${at}, ${at} FROM storing
      ON CONFLICT (organisation_id, key_id, session_id)
      DO UPDATE SET turns = c.turns + 1, last_at = greatest(c.last_at, excluded.last_at), model = excluded.model
      RETURNING id)
    INSERT INTO conversation_turn (request_id, conversation_id, key_used, at, expires_at, endpoint, model, content)
    SELECT ${turn.requestId}::uuid, id, ${stored.keyUsed}, ${at}, ${at}::timestamptz + ${stored.days}::integer * interval '1 day', ${turn.endpoint}, ${model},
           ${stored.content} FROM written`;
  return rows > 0;
}

/** Returns conversations before `beforeId`, latest start first. */
export function findConversations(
  db: Db,
  scope: ConversationScope,
  query: { filter: ConversationFilter; beforeId: number | null; limit: number; onlyId?: number },
): Promise<ConversationView[]> {
  const { model, session, keyId } = query.filter;
  const conditions = [inScope(scope)];
  if (query.beforeId !== null) conditions.push(Prisma.sql`c.id < ${query.beforeId}`);
  if (query.onlyId !== undefined) conditions.push(Prisma.sql`c.id = ${query.onlyId}`);
  if (model !== undefined) conditions.push(Prisma.sql`c.model = ${model}`);
  if (session !== undefined) conditions.push(Prisma.sql`c.session_id = ${session}`);
  if (keyId !== undefined) conditions.push(Prisma.sql`c.key_id = ${keyId}`);
  return db.$queryRaw<ConversationView[]>`
    SELECT c.id, c.organisation_id AS "organisationId", o.name AS "organisationName", c.key_id AS "keyId", coalesce(k.name, '') AS "keyName",
           coalesce(nullif(u.name, ''), u.email) AS "userName", c.session_id AS "sessionId", c.model, c.turns,
           c.started_at AS "startedAt", c.last_at AS "lastAt"
      FROM conversation c JOIN organisation o ON o.id = c.organisation_id
      LEFT JOIN api_key k ON k.id = c.key_id LEFT JOIN app_user u ON u.id = c.user_id
     WHERE ${Prisma.join(conditions, " AND ")} ORDER BY c.id DESC LIMIT ${query.limit}`;
}

/** Returns the conversation that stores a request; null: none of the scope does. */
export async function findConversationOf(db: Db, scope: ConversationScope, requestId: string): Promise<number | null> {
  const [row] = await db.$queryRaw<{ id: number }[]>`
    SELECT c.id FROM conversation_turn t JOIN conversation c ON c.id = t.conversation_id
     WHERE t.request_id = ${requestId}::uuid AND t.expires_at > now() AND ${inScope(scope)}`;
  return row?.id ?? null;
}

export const findTurn = (db: Db, requestId: string) => db.conversationTurn.findUnique({ where: { requestId } });

/** Returns the latest turns of conversations, in chronological order. */
export const findTurns = (db: Db, conversationIds: readonly number[], limit: number) =>
  db.conversationTurn
    .findMany({ where: { conversationId: { in: [...conversationIds] } }, orderBy: { at: "desc" }, take: limit })
    .then((turns) => turns.toReversed());

/** Returns the number of deleted conversations: 0 or 1. */
export const deleteConversationRow = (db: Db, scope: ConversationScope, id: number): Promise<number> =>
  db.$executeRaw`DELETE FROM conversation c WHERE c.id = ${id} AND ${inScope(scope)}`;

/** Deletes expired turns, and conversations without turns. Returns the number of turns. */
export async function deleteExpired(db: Db, maximum: number): Promise<number> {
  const [{ count }] = await db.$queryRaw<[{ count: number }]>`
    WITH gone AS (
      DELETE FROM conversation_turn WHERE request_id IN (
        SELECT request_id FROM conversation_turn WHERE expires_at <= now() ORDER BY expires_at LIMIT ${maximum})
      RETURNING conversation_id, request_id
    ), fewer AS (
      UPDATE conversation c SET turns = greatest(c.turns - g.n, 0) FROM (SELECT conversation_id, count(*)::integer AS n FROM gone GROUP BY 1) g
       WHERE c.id = g.conversation_id)
    SELECT count(*)::integer AS count FROM gone`;
  await db.$executeRaw`
    DELETE FROM conversation c WHERE c.turns <= 0 AND NOT EXISTS (SELECT 1 FROM conversation_turn t WHERE t.conversation_id = c.id)`;
  return count;
}

/** Changes the expiry of stored turns to the new retention. */
export const moveExpiry = (db: Db, organisationId: number, days: number): Promise<number> =>
  db.$executeRaw`
    UPDATE conversation_turn t SET expires_at = t.at + ${days}::integer * interval '1 day'
      FROM conversation c WHERE c.id = t.conversation_id AND c.organisation_id = ${organisationId}`;
