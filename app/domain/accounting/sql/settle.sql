-- Settlement of a batch of calls, alone and together with an admission.

-- Booked calls are posted in two steps, because turns wait for wallets and only the second step locks them.

-- First step: the usage rows, and a ledger transaction for each payer, without entries yet. Returns the amounts of the entries and the
-- hourly sums. `p_settled`: when each call was settled; empty: now.
CREATE OR REPLACE FUNCTION accounting_post_calls(
  p_calls finished_call[], p_found call_finding[], p_attempts jsonb[], p_settled timestamptz[], p_actor text,
  OUT o_due due_charge[], OUT o_hours usage_hour[]
) LANGUAGE plpgsql AS $$
DECLARE
  v_now CONSTANT timestamptz := app_now();
BEGIN
  WITH booked AS MATERIALIZED (
    SELECT c.*, to_timestamp(c.started / 1000.0) AS started_at, coalesce(c.unnest, v_now) AS settled_at
      FROM ROWS FROM (unnest(p_calls), unnest(p_found), unnest(p_settled)) WITH ORDINALITY c
  ), due AS MATERIALIZED (
    SELECT b.payer, b.forgiven, min(b.organisation_id) AS organisation_id, 'usage:' || min(b.id::text) AS idem_key, sum(b.charge)::bigint AS total
      FROM booked b WHERE b.code = '' AND b.charge > 0 GROUP BY b.payer, b.forgiven
  ), txn AS (
    INSERT INTO ledger_txn (kind, idem_key, organisation_id, actor, created_at)
      SELECT 'usage', idem_key, organisation_id, p_actor, v_now FROM due ORDER BY idem_key RETURNING id, idem_key
  ), paid AS MATERIALIZED (
    SELECT txn.id AS txn_id, due.* FROM due JOIN txn USING (idem_key)
  ), event AS (
    INSERT INTO usage_event (
        request_id, organisation_id, key_id, user_id, department_id, project_id, wallet_id, exempt, held, endpoint, requested_model,
        model, supplier, region, stream, session_id, input_tokens, cached_input_tokens, cache_write_tokens, output_tokens,
        reasoning_tokens, token_source, outcome, cost, charged, price_version, txn_id, status, error_code, attempts, started_at,
        first_byte_ms, latency_ms, settled_at, cache_write_long_tokens, audio_input_tokens, audio_output_tokens, milliseconds,
        characters, supplier_requests, tool_uses, counterfactual, routing, refused_usage)
      SELECT b.id, b.organisation_id, b.key_id, b.user_id, b.department_id, b.project_id, b.payer, b.forgiven, b.has_hold, b.endpoint, b.requested_model,
             b.model, b.supplier, b.region, b.stream, b.session_id, b.input_tokens, b.cached_input_tokens, b.cache_write_tokens, b.output_tokens,
             b.reasoning_tokens, b.token_source, b.outcome, b.charge + b.absorbed, b.charge, b.price_version, p.txn_id, b.status, b.error_code,
             p_attempts[b.ordinality::integer], b.started_at, b.first_byte_ms, b.latency_ms, b.settled_at, b.cache_write_long_tokens,
             b.audio_input_tokens, b.audio_output_tokens, b.milliseconds, b.characters, b.supplier_requests, b.tool_uses, b.counterfactual,
             b.routing, b.refused_usage
        FROM booked b LEFT JOIN paid p ON b.charge > 0 AND p.payer = b.payer AND p.forgiven = b.forgiven
       WHERE b.code = ''
  ), hours AS (
    SELECT organisation_id, date_trunc('hour', started_at, 'UTC'), key_id, coalesce(user_id, 0), coalesce(department_id, 0), coalesce(project_id, 0),
           model, supplier, region, count(*),
           count(*) FILTER (WHERE outcome = 'error' OR outcome = 'upstream_abort' OR outcome = 'not_executed'),
           count(*) FILTER (WHERE tries > 1 AND outcome = 'complete'), count(counterfactual),
           sum(input_tokens), sum(cached_input_tokens), sum(cache_write_tokens), sum(output_tokens), sum(reasoning_tokens),
           sum(charge + absorbed), sum(charge), coalesce(sum(counterfactual - charge), 0),
           sum(latency_ms), coalesce(sum(first_byte_ms), 0), count(first_byte_ms)
      FROM booked WHERE code = '' GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9 ORDER BY 1, 2, 3, 7, 8, 9, 4, 5, 6
  )
  SELECT (SELECT array_agg((txn_id, payer, forgiven, organisation_id, total)::due_charge ORDER BY payer, forgiven) FROM paid),
         (SELECT array_agg(h::usage_hour) FROM hours h)
    INTO o_due, o_hours;
END $$;

-- Second step: the entries and the hourly sums. Closed days are checked here, by the statement that locks `usage_hour`, so the job that
-- sums days waits for this step only. Wallets are locked. A payer whose exemption ended after admission is not charged: the internal
-- adjustment account pays instead.
CREATE OR REPLACE FUNCTION accounting_post_sums(p_due due_charge[], p_hours usage_hour[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  WITH entry AS (
    INSERT INTO ledger_entry (txn_id, account_id, organisation_id, amount)
      SELECT p.txn_id, x.account, p.organisation_id, x.amount
        FROM unnest(p_due) p
        JOIN ledger_account w ON w.id = p.payer
        JOIN ledger_account house ON house.kind = CASE WHEN p.forgiven THEN 'exempt_usage' ELSE 'revenue' END
             AND house.currency = 'USD' AND house.shard = p.payer % 16 AND house.payer_id IS NULL
        CROSS JOIN LATERAL (
          VALUES (CASE WHEN p.forgiven AND NOT w.exempt
                       THEN (SELECT id FROM ledger_account WHERE kind = 'adjustment' AND currency = 'USD' AND shard = 0 AND payer_id IS NULL)
                       ELSE w.id END, -p.total, p.forgiven AND NOT w.exempt),
                 (house.id, p.total, true)) x(account, amount, is_house)
       ORDER BY x.is_house, x.account
  ), late AS (
    -- A day is summed once it is closed, so a later posting into it is recorded.
    INSERT INTO usage_late (organisation_id, day)
      SELECT DISTINCT organisation_id, date_trunc('day', hour, 'UTC') FROM unnest(p_hours) WHERE hour < (SELECT closed_before FROM usage_days)
  )
  INSERT INTO usage_hour AS u SELECT * FROM unnest(p_hours)
    ON CONFLICT (organisation_id, hour, key_id, model, supplier, region, user_id, department_id, project_id) DO UPDATE
      SET requests = u.requests + excluded.requests, errors = u.errors + excluded.errors, failovers = u.failovers + excluded.failovers,
          routed = u.routed + excluded.routed, input_tokens = u.input_tokens + excluded.input_tokens,
          cached_input_tokens = u.cached_input_tokens + excluded.cached_input_tokens,
          cache_write_tokens = u.cache_write_tokens + excluded.cache_write_tokens, output_tokens = u.output_tokens + excluded.output_tokens,
          reasoning_tokens = u.reasoning_tokens + excluded.reasoning_tokens, cost = u.cost + excluded.cost, charged = u.charged + excluded.charged,
          saved = u.saved + excluded.saved, latency_ms = u.latency_ms + excluded.latency_ms,
          first_byte_ms = u.first_byte_ms + excluded.first_byte_ms, first_bytes = u.first_bytes + excluded.first_bytes;
END $$;

-- The second half of `accounting_settle`, after all rows are locked.
CREATE OR REPLACE FUNCTION accounting_book(p_calls finished_call[], p_attempts jsonb, p_actor text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  v_now CONSTANT timestamptz := app_now();
  v_found call_finding[];   -- one for each call
  v_unheld boolean;
  v_exceptions text;
  v_due due_charge[];
  v_hours usage_hour[];
BEGIN
  -- 1. Decide each call. Parties, exemption and amount were fixed at admission if a hold exists.
  SELECT array_agg((x.code, x.has_hold, x.payer, x.forgiven, x.freed, x.charge, x.cost - x.charge)::call_finding ORDER BY x.ord),
         bool_or(x.code = '' AND NOT x.has_hold),
         string_agg(x.ord || CASE WHEN x.code <> '' THEN x.code ELSE 'C' || x.charge END, ',' ORDER BY x.ord) FILTER (WHERE x.code <> '' OR x.cost > x.charge)
    INTO v_found, v_unheld, v_exceptions
    FROM (
      SELECT r.ord, h.id IS NOT NULL AS has_hold, coalesce(h.wallet_id, r.wallet_id) AS payer, coalesce(h.exempt, r.exempt) AS forgiven,
             coalesce(h.amount, 0) AS freed, r.cost, least(r.cost, coalesce(h.amount, r.cost)) AS charge,
             CASE
               WHEN h.state = 'settled' OR h.state = 'released' THEN 'R' || h.captured
               WHEN h.state = 'reserved' AND r.outcome <> 'not_executed' THEN 'Enot_dispatched'
               WHEN h.id IS NOT NULL THEN ''
               ELSE coalesce(
                 (SELECT 'R' || e.charged FROM usage_event e WHERE e.request_id = r.id),
                 CASE WHEN r.held THEN 'Eunknown'
                      WHEN NOT EXISTS (SELECT FROM ledger_account a WHERE a.id = r.wallet_id AND a.kind = 'wallet') THEN 'Ewallet'
                      WHEN r.cost > 0 AND NOT r.exempt THEN 'Eunheld'
                      ELSE '' END)
             END AS code
        FROM (SELECT c.id, c.held, c.wallet_id, c.exempt, c.outcome, CASE WHEN c.outcome = 'not_executed' THEN 0 ELSE c.cost END AS cost,
                     c.ordinality AS ord FROM unnest(p_calls) WITH ORDINALITY c) r
        LEFT JOIN hold h ON h.id = r.id) x;

  -- 2. Calls without a hold count in the active budgets, in the period in which they started.
  IF v_unheld THEN
    WITH counted AS MATERIALIZED (
      SELECT c.id, b.id AS budget_id, b.organisation_id, budget_period_start(b.period, least(to_timestamp(c.started / 1000.0), v_now)) AS period_start
        FROM ROWS FROM (unnest(p_calls), unnest(v_found)) c
        CROSS JOIN LATERAL (VALUES ('key', c.key_id), ('user', c.user_id), ('department', c.department_id), ('project', c.project_id),
                                   ('organisation', c.organisation_id)) s(kind, id)
        JOIN budget b ON b.scope_kind = s.kind AND b.scope_id = s.id AND b.active
       WHERE c.code = '' AND NOT c.has_hold AND c.charge > 0
    ), counter AS (
      INSERT INTO budget_counter (budget_id, period_start, organisation_id)
        SELECT DISTINCT budget_id, period_start, organisation_id FROM counted ORDER BY 1, 2 ON CONFLICT DO NOTHING
    )
    INSERT INTO budget_leg (call_id, budget_id, period_start) SELECT id, budget_id, period_start FROM counted;
  END IF;

  -- 3. Move held to spent in the budgets, in the period of admission; release the held amounts of wallets; end the holds.
  WITH booked AS MATERIALIZED (
    SELECT c.id, c.outcome, c.has_hold, c.payer, c.forgiven, c.freed, c.charge, c.absorbed
      FROM ROWS FROM (unnest(p_calls), unnest(v_found)) c WHERE c.code = ''
  ), counter AS (
    UPDATE budget_counter c SET held = c.held - x.freed, spent = c.spent + x.charge
      FROM (SELECT l.budget_id, l.period_start, sum(b.freed)::bigint AS freed, sum(b.charge)::bigint AS charge
              FROM booked b CROSS JOIN LATERAL hold_legs(b.id) l GROUP BY l.budget_id, l.period_start) x
     WHERE c.budget_id = x.budget_id AND c.period_start = x.period_start
  ), wallet AS (
    UPDATE ledger_account a SET held = a.held - x.freed
      FROM (SELECT payer, sum(freed)::bigint AS freed FROM booked WHERE NOT forgiven AND freed > 0 GROUP BY payer) x
     WHERE a.id = x.payer
  )
  UPDATE hold h SET state = CASE WHEN b.outcome = 'not_executed' THEN 'released' ELSE 'settled' END,
                    captured = b.charge, absorbed = b.absorbed, resolved_at = v_now,
                    reason = CASE WHEN p_actor = 'gateway' THEN b.outcome ELSE p_actor END
    FROM booked b WHERE b.has_hold AND h.id = b.id;

  -- 4. The ledger and the usage rows.
  SELECT o_due, o_hours INTO v_due, v_hours
    FROM accounting_post_calls(p_calls, v_found, ARRAY(SELECT jsonb_array_elements(p_attempts)), '{}', p_actor);
  PERFORM accounting_post_sums(v_due, v_hours);
  RETURN coalesce(v_exceptions, '');
END $$;

-- Books a batch of finished calls: releases their holds, moves counters from held to spent, posts one usage transaction per
-- wallet, writes the usage rows and their sums. A call appears at most once in a batch. `p_attempts`: a list for each call.
-- Returns '' when every call was booked at exactly its cost, else the exceptions, comma-separated, by position (from 1):
--   <i>R<charge>   was booked before, at this charge
--   <i>C<charge>   booked now; the customer pays less than the cost
--   <i>E<problem>  not booked: unknown (the hold does not exist), unheld (a cost, no hold, payer not exempt),
--                  wallet (no such wallet), not_dispatched (the hold was only reserved)
CREATE OR REPLACE FUNCTION accounting_settle(p_calls finished_call[], p_attempts jsonb, p_actor text) RETURNS text LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off
SET enable_bitmapscan = off SET jit = off
AS $$
BEGIN
  PERFORM accounting_lock(p_calls, '{}');
  RETURN accounting_book(p_calls, p_attempts, p_actor);
END $$;

-- Settles one batch and admits another in one transaction: one round trip and one flush to disk for both, and no lock waits between
-- the two on the same wallet and budgets. Settlements come first, so that the money they release can be held at once. Returns both
-- answers, separated by '|'.
CREATE OR REPLACE FUNCTION accounting_settle_and_admit(
  p_finished finished_call[], p_attempts jsonb, p_actor text, p_asked asked_call[], p_owner text, p_lease interval
) RETURNS text LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off
SET enable_bitmapscan = off SET jit = off
AS $$
DECLARE
  v_locks CONSTANT turn_locks := accounting_lock(p_finished, p_asked);
  v_settled CONSTANT text := accounting_book(p_finished, p_attempts, p_actor);
BEGIN
  RETURN v_settled || '|' || accounting_take(p_asked, v_locks, p_owner, p_lease);
END $$;
