import type pg from "pg";

/** The first migration of the release from which on every session is in UTC. */
const IN_UTC_SINCE = "20261129000000_route_profiles";

/**
 * The time zone in which earlier releases have written into this database, where it is another than UTC: the moments that people chose
 * then are off by its offset. Null for an installation that began with this release, and where the zone is UTC by whatever name.
 */
export async function formerZone(client: Pick<pg.Client, "query">): Promise<string | null> {
  const { rows } = await client.query<{ zone: string }>(
    `SELECT reset_val AS zone FROM pg_settings
      WHERE name = 'TimeZone'
        AND EXISTS (SELECT FROM unnest('{2026-01-01,2026-07-01}'::timestamp[]) at WHERE at AT TIME ZONE reset_val <> at AT TIME ZONE 'UTC')
        AND (SELECT min(finished_at) < max(finished_at) FILTER (WHERE migration_name = $1) - interval '1 hour' FROM _prisma_migrations)`,
    [IN_UTC_SINCE],
  );
  return rows[0]?.zone ?? null;
}
