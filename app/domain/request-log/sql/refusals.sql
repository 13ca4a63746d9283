-- Rejections by UTC day, maintained by triggers of refusal_hour.

-- Every process locks the daily rows in the same order, after the hourly rows.
CREATE OR REPLACE FUNCTION refusal_days_grow() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO refusal_day AS d (day, key_id, code, scope, refusals)
    SELECT date_trunc('day', hour, 'UTC'), key_id, code, scope, sum(refusals) FROM added GROUP BY 1, 2, 3, 4 ORDER BY 2, 1, 3, 4
  ON CONFLICT (key_id, day, code, scope) DO UPDATE SET refusals = d.refusals + excluded.refusals;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION refusal_days_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE refusal_day d SET refusals = d.refusals + x.refusals
    FROM (SELECT date_trunc('day', hour, 'UTC') AS day, key_id, code, scope, sum(refusals) AS refusals
            FROM (SELECT hour, key_id, code, scope, refusals FROM added UNION ALL SELECT hour, key_id, code, scope, -refusals FROM removed) both_of
           GROUP BY 1, 2, 3, 4 ORDER BY 2, 1, 3, 4) x
   WHERE (d.key_id, d.day, d.code, d.scope) = (x.key_id, x.day, x.code, x.scope) AND x.refusals <> 0;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION refusal_days_shrink() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  WITH gone AS MATERIALIZED (
    SELECT date_trunc('day', hour, 'UTC') AS day, key_id, code, scope, sum(refusals) AS refusals FROM removed GROUP BY 1, 2, 3, 4
  ), less AS (
    UPDATE refusal_day d SET refusals = d.refusals - g.refusals FROM gone g
     WHERE (d.key_id, d.day, d.code, d.scope) = (g.key_id, g.day, g.code, g.scope) AND d.refusals > g.refusals
  )
  DELETE FROM refusal_day d USING gone g
   WHERE (d.key_id, d.day, d.code, d.scope) = (g.key_id, g.day, g.code, g.scope) AND d.refusals <= g.refusals;
  RETURN NULL;
END $$;
