// Writes millions of finished calls through the real schema, for `npm run bench:pages`.
const ORGANISATIONS = 20;
const KEYS = 400;
const DAYS = 90;
const MODELS = 12;
const SUPPLIERS = 4;
const CALLS_AT_ONCE = 250_000;

/** Models and suppliers of the calls. They are never called. */
export const CATALOGUE = {
  suppliers: Array.from({ length: SUPPLIERS }, (_, n) => ({
    name: `supplier-${n}`,
    kind: "chat",
    base_url: "https://supplier.example/v1",
    region: ["eu", "us", "global"][n % 3],
    credentials: [{ name: "main", api_key: "secret" }],
  })),
  models: Array.from({ length: MODELS }, (_, n) => ({
    id: `model-${n}`,
    owned_by: "bench",
    capability: "chat",
    context_tokens: 8000,
    max_output_tokens: 1000,
    routes: [
      {
        supplier: `supplier-${n % SUPPLIERS}`,
        upstream_model: "bench",
        price: { input_per_mtok: 0.5, output_per_mtok: 1.5 },
      },
    ],
  })),
};

/**
 * Writes customers with keys, the first customer with half of the keys, and `calls` finished calls of the last 90 days,
 * oldest first. A few calls match typical log filters: with an inactive or rarely used model, expensive, slow, stopped
 * by a guardrail, or settled days late.
 */
export async function writeCalls(client, calls) {
  await client.query(PEOPLE, [ORGANISATIONS, KEYS]);
  await client.query(GROUPS);
  await client.query(WALLETS);
  for (let from = 0; from < calls; from += CALLS_AT_ONCE)
    await client.query(CALLS, [from, Math.min(calls, from + CALLS_AT_ONCE) - 1, calls, KEYS, DAYS]);
  await client.query(HOURS);
  await client.query(REFUSALS, [KEYS, DAYS]);
  // The same statements as the job's, which would run within ten minutes.
  await client.query("UPDATE usage_days SET closed_before = date_trunc('day', now() - interval '1 hour', 'UTC')");
  await client.query("DO $$ BEGIN WHILE usage_add_up_next() LOOP NULL; END LOOP; END $$");
  for (const table of [
    "usage_event",
    "usage_hour",
    "usage_day",
    "usage_model_day",
    "usage_routed_day",
    "refusal_hour",
    "gateway_refusal",
    "api_key",
  ])
    await client.query(`VACUUM ANALYZE ${table}`);
}

const PEOPLE = `
  WITH organisations AS (
    INSERT INTO organisation (name, slug, quality_opt_in) SELECT 'Customer ' || n, 'customer-' || n, true FROM generate_series(1, $1::integer) n RETURNING id
  ), ranked AS (
    SELECT id, row_number() OVER (ORDER BY id) - 1 AS place FROM organisations
  ), people AS (
    INSERT INTO app_user (email, name, organisation_id)
      SELECT 'person-' || n || '@customers.example', 'Person ' || n, r.id
        FROM generate_series(0, $2::integer - 1) n JOIN ranked r ON r.place = CASE WHEN n % 2 = 0 THEN 0 ELSE n / 2 % $1::integer END
    RETURNING id, organisation_id
  )
  INSERT INTO api_key (public_id, organisation_id, user_id, name, secret_hmac, secret_prefix, secret_last4, allowed_models, allowed_regions)
    SELECT 'bench_' || id, organisation_id, id, 'Key ' || id, decode(md5('bench' || id) || md5('key' || id), 'hex'), 'gw_bench', '0000', '{}', '{}' FROM people`;

const GROUPS = `
  WITH departments AS (
    INSERT INTO department (organisation_id, name)
      SELECT o.id, 'Department ' || n FROM organisation o CROSS JOIN generate_series(0, 9) n WHERE o.slug LIKE 'customer-%' RETURNING id, organisation_id, name
  ), projects AS (
    INSERT INTO project (organisation_id, name)
      SELECT o.id, 'Project ' || n FROM organisation o CROSS JOIN generate_series(0, 6) n WHERE o.slug LIKE 'customer-%' RETURNING id, organisation_id, name
  )
  UPDATE api_key k SET department_id = d.id, project_id = p.id FROM departments d, projects p
   WHERE d.organisation_id = k.organisation_id AND d.name = 'Department ' || k.id % 10
     AND p.organisation_id = k.organisation_id AND p.name = 'Project ' || k.id % 7 AND k.id % 3 > 0`;

const WALLETS = `SELECT wallet_open('organisation', id, id, false) FROM organisation WHERE slug LIKE 'customer-%'`;

/** $1 and $2: the first and the last call; $3: number of calls; $4: keys; $5: days. */
const CALLS = `
  WITH key AS MATERIALIZED (
    SELECT k.*, w.id AS wallet, row_number() OVER (ORDER BY k.id) - 1 AS place
      FROM api_key k JOIN ledger_account w ON w.kind = 'wallet' AND w.payer_kind = 'organisation' AND w.payer_id = k.organisation_id
     WHERE k.public_id LIKE 'bench\\_%'
  ), number AS (
    SELECT n, hashint8(n)::bigint & 1048575 AS h, now() - $5::integer * interval '1 day' * (1 - n::float8 / $3::bigint) AS settled
      FROM generate_series($1::bigint, $2::bigint) n
  ), call AS (
    SELECT n, h, settled, settled - CASE WHEN h % 10007 = 0 THEN interval '3 days' ELSE interval '2 seconds' END AS at,
           floor(power((hashint8(n + 7)::bigint & 65535) / 65536.0, 3) * $4::integer)::integer AS place, 1 + h * 12 * CASE WHEN h % 20011 = 0 THEN 100 ELSE 1 END AS cost,
           CASE WHEN h % 40009 = 0 THEN 'model-rare' WHEN h % 50 = 0 AND n < $3::bigint / 5 THEN 'model-old' END AS model
      FROM number
  )
  INSERT INTO usage_event (request_id, organisation_id, key_id, user_id, department_id, project_id, wallet_id, exempt, held, endpoint, requested_model, model, supplier, region,
      counterfactual, routing, stream, session_id, input_tokens, cached_input_tokens, cache_write_tokens, output_tokens, reasoning_tokens, token_source, outcome, cost, charged,
      price_version, txn_id, status, error_code, attempts, started_at, first_byte_ms, latency_ms, settled_at)
    SELECT gen_random_uuid(), k.organisation_id, k.id, k.user_id, k.department_id, k.project_id, k.wallet, false, true, 'chat/completions',
           CASE WHEN h % 8 = 0 THEN 'auto' ELSE 'model-' || (k.place + h % 3) % 12 END, coalesce(c.model, 'model-' || (k.place + h % 3) % 12),
           'supplier-' || (k.place + h % 3) % 4, (ARRAY['eu', 'us', 'global'])[1 + k.place % 3], CASE WHEN h % 8 = 0 THEN 1 + h * 15 END,
           CASE WHEN h % 8 = 0 THEN jsonb_build_object('auto', jsonb_build_object('algorithm', (ARRAY['balanced', 'cheapest'])[1 + h / 8 % 2],
             'default', jsonb_build_object('model', 'model-11', 'costNanoUsd', (1 + h * 15)::text)))
                WHEN h % 5003 = 0 THEN jsonb_build_object('guardrails', jsonb_build_array(jsonb_build_object('action', (ARRAY['flag', 'redact'])[1 + h % 2]))) END,
           h % 2 = 0, CASE WHEN h % 4 = 0 THEN 'session-' || n / 20 END,
           h % 8000, h % 4000, 0, h % 900, 0, 'supplier', CASE WHEN h % 97 = 0 THEN 'error' WHEN h % 89 = 0 THEN 'client_abort' ELSE 'complete' END,
           cost, cost, 1, n + 1, CASE WHEN h % 97 = 0 THEN 502 ELSE 200 END, CASE WHEN h % 97 = 0 THEN 'upstream_error' END,
           jsonb_build_array(jsonb_build_object('supplier', 'supplier-' || h % 3, 'region', 'eu', 'outcome', 'delivered')),
           at, 80 + h % 900, CASE WHEN h % 30011 = 0 THEN 90000 ELSE 200 + h % 20000 END, settled
      FROM call c JOIN key k ON k.place = c.place ORDER BY n`;

const HOURS = `
  INSERT INTO usage_hour
    SELECT organisation_id, date_trunc('hour', started_at, 'UTC'), key_id, coalesce(user_id, 0), coalesce(department_id, 0), coalesce(project_id, 0),
           model, supplier, region, count(*), count(*) FILTER (WHERE outcome = 'error'), 0, count(counterfactual), sum(input_tokens), sum(cached_input_tokens),
           sum(cache_write_tokens), sum(output_tokens), sum(reasoning_tokens), sum(cost), sum(charged), coalesce(sum(counterfactual - charged), 0), sum(latency_ms), sum(first_byte_ms), count(*)
      FROM usage_event GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9 ORDER BY 2`;

const REFUSALS = `
  WITH burst AS (
    INSERT INTO gateway_refusal (at, last_at, times, key_id, organisation_id, request_id, endpoint, model, code, status, human_message)
      SELECT h, h + interval '40 seconds', 30, k.id, k.organisation_id, gen_random_uuid(), 'chat.completions', 'model-1', 'rate_limit_exceeded', 429, 'Slow down.'
        FROM api_key k CROSS JOIN generate_series(now() - interval '6 days', now() - interval '1 hour', interval '1 hour') h WHERE k.id % 5 = 0
  )
  INSERT INTO refusal_hour (hour, key_id, code, scope, refusals, last_at)
    SELECT date_trunc('hour', h, 'UTC'), k.id, 'rate_limit_exceeded', '', 30, h
      FROM (SELECT * FROM api_key ORDER BY id LIMIT $1::integer) k
     CROSS JOIN generate_series(now() - $2::integer * interval '1 day', now() - interval '1 hour', interval '1 hour') h WHERE k.id % 5 = 0`;
