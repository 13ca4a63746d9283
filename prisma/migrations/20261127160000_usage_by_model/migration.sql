-- Usage by the day of UTC without keys and people: `usage_day` in as many rows as an organisation has models, suppliers and regions (app/domain/metering/sql/days.sql).
CREATE TABLE usage_model_day AS
  SELECT organisation_id, day, model, supplier, region, sum(requests)::integer AS requests, sum(errors)::integer AS errors,
         sum(failovers)::integer AS failovers, sum(routed)::integer AS routed, sum(input_tokens)::bigint AS input_tokens,
         sum(cached_input_tokens)::bigint AS cached_input_tokens, sum(cache_write_tokens)::bigint AS cache_write_tokens,
         sum(output_tokens)::bigint AS output_tokens, sum(reasoning_tokens)::bigint AS reasoning_tokens, sum(cost)::bigint AS cost,
         sum(charged)::bigint AS charged, sum(saved)::bigint AS saved, sum(latency_ms)::bigint AS latency_ms,
         sum(first_byte_ms)::bigint AS first_byte_ms, sum(first_bytes)::integer AS first_bytes
    FROM usage_day GROUP BY 1, 2, 3, 4, 5 ORDER BY 2, 1;
ALTER TABLE usage_model_day ADD PRIMARY KEY (organisation_id, day, model, supplier, region);
ALTER TABLE usage_model_day
  ALTER COLUMN requests SET NOT NULL, ALTER COLUMN errors SET NOT NULL, ALTER COLUMN failovers SET NOT NULL, ALTER COLUMN routed SET NOT NULL,
  ALTER COLUMN input_tokens SET NOT NULL, ALTER COLUMN cached_input_tokens SET NOT NULL, ALTER COLUMN cache_write_tokens SET NOT NULL,
  ALTER COLUMN output_tokens SET NOT NULL, ALTER COLUMN reasoning_tokens SET NOT NULL, ALTER COLUMN cost SET NOT NULL, ALTER COLUMN charged SET NOT NULL,
  ALTER COLUMN saved SET NOT NULL, ALTER COLUMN latency_ms SET NOT NULL, ALTER COLUMN first_byte_ms SET NOT NULL, ALTER COLUMN first_bytes SET NOT NULL;
CREATE INDEX usage_model_day_day ON usage_model_day (day);
