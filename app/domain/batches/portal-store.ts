import type { Db } from "~/connection/db.server";
import { Prisma } from "~/generated/prisma/client";
import type { Batch, BatchState } from "./shared";
import { VIEW } from "./store";

/** The owner filter: a person's batches in their organisation, and optionally those of its unassigned keys. */
type Visible = { organisationId: number; userId: number; unassigned: boolean };

export type VisibleRow = Batch & { keyName: string };

const NAMED = Prisma.sql`${VIEW}, coalesce((SELECT name FROM api_key k WHERE k.id = batch.key_id), '') AS "keyName"`;

const inside = ({ organisationId, userId, unassigned }: Visible): Prisma.Sql =>
  Prisma.sql`organisation_id = ${organisationId}::integer
    AND (user_id = ${userId}::integer OR (${unassigned}::boolean AND user_id IS NULL))`;

export async function findVisible(db: Db, whose: Visible, id: string): Promise<VisibleRow | null> {
  const [row] = await db.$queryRaw<VisibleRow[]>`SELECT ${NAMED} FROM batch WHERE id = ${id} AND ${inside(whose)}`;
  return row ?? null;
}

export const listVisible = (
  db: Db,
  whose: Visible,
  { after, limit, state }: { after: string | null; limit: number; state: BatchState | null },
): Promise<VisibleRow[]> =>
  db.$queryRaw<VisibleRow[]>`
    SELECT ${NAMED} FROM batch
     WHERE ${inside(whose)} AND (${state}::text IS NULL OR state = ${state})
       AND (${after}::text IS NULL OR (created_at, id) < (SELECT created_at, id FROM batch WHERE id = ${after} AND ${inside(whose)}))
     ORDER BY created_at DESC, id DESC LIMIT ${limit}::integer`;
