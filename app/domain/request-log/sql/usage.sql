-- Access paths to usage rows.

-- A lane (model at a supplier in a region) as one number. It uses the hash of hash partitioning, which is the same in every version of
-- PostgreSQL.
CREATE OR REPLACE FUNCTION usage_lane(model text, supplier text, region text) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN hashtextextended(model || chr(31) || supplier || chr(31) || region, 0);

-- Rows of a span with an id from `p_low` to below `p_high`. A function, so that only the index on both columns is used: the planner takes
-- time and id for independent and would read the whole table.
CREATE OR REPLACE FUNCTION usage_strays(p_since timestamptz, p_until timestamptz, p_low bigint, p_high bigint) RETURNS SETOF usage_event
LANGUAGE sql STABLE SET enable_seqscan = off SET max_parallel_workers_per_gather = 0 AS $$
  SELECT * FROM usage_event
   WHERE id >= p_low AND id < p_high AND started_at >= coalesce(p_since, '-infinity') AND started_at < coalesce(p_until, 'infinity')
$$;
