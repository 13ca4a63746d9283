-- Usage sums by UTC day, for past days.

-- Replaces the sums of one day, of all organisations or of one, and raises the version, which invalidates cached answers.
CREATE OR REPLACE FUNCTION usage_add_up_day(p_day timestamptz, p_organisation integer) RETURNS void LANGUAGE plpgsql
SET work_mem = '32MB' SET jit = off AS $$
BEGIN
  UPDATE usage_days SET version = version + 1;
  -- Deleted before the day is read: a call posted meanwhile inserts a new row, so the day is summed again.
  DELETE FROM usage_late WHERE day = p_day AND (p_organisation IS NULL OR organisation_id = p_organisation);
  DELETE FROM usage_day WHERE day = p_day AND (p_organisation IS NULL OR organisation_id = p_organisation);
  DELETE FROM usage_model_day WHERE day = p_day AND (p_organisation IS NULL OR organisation_id = p_organisation);
  DELETE FROM usage_routed_day WHERE day = p_day AND (p_organisation IS NULL OR organisation_id = p_organisation);
  INSERT INTO usage_day (
      organisation_id, day, key_id, user_id, department_id, project_id, model, supplier, region, requests, errors, failovers, routed,
      input_tokens, cached_input_tokens, cache_write_tokens, output_tokens, reasoning_tokens, cost, charged, saved,
      latency_ms, first_byte_ms, first_bytes)
    SELECT organisation_id, p_day, key_id, user_id, department_id, project_id, model, supplier, region,
           sum(requests), sum(errors), sum(failovers), sum(routed), sum(input_tokens), sum(cached_input_tokens), sum(cache_write_tokens),
           sum(output_tokens), sum(reasoning_tokens), sum(cost), sum(charged), sum(saved), sum(latency_ms), sum(first_byte_ms), sum(first_bytes)
      FROM usage_hour
     WHERE hour >= p_day AND hour < p_day + interval '24 hours' AND (p_organisation IS NULL OR organisation_id = p_organisation)
     GROUP BY 1, 3, 4, 5, 6, 7, 8, 9 ORDER BY 1, 3;
  INSERT INTO usage_model_day (
      organisation_id, day, model, supplier, region, requests, errors, failovers, routed, input_tokens, cached_input_tokens, cache_write_tokens,
      output_tokens, reasoning_tokens, cost, charged, saved, latency_ms, first_byte_ms, first_bytes)
    SELECT organisation_id, p_day, model, supplier, region, sum(requests), sum(errors), sum(failovers), sum(routed), sum(input_tokens),
           sum(cached_input_tokens), sum(cache_write_tokens), sum(output_tokens), sum(reasoning_tokens), sum(cost), sum(charged), sum(saved),
           sum(latency_ms), sum(first_byte_ms), sum(first_bytes)
      FROM usage_day WHERE day = p_day AND (p_organisation IS NULL OR organisation_id = p_organisation)
     GROUP BY 1, 3, 4, 5 ORDER BY 1;
  INSERT INTO usage_routed_day
    SELECT organisation_id, p_day, key_id, coalesce(user_id, 0), coalesce(department_id, 0), coalesce(project_id, 0), model, supplier, region,
           coalesce(routing->'auto'->>'algorithm', ''), coalesce(routing->'auto'->'default'->>'model', ''),
           count(*), sum(charged), sum(counterfactual)
      FROM usage_event
     WHERE counterfactual IS NOT NULL AND started_at >= p_day AND started_at < p_day + interval '24 hours'
       AND organisation_id IN (SELECT organisation_id FROM usage_day WHERE day = p_day AND (p_organisation IS NULL OR organisation_id = p_organisation))
     GROUP BY 1, 3, 4, 5, 6, 7, 8, 9, 10, 11;
END $$;

-- Sums the next closed day with usage, or else a day that received calls since. Returns whether there was one.
CREATE OR REPLACE FUNCTION usage_add_up_next() RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  v_days usage_days;
  v_day timestamptz;
  v_organisation integer;
BEGIN
  SELECT * INTO v_days FROM usage_days FOR NO KEY UPDATE;
  IF v_days.complete_before < v_days.closed_before THEN
    SELECT date_trunc('day', min(hour), 'UTC') INTO v_day FROM usage_hour WHERE hour >= v_days.complete_before;
    IF v_day < v_days.closed_before THEN
      PERFORM usage_add_up_day(v_day, NULL);
      UPDATE usage_days SET complete_before = v_day + interval '24 hours';
      RETURN true;
    END IF;
    -- Without any usage so far, days become complete with the first usage.
    UPDATE usage_days SET complete_before = closed_before WHERE complete_before > '-infinity' OR v_day IS NOT NULL;
  END IF;
  SELECT day, organisation_id INTO v_day, v_organisation FROM usage_late WHERE day < v_days.complete_before ORDER BY day, organisation_id LIMIT 1;
  IF NOT FOUND THEN RETURN false; END IF;
  PERFORM usage_add_up_day(v_day, v_organisation);
  RETURN true;
END $$;

-- Usage in as few rows as possible: days while they are complete, then hours. For spans from a UTC midnight until now; `at` is the start
-- of the day or hour. NOT IN uses a hash; NOT EXISTS would sort all days, because `usage_late` is nearly always empty and never analysed.
CREATE OR REPLACE VIEW usage_sum AS
SELECT organisation_id, day AS at, key_id, user_id, department_id, project_id, model, supplier, region, requests, errors, failovers, routed,
       input_tokens, cached_input_tokens, cache_write_tokens, output_tokens, reasoning_tokens, cost, charged, saved, latency_ms, first_byte_ms, first_bytes
  FROM usage_day
 WHERE day < (SELECT complete_before FROM usage_days)
   AND (organisation_id, day) NOT IN (SELECT organisation_id, day FROM usage_late)
UNION ALL
SELECT organisation_id, hour, key_id, user_id, department_id, project_id, model, supplier, region, requests, errors, failovers, routed,
       input_tokens, cached_input_tokens, cache_write_tokens, output_tokens, reasoning_tokens, cost, charged, saved, latency_ms, first_byte_ms, first_bytes
  FROM usage_hour WHERE hour >= (SELECT complete_before FROM usage_days)
UNION ALL
SELECT h.organisation_id, h.hour, h.key_id, user_id, department_id, project_id, model, supplier, region, requests, errors, failovers, routed,
       input_tokens, cached_input_tokens, cache_write_tokens, output_tokens, reasoning_tokens, cost, charged, saved, latency_ms, first_byte_ms, first_bytes
  FROM (SELECT DISTINCT organisation_id, day FROM usage_late WHERE day < (SELECT complete_before FROM usage_days)) l
  JOIN usage_hour h ON h.organisation_id = l.organisation_id AND h.hour >= l.day AND h.hour < l.day + interval '24 hours';

-- The same without keys and people, in even fewer rows.
CREATE OR REPLACE VIEW usage_model_sum AS
SELECT organisation_id, day AS at, model, supplier, region, requests, errors, failovers, routed,
       input_tokens, cached_input_tokens, cache_write_tokens, output_tokens, reasoning_tokens, cost, charged, saved, latency_ms, first_byte_ms, first_bytes
  FROM usage_model_day
 WHERE day < (SELECT complete_before FROM usage_days)
   AND (organisation_id, day) NOT IN (SELECT organisation_id, day FROM usage_late)
UNION ALL
SELECT organisation_id, hour, model, supplier, region, requests, errors, failovers, routed,
       input_tokens, cached_input_tokens, cache_write_tokens, output_tokens, reasoning_tokens, cost, charged, saved, latency_ms, first_byte_ms, first_bytes
  FROM usage_hour WHERE hour >= (SELECT complete_before FROM usage_days)
UNION ALL
SELECT h.organisation_id, h.hour, model, supplier, region, requests, errors, failovers, routed,
       input_tokens, cached_input_tokens, cache_write_tokens, output_tokens, reasoning_tokens, cost, charged, saved, latency_ms, first_byte_ms, first_bytes
  FROM (SELECT DISTINCT organisation_id, day FROM usage_late WHERE day < (SELECT complete_before FROM usage_days)) l
  JOIN usage_hour h ON h.organisation_id = l.organisation_id AND h.hour >= l.day AND h.hour < l.day + interval '24 hours';
