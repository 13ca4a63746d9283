-- The room's clock, and what makes a table append-only.

-- The room's clock: the database's, plus an offset that tests set for their own sessions.
CREATE OR REPLACE FUNCTION app_now() RETURNS timestamptz LANGUAGE sql VOLATILE AS $$
  SELECT clock_timestamp() + coalesce(nullif(current_setting('gw.clock_offset', true), ''), '0')::interval
$$;

CREATE OR REPLACE FUNCTION forbid_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only: % refused', TG_TABLE_NAME, TG_OP USING ERRCODE = '23514';
END $$;
