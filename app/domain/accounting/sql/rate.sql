-- Counts a request without a hold in the key's rate window. Returns 0; or, if the request does not fit and was not counted, the whole
-- seconds until one fits.
CREATE OR REPLACE FUNCTION rate_take(p_key integer, p_rpm integer) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  v_now timestamptz;
  v_used integer;
  v_room timestamptz;
BEGIN
  INSERT INTO rate_window (key_id) VALUES (p_key) ON CONFLICT DO NOTHING;
  PERFORM FROM rate_window WHERE key_id = p_key FOR NO KEY UPDATE;
  v_now := app_now();
  WITH gone AS (
    DELETE FROM rate_stamp WHERE key_id = p_key AND (at <= v_now - interval '60 seconds' OR at > v_now + interval '1 second') RETURNING n)
  UPDATE rate_window SET used = used - (SELECT coalesce(sum(n), 0)::integer FROM gone) WHERE key_id = p_key RETURNING used INTO v_used;
  IF v_used >= p_rpm THEN
    SELECT x.at INTO v_room
      FROM (SELECT at, sum(n) OVER (ORDER BY at) AS leaving FROM rate_stamp WHERE key_id = p_key) x
     WHERE x.leaving > v_used - p_rpm ORDER BY x.at LIMIT 1;
    RETURN greatest(1, ceil(extract(epoch FROM coalesce(v_room, v_now) + interval '60 seconds' - v_now)))::integer;
  END IF;
  UPDATE rate_window SET used = used + 1 WHERE key_id = p_key;
  INSERT INTO rate_stamp (key_id, at, n) VALUES (p_key, rate_slot(v_now), 1)
    ON CONFLICT (key_id, at) DO UPDATE SET n = rate_stamp.n + 1;
  RETURN 0;
END $$;
