import type pg from "pg";

/** The first migration of the release since which every session is in UTC. */
const IN_UTC_SINCE = "20261129000000_route_profiles";
/** A cron pattern with one hour and one minute. */
const DAILY = "^[0-5]?\\d ([01]?\\d|2[0-3]) ";

/** Times that an earlier release may have written in another time zone than UTC, without proof. */
type UnprovenMoments = {
  zone: string;
  /** `keys`: keys with an expiry; `schedules`: report schedules whose next run is not at the hour of their pattern. */
  keys: number;
  schedules: number;
};

/**
 * Counts the times that the migration for other time zones could not correct, because neither the audit log nor a
 * schedule's pattern proves them. Null when none remain, when the installation began with this release, and when the
 * time zone of the database is UTC under any name.
 */
export async function unprovenMoments(client: Pick<pg.Client, "query">): Promise<UnprovenMoments | null> {
  const { rows } = await client.query<UnprovenMoments>(
    `SELECT reset_val AS zone,
            (SELECT count(*)::int FROM api_key k
              WHERE expires_at > now() AND status <> 'revoked' AND created_at < until AND NOT EXISTS (
                SELECT FROM (SELECT after ->> 'expires_at' AS moment FROM act
                              WHERE target_kind = 'key' AND target_id = k.id::text AND after ? 'expires_at' ORDER BY id DESC LIMIT 1) a
                 WHERE moment = to_char(k.expires_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))) AS keys,
            (SELECT count(*)::int FROM report_schedule s
              WHERE created_at < until AND CASE WHEN cron ~ '${DAILY}' AND zone IN (SELECT name FROM pg_timezone_names)
                THEN make_time(split_part(cron, ' ', 2)::int, split_part(cron, ' ', 1)::int, 0) <> (next_run_at AT TIME ZONE zone)::time END) AS schedules
       FROM pg_settings, (SELECT min(finished_at) AS first, max(finished_at) FILTER (WHERE migration_name = $1) AS since FROM _prisma_migrations) m,
            LATERAL (SELECT since + interval '14 hours' AS until) u
      WHERE name = 'TimeZone' AND first < since - interval '1 hour'
        AND EXISTS (SELECT FROM unnest('{2026-01-01,2026-07-01}'::timestamp[]) at WHERE at AT TIME ZONE reset_val <> at AT TIME ZONE 'UTC')`,
    [IN_UTC_SINCE],
  );
  const [zone] = rows;
  return zone === undefined || zone.keys + zone.schedules === 0 ? null : zone;
}
