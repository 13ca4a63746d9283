-- Ways to usage rows.

-- A model at a supplier in a region, as one number. Of the hash of a hash partition, so it stays what it is in every version.
CREATE OR REPLACE FUNCTION usage_lane(model text, supplier text, region text) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN hashtextextended(model || chr(31) || supplier || chr(31) || region, 0);

-- Rows of a span that have a number from `p_low`, below `p_high`. Only the index of both is asked: what else is known of the two, taken
-- for independent of each other, speaks for reading the whole table.
CREATE OR REPLACE FUNCTION usage_strays(p_since timestamptz, p_until timestamptz, p_low bigint, p_high bigint) RETURNS SETOF usage_event
LANGUAGE sql STABLE SET enable_seqscan = off SET max_parallel_workers_per_gather = 0 AS $$
  SELECT * FROM usage_event
   WHERE id >= p_low AND id < p_high AND started_at >= coalesce(p_since, '-infinity') AND started_at < coalesce(p_until, 'infinity')
$$;
