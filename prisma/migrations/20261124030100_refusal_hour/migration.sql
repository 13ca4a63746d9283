-- Refusals of one kind that follow one another are one row: the first of them, how many they are, and when the last was.
ALTER TABLE gateway_refusal ADD COLUMN times integer NOT NULL DEFAULT 1 CHECK (times > 0), ADD COLUMN last_at timestamptz;
UPDATE gateway_refusal SET last_at = at;
ALTER TABLE gateway_refusal ALTER COLUMN last_at SET NOT NULL, ADD CHECK (last_at >= at);
CREATE INDEX gateway_refusal_request ON gateway_refusal (request_id);

-- How many requests of a key were refused before a supplier was called, by the hour (UTC), for what, and by whose limit: '' where
-- it was none. Written in the background, so a crash can lose the last second. What a client writes is no part of it, so
-- that the number of rows has a bound. Kept for 400 days.
CREATE TABLE refusal_hour (
  hour     timestamptz NOT NULL,
  key_id   integer NOT NULL,
  code     text NOT NULL,
  scope    text NOT NULL,
  refusals bigint NOT NULL CHECK (refusals > 0),
  last_at  timestamptz NOT NULL,
  PRIMARY KEY (key_id, hour, code, scope)
);
CREATE INDEX refusal_hour_hour ON refusal_hour (hour);
INSERT INTO refusal_hour (hour, key_id, code, scope, refusals, last_at)
  SELECT date_trunc('hour', at, 'UTC'), key_id, code, coalesce(scope, ''), count(*), max(at) FROM gateway_refusal GROUP BY 1, 2, 3, 4;
