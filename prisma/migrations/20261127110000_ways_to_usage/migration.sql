-- Ways to usage rows: what the request log is narrowed to is found at once, however many calls do not match.

-- A model at a supplier in a region, as one number. Of the hash of a hash partition, so it stays what it is in every version.
CREATE FUNCTION usage_lane(model text, supplier text, region text) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN hashtextextended(model || chr(31) || supplier || chr(31) || region, 0);
CREATE INDEX usage_event_lane ON usage_event (organisation_id, usage_lane(model, supplier, region), id);
CREATE INDEX usage_event_key_lane ON usage_event (key_id, usage_lane(model, supplier, region), id);

-- Of those that are dear or slow there are few, and they are put in order when they are found.
CREATE INDEX usage_event_charged ON usage_event (organisation_id, charged);
CREATE INDEX usage_event_latency ON usage_event (organisation_id, latency_ms);

-- Only calls with a note of a guardrail.
CREATE INDEX usage_event_guarded ON usage_event (organisation_id, id) WHERE routing->'guardrails' IS NOT NULL;

-- Numbers are given in the order in which calls end: with both, those of a span that ended late are told from all others.
DROP INDEX usage_event_started;
CREATE INDEX usage_event_started ON usage_event USING brin (started_at, id) WITH (pages_per_range = 32, autosummarize = on);

-- Which keys a department or a project has used.
CREATE INDEX usage_hour_department_key ON usage_hour (department_id, key_id) WHERE department_id <> 0;
CREATE INDEX usage_hour_project_key ON usage_hour (project_id, key_id) WHERE project_id <> 0;

-- Rows of a span that have a number from `p_low`, below `p_high`. Only the index of both is asked: what else is known of the two, taken
-- for independent of each other, speaks for reading the whole table.
CREATE FUNCTION usage_strays(p_since timestamptz, p_until timestamptz, p_low bigint, p_high bigint) RETURNS SETOF usage_event
LANGUAGE sql STABLE SET enable_seqscan = off SET max_parallel_workers_per_gather = 0 AS $$
  SELECT * FROM usage_event
   WHERE id >= p_low AND id < p_high AND started_at >= coalesce(p_since, '-infinity') AND started_at < coalesce(p_until, 'infinity')
$$;
