import type { Db } from "~/connection/db.server";
import type { WebhookNote } from "~/domain/guardrails/shared";
import { Prisma } from "~/generated/prisma/client";
import type { LinePlace, SentLine, SupplierBatch } from "./shared";

const VIEW = Prisma.sql`
  id, batch_id AS "batchId", route_id AS "routeId", supplier, credential, price_version::float8 AS "priceVersion",
  price_millionths AS "priceMillionths", state, upstream_id AS "upstreamId", lines, not_before IS NULL OR not_before <= now() AS "isDue",
  extract(epoch FROM now() - created_at)::float8 AS "ageSeconds", creating_at AS "creatingAt", cancelling_at AS "cancellingAt"`;

/** Lists the routes with lines that wait for a supplier's batch. */
export async function findUnsentRoutes(db: Db, batchId: string): Promise<number[]> {
  const rows = await db.$queryRaw<{ routeId: number }[]>`
    SELECT DISTINCT route_id AS "routeId" FROM batch_line
     WHERE batch_id = ${batchId} AND failed IS NULL AND route_id IS NOT NULL AND supplier_batch_id IS NULL ORDER BY 1`;
  return rows.map(({ routeId }) => routeId);
}

export const findUnsentLines = (
  db: Db,
  batchId: string,
  { routeId, limit }: { routeId: number; limit: number },
): Promise<LinePlace[]> =>
  db.$queryRaw<LinePlace[]>`
    SELECT position, at::float8 AS at, bytes FROM batch_line
     WHERE batch_id = ${batchId} AND failed IS NULL AND route_id = ${routeId}::integer AND supplier_batch_id IS NULL
     ORDER BY position LIMIT ${limit}::integer`;

/** Locks a batch in progress; false: it starts no more lines. */
export async function lockBegun(tx: Db, batchId: string): Promise<boolean> {
  const rows = await tx.$queryRaw<unknown[]>`
    SELECT 1 FROM batch WHERE id = ${batchId} AND state = 'in_progress' AND expires_at > now() FOR NO KEY UPDATE`;
  return rows.length > 0;
}

export async function insertSupplierBatch(
  tx: Db,
  row: Pick<
    SupplierBatch,
    "id" | "batchId" | "routeId" | "supplier" | "credential" | "priceVersion" | "priceMillionths" | "lines"
  >,
): Promise<SupplierBatch> {
  const [made] = await tx.$queryRaw<SupplierBatch[]>`
    INSERT INTO supplier_batch (id, batch_id, route_id, supplier, credential, price_version, price_millionths, lines, created_at)
    VALUES (${row.id}, ${row.batchId}, ${row.routeId}::integer, ${row.supplier}, ${row.credential}, ${row.priceVersion}::bigint,
            ${row.priceMillionths}::integer, ${row.lines}::integer, now())
    RETURNING ${VIEW}`;
  return made as SupplierBatch;
}

/** Adds lines to a supplier's batch, each with its call id. Returns the number of added lines. */
export const putLinesSent = (
  tx: Db,
  { id, batchId }: SupplierBatch,
  lines: readonly { position: number; callId: string }[],
): Promise<number> =>
  tx.$executeRaw`
    UPDATE batch_line l SET supplier_batch_id = ${id}, call_id = u.call_id
      FROM unnest(${lines.map(({ position }) => position)}::integer[], ${lines.map(({ callId }) => callId)}::uuid[]) AS u (position, call_id)
     WHERE l.batch_id = ${batchId} AND l.position = u.position AND l.failed IS NULL AND l.supplier_batch_id IS NULL`;

export const putWebhookNotes = (
  db: Db,
  batchId: string,
  { position, notes }: { position: number; notes: readonly WebhookNote[] },
): Promise<number> =>
  db.$executeRaw`
    UPDATE batch_line SET webhook_notes = ${JSON.stringify(notes)}::jsonb
     WHERE batch_id = ${batchId} AND position = ${position}::integer AND failed IS NULL`;

/** Lists the open lines of a supplier's batch. */
export const findSentLines = (db: Db, id: string): Promise<SentLine[]> =>
  db.$queryRaw<SentLine[]>`
    SELECT position, at::float8 AS at, bytes, tries, begun_at IS NOT NULL AS begun, call_id::text AS "callId", webhook_notes AS "webhookNotes"
      FROM batch_line WHERE supplier_batch_id = ${id} AND failed IS NULL ORDER BY position`;

/** Removes open lines from a supplier's batch. `asCalls`: they are then processed as calls. */
export const putLinesBack = (
  tx: Db,
  id: string,
  { positions, asCalls }: { positions: readonly number[] | null; asCalls: boolean },
): Promise<number> =>
  tx.$executeRaw`
    UPDATE batch_line SET supplier_batch_id = NULL, call_id = NULL, route_id = CASE WHEN ${asCalls}::boolean THEN NULL ELSE route_id END
     WHERE supplier_batch_id = ${id} AND failed IS NULL
       AND (${positions === null}::boolean OR position = ANY (${[...(positions ?? [])]}::integer[]))`;

/** Processes lines that are not in a supplier's batch yet as calls. */
export const putRouteAway = (tx: Db, batchId: string, routeId: number): Promise<number> =>
  tx.$executeRaw`
    UPDATE batch_line SET route_id = NULL
     WHERE batch_id = ${batchId} AND route_id = ${routeId}::integer AND supplier_batch_id IS NULL AND failed IS NULL`;

export const putLineCount = (tx: Db, id: string): Promise<number> =>
  tx.$executeRaw`
    UPDATE supplier_batch SET lines = (SELECT count(*)::integer FROM batch_line WHERE supplier_batch_id = ${id}) WHERE id = ${id}`;

/** Also unlinks its finished lines. */
export async function deleteSupplierBatch(tx: Db, id: string): Promise<void> {
  await tx.$executeRaw`UPDATE batch_line SET supplier_batch_id = NULL, call_id = NULL WHERE supplier_batch_id = ${id}`;
  await tx.$executeRaw`DELETE FROM supplier_batch WHERE id = ${id}`;
}

export const findSupplierBatches = (db: Db, batchId: string): Promise<SupplierBatch[]> =>
  db.$queryRaw<SupplierBatch[]>`
    SELECT ${VIEW} FROM supplier_batch WHERE batch_id = ${batchId} AND ended_at IS NULL ORDER BY created_at, id`;

export const putCreating = (db: Db, id: string): Promise<number> =>
  db.$executeRaw`
    UPDATE supplier_batch s SET state = 'creating', creating_at = now(), lines = (
             SELECT count(*)::integer FROM batch_line WHERE supplier_batch_id = s.id AND failed IS NULL)
      FROM batch b
     WHERE s.id = ${id} AND s.state = 'preparing' AND b.id = s.batch_id AND b.state = 'in_progress' AND b.expires_at > now()`;

export const putRunning = (db: Db, id: string, upstreamId: string): Promise<number> =>
  db.$executeRaw`
    UPDATE supplier_batch SET state = 'running', upstream_id = ${upstreamId} WHERE id = ${id} AND state = 'creating'`;

export const putNotBefore = (db: Db, id: string, seconds: number): Promise<number> =>
  db.$executeRaw`
    UPDATE supplier_batch SET not_before = now() + ${seconds}::float8 * interval '1 second' WHERE id = ${id} AND ended_at IS NULL`;

export const putCancelling = (db: Db, id: string): Promise<number> =>
  db.$executeRaw`UPDATE supplier_batch SET cancelling_at = now() WHERE id = ${id} AND cancelling_at IS NULL`;

export const putEnded = (db: Db, id: string): Promise<number> =>
  db.$executeRaw`
    UPDATE supplier_batch SET state = 'ended', ended_at = now() WHERE id = ${id} AND ended_at IS NULL`;

export const putRefused = (tx: Db, id: string, reason: string): Promise<number> =>
  tx.$executeRaw`
    UPDATE supplier_batch SET state = 'refused', ended_at = now(), reason = ${reason} WHERE id = ${id} AND ended_at IS NULL`;
