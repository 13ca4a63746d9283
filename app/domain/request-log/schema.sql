-- `npm run migrate -- picture` writes this file, and keeps its comments.

-- Requests of known keys that were refused before a supplier was called, shown to people who look for the reason.
-- Written in the background: a crash can lose the last second. Kept for seven days.
CREATE TABLE gateway_refusal (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at timestamptz NOT NULL,
  key_id integer NOT NULL,
  organisation_id integer NOT NULL,
  request_id uuid NOT NULL,
  endpoint text NOT NULL,
  model text NOT NULL,
  code text NOT NULL,
  status smallint NOT NULL,
  param text,
  human_message text NOT NULL,
  retry_after_seconds integer,
  -- Which budget or wallet a request was refused by; NULL where it was refused for something else.
  scope text,
  -- The figures of a refusal for lack of money, as its client received them; pages show them in the reader's language.
  details jsonb,
  -- Which wallet a request was refused for want of money in; NULL where it was refused for something else.
  wallet_id bigint,
  -- Refusals of one kind that follow one another are one row: the first of them, how many they are, and when the last
  -- was.
  times integer NOT NULL DEFAULT 1 CHECK (times > 0),
  -- Refusals of one kind that follow one another are one row: the first of them, how many they are, and when the last
  -- was.
  last_at timestamptz NOT NULL,
  -- The ids of the latest requests of a burst, besides its first one.
  later_ids uuid[] NOT NULL DEFAULT '{}',
  CONSTRAINT gateway_refusal_check CHECK (last_at >= at)
);
CREATE INDEX gateway_refusal_at ON gateway_refusal (at);
CREATE INDEX gateway_refusal_key ON gateway_refusal (key_id, id);
CREATE INDEX gateway_refusal_request ON gateway_refusal (request_id);

-- Refusals by the day of UTC: `refusal_hour` in as many rows as there are days, written with it.
CREATE TABLE refusal_day (
  day timestamptz,
  key_id integer,
  code text,
  scope text,
  refusals bigint NOT NULL CHECK (refusals > 0),
  PRIMARY KEY (key_id, day, code, scope)
);
CREATE INDEX refusal_day_day ON refusal_day (day);

-- Requests of a key that were refused before a supplier was called, by the hour (UTC), by code and by the scope of the
-- limit: '' where there was none. Written in the background: a crash can lose the last second. Contains nothing that a
-- client writes, so that the number of rows has a bound. Kept for 400 days.
CREATE TABLE refusal_hour (
  hour timestamptz,
  key_id integer,
  code text,
  scope text,
  refusals bigint NOT NULL CHECK (refusals > 0),
  last_at timestamptz NOT NULL,
  PRIMARY KEY (key_id, hour, code, scope)
);
CREATE INDEX refusal_hour_hour ON refusal_hour (hour);
-- When a key was refused last, also of keys that never were.
CREATE INDEX refusal_hour_last ON refusal_hour (key_id, last_at);
CREATE TRIGGER refusal_hour_deleted AFTER DELETE ON refusal_hour REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION refusal_days_shrink();
CREATE TRIGGER refusal_hour_inserted AFTER INSERT ON refusal_hour REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION refusal_days_grow();
CREATE TRIGGER refusal_hour_updated AFTER UPDATE ON refusal_hour REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION refusal_days_change();
