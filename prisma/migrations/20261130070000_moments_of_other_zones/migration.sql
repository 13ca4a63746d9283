-- Versions up to 0.1.0 wrote moments without an offset, and the database took them for those of its own time zone: where that was not UTC, they are
-- off by the zone's offset. The audit log has some of them as texts, and a report schedule has its pattern. A row is put right where its moment is
-- exactly what the zone has made of the right one; everything else stays as it is.
DO $$
DECLARE
  v_iso CONSTANT text := '^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$';
  v_daily CONSTANT text := '^[0-5]?\d ([01]?\d|2[0-3]) ';
  v_first timestamptz;
  v_gap interval;
  v_offset interval;
  v_zones text[];
  v_has_not_changed boolean;
  r record;
BEGIN
  -- A first start notes the end of its migrations, like other moments, and then by the database's own clock that its scripts are applied.
  SELECT min(applied_at) INTO v_first FROM repeatable_script;
  SELECT v_first - max(finished_at) INTO v_gap FROM _prisma_migrations
   WHERE finished_at < (SELECT min(finished_at) FROM _prisma_migrations) + interval '10 minutes';
  v_offset := floor((extract(epoch FROM v_gap) + 2) / 900) * interval '15 minutes';
  IF v_offset IS NULL OR v_offset = interval '0' OR v_gap - v_offset > interval '3 minutes' OR abs(extract(epoch FROM v_offset)) > 14 * 3600 THEN
    RETURN;
  END IF;
  -- The zone that the database has now, where it had that offset then; else each that had it, because the setting has changed since.
  SELECT array_agg(name) INTO v_zones FROM pg_timezone_names
   WHERE (v_first AT TIME ZONE name) - (v_first AT TIME ZONE 'UTC') = v_offset;
  SELECT reset_val = ANY (v_zones) AND (SELECT max(finished_at) > now() - interval '1 hour' FROM _prisma_migrations
                                         WHERE migration_name = '20261129000000_route_profiles'),
         CASE WHEN reset_val = ANY (v_zones) THEN ARRAY[reset_val] ELSE v_zones END
    INTO v_has_not_changed, v_zones FROM pg_settings WHERE name = 'TimeZone';

  FOR r IN
    SELECT m.what, m.id, m.stored, m.moment
      FROM (
        SELECT 'key' AS what, k.id::bigint AS id, k.expires_at AS stored, a.moment
          FROM api_key k CROSS JOIN LATERAL (
            SELECT CASE WHEN after ->> 'expires_at' ~ v_iso THEN (after ->> 'expires_at')::timestamptz END AS moment FROM act
             WHERE target_kind = 'key' AND target_id = k.id::text AND after ? 'expires_at' ORDER BY id DESC LIMIT 1) a
        UNION ALL
        SELECT 'previous', k.id, k.previous_valid_until, a.moment
          FROM api_key k CROSS JOIN LATERAL (
            SELECT CASE WHEN after ->> 'previous_valid_until' ~ v_iso THEN (after ->> 'previous_valid_until')::timestamptz END AS moment FROM act
             WHERE target_kind = 'key' AND target_id = k.id::text AND action = 'key.rotate' ORDER BY id DESC LIMIT 1) a
        UNION ALL
        SELECT 'promotion', p.id, p.expires_at, a.moment
          FROM promotion p CROSS JOIN LATERAL (
            SELECT CASE WHEN after ->> 'expiresAt' ~ v_iso THEN (after ->> 'expiresAt')::timestamptz END AS moment FROM act
             WHERE target_kind = 'promotion' AND target_id = p.id::text AND after ? 'expiresAt' ORDER BY id DESC LIMIT 1) a
        UNION ALL
        -- What a price was while calls were charged is history.
        SELECT 'price', p.id, p.valid_from, a.moment
          FROM price p CROSS JOIN LATERAL (
            SELECT DISTINCT (after ->> 'from')::timestamptz AS moment FROM act
             WHERE target_kind = 'price' AND target_id = p.route_id::text AND action = 'price.update'
               AND CASE WHEN after ->> 'from' ~ v_iso THEN (after ->> 'from')::timestamptz > now() END) a
         WHERE NOT EXISTS (SELECT FROM price other WHERE other.route_id = p.route_id AND other.valid_from = a.moment)
        UNION ALL
        -- By the clocks of its own zone a schedule runs at the hour and minute of its pattern.
        SELECT 'schedule', s.id, s.next_run_at, s.next_run_at AT TIME ZONE former AT TIME ZONE 'UTC'
          FROM report_schedule s CROSS JOIN unnest(v_zones) former
         WHERE CASE WHEN s.cron ~ v_daily AND s.zone IN (SELECT name FROM pg_timezone_names) THEN
                 (s.next_run_at AT TIME ZONE former AT TIME ZONE 'UTC' AT TIME ZONE s.zone)::time
                   = make_time(split_part(s.cron, ' ', 2)::int, split_part(s.cron, ' ', 1)::int, 0)
                 AND (s.next_run_at AT TIME ZONE s.zone)::time
                   <> make_time(split_part(s.cron, ' ', 2)::int, split_part(s.cron, ' ', 1)::int, 0) END
        UNION ALL
        -- An open invitation lasts for a week from its entry in the audit log, whose moment was written in the same way. No moment of this release is there yet.
        SELECT 'invite', i.id, i.expires_at, i.expires_at AT TIME ZONE v_zones[1] AT TIME ZONE 'UTC'
          FROM invite i CROSS JOIN LATERAL (
            SELECT at FROM act WHERE target_kind = 'invite' AND target_id = i.id::text AND action IN ('invite.create', 'invite.link')
             ORDER BY id DESC LIMIT 1) a
         WHERE v_has_not_changed AND i.accepted_at IS NULL AND i.revoked_at IS NULL
           AND i.expires_at - a.at BETWEEN interval '167 hours 58 minutes' AND interval '168 hours 2 minutes'
      ) m
     WHERE m.stored <> m.moment
       AND EXISTS (SELECT FROM unnest(v_zones) zone WHERE m.moment AT TIME ZONE 'UTC' AT TIME ZONE zone = m.stored)
     ORDER BY m.what, m.id
  LOOP
    CASE r.what
      WHEN 'key' THEN
        UPDATE api_key SET expires_at = r.moment WHERE id = r.id;
        INSERT INTO act (actor_label, organisation_id, department_id, subject_user_id, action, target_kind, target_id, target_label, before, after)
          SELECT 'operator', organisation_id, department_id, user_id, 'key.update', 'key', id::text, name,
                 jsonb_build_object('expires_at', to_char(r.stored AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')),
                 jsonb_build_object('expires_at', to_char(r.moment AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
            FROM api_key WHERE id = r.id;
      WHEN 'previous' THEN UPDATE api_key SET previous_valid_until = r.moment WHERE id = r.id;
      WHEN 'invite' THEN UPDATE invite SET expires_at = r.moment WHERE id = r.id;
      WHEN 'schedule' THEN UPDATE report_schedule SET next_run_at = r.moment WHERE id = r.id;
      WHEN 'promotion' THEN
        UPDATE promotion SET expires_at = r.moment WHERE id = r.id;
        UPDATE promotion_credit SET expires_at = r.moment WHERE promotion_id = r.id AND expires_at = r.stored AND remaining > 0;
      WHEN 'price' THEN UPDATE price SET valid_from = r.moment WHERE id = r.id;
    END CASE;
  END LOOP;
END $$;
