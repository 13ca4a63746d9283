-- The room's clock, and the trigger of append-only tables.

-- The room's clock: the database's, plus an offset that tests set for their own sessions.
CREATE OR REPLACE FUNCTION app_now() RETURNS timestamptz LANGUAGE sql VOLATILE AS $$
  SELECT clock_timestamp() + coalesce(nullif(current_setting('gw.clock_offset', true), ''), '0')::interval
$$;

-- Requests are stamped with the end of the next slot of 100 ms. So each counts for at least 60 seconds, also one that takes a spare
-- hold placed up to 100 ms before, and a key has about 600 stamps.
CREATE OR REPLACE FUNCTION rate_slot(p_at timestamptz) RETURNS timestamptz LANGUAGE sql IMMUTABLE AS $$
  SELECT date_bin(interval '100 milliseconds', p_at, timestamptz 'epoch') + interval '200 milliseconds'
$$;

CREATE OR REPLACE FUNCTION forbid_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only: % refused', TG_TABLE_NAME, TG_OP USING ERRCODE = '23514';
END $$;
