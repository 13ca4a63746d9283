import type { Db } from "~/connection/db.server";

/** A defect of a chain entry, or of an event. */
export type ChainDefect = { defect: string; position: bigint | null; actId: bigint };

/** A range of the chain that was verified: its last entry, and its defects. */
export type Stretch = {
  entries: bigint;
  redactions: bigint;
  position: bigint;
  hash: string;
  holdsExpected: boolean;
  defects: bigint;
};

/**
 * Verifies at most `entries` entries after `position`; `hash` is the hash of the entry before them. The digests are
 * those of the migration, written with PostgreSQL's own functions only.
 */
export async function readStretch(
  db: Db,
  after: { position: bigint; hash: string },
  { entries, expected }: { entries: number; expected: string },
): Promise<{ stretch: Stretch; defects: ChainDefect[] } | null> {
  const [row] = await db.$queryRaw<(Stretch & { found: [string, string, string][] })[]>`
    WITH stretch AS (
      SELECT c.*, lag(c.position, 1, ${after.position}::bigint) OVER w AS position_before,
             lag(c.hash, 1, decode(${after.hash}, 'hex')) OVER w AS hash_before
        FROM (SELECT * FROM audit_chain WHERE position > ${after.position}::bigint ORDER BY position LIMIT ${entries}) c
      WINDOW w AS (ORDER BY c.position)
    ), looked_at AS (
      SELECT s.position, s.act_id, s.hash,
             EXISTS (SELECT FROM audit_chain e WHERE e.act_id = s.act_id AND e.position < s.position) AS redacts,
             CASE
               WHEN s.position <> s.position_before + 1 THEN 'entries_missing'
               WHEN a.id IS NULL THEN 'event_missing'
               WHEN s.fixed_digest <> sha256(convert_to(jsonb_build_array(a.id, (extract(epoch FROM a.at) * 1000000)::bigint,
                      a.actor_id, a.organisation_id, a.department_id, a.subject_user_id, a.action, a.target_kind, a.target_id)::text, 'UTF8'))
                 THEN 'event_changed'
               WHEN s.redactable_digest <> sha256(convert_to(jsonb_build_array(a.salt, a.actor_label, a.address, a.target_label,
                      a.before, a.after)::text, 'UTF8'))
                AND NOT EXISTS (SELECT FROM audit_chain e WHERE e.act_id = s.act_id AND e.position > s.position)
                 THEN 'event_changed'
               WHEN s.hash <> sha256(s.hash_before || int8send(s.position) || s.fixed_digest || s.redactable_digest)
                 THEN 'order_changed'
             END AS defect
        FROM stretch s LEFT JOIN act a ON a.id = s.act_id
    )
    SELECT count(*) AS entries, count(*) FILTER (WHERE redacts) AS redactions, count(defect) AS defects,
           max(position) AS position, encode((array_agg(hash ORDER BY position DESC))[1], 'hex') AS hash,
           coalesce(bool_or(encode(hash, 'hex') = ${expected}), false) AS "holdsExpected",
           coalesce(json_agg(json_build_array(defect, position::text, act_id::text) ORDER BY position)
             FILTER (WHERE defect IS NOT NULL), '[]') AS found
      FROM looked_at`;
  if (row === undefined || row.entries === 0n) return null;
  const { found, ...stretch } = row;
  const defects = found.map(([defect, position, actId]) => ({
    defect,
    position: BigInt(position),
    actId: BigInt(actId),
  }));
  return { stretch, defects };
}

/** Returns events that have no entry in the chain. */
export async function findUnchained(db: Db, maximum: number): Promise<{ count: bigint; ids: bigint[] }> {
  const [row] = await db.$queryRaw<{ count: bigint; ids: bigint[] | null }[]>`
    WITH unchained AS (SELECT a.id FROM act a WHERE NOT EXISTS (SELECT FROM audit_chain c WHERE c.act_id = a.id))
    SELECT count(*) AS count, (SELECT array_agg(x.id) FROM (SELECT id FROM unchained ORDER BY id LIMIT ${maximum}) x) AS ids
      FROM unchained`;
  return { count: row!.count, ids: row!.ids ?? [] };
}

/** Returns the newest entry; null when nothing was recorded yet. */
export async function readHead(db: Db): Promise<{ position: bigint; hash: string } | null> {
  const [row] = await db.$queryRaw<{ position: bigint; hash: string }[]>`
    SELECT position, encode(hash, 'hex') AS hash FROM audit_chain ORDER BY position DESC LIMIT 1`;
  return row ?? null;
}
