-- The lean turn: the common case of a turn, in few statements.

-- Settles calls and admits others in one transaction, provided that every requested call fits and every finished call has a
-- dispatched hold with its legs. All decisions about money are made here: rate windows, budget counters, wallets, holds. Ledger
-- transaction, usage rows and their sums follow later (`accounting_post_later`); until then a charge stays in the wallet's `held`.
-- Any other case raises GW010 without changes, and the full turn decides call by call. `p_calls` and `p_attempts` are stored
-- unparsed: a finished_call[] and JSON as text, in the order of `p_done`. `p_kinds` and `p_scopes` list every scope of these calls
-- once. `p_rated`: some calls have a rate window.
-- Returns the exceptions of `accounting_settle`: the empty text, or <i>C<charge>. Locks in the common order.
CREATE OR REPLACE FUNCTION accounting_turn(
  p_done done_call[], p_calls text, p_attempts text, p_asked asked_call[], p_rated boolean, p_kinds text[], p_scopes integer[],
  p_owner text, p_lease interval
) RETURNS text LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off
SET enable_bitmapscan = off SET jit = off
AS $$
DECLARE
  v_now CONSTANT timestamptz := app_now();
  v_slot CONSTANT timestamptz := rate_slot(v_now);
  v_ended ended_call[] := '{}';
  v_budgets turn_budget[];
  v_locked bigint[];
  v_exceptions text;
  v_fits boolean;
  v_flag boolean;
  v_rows integer;
BEGIN
  -- 1. Rate windows. Expired stamps still count here; they are deleted with the first request of a slot, or when the window is full.
  IF p_rated THEN
    WITH asked AS MATERIALIZED (
      SELECT key_id, count(*)::integer AS n, min(rpm) AS rpm FROM unnest(p_asked) WHERE rpm IS NOT NULL GROUP BY key_id ORDER BY key_id
    ), counted AS (
      UPDATE rate_window w SET used = w.used + a.n FROM asked a WHERE w.key_id = a.key_id AND w.used + a.n <= a.rpm RETURNING 1
    ), stamp AS (
      INSERT INTO rate_stamp AS s (key_id, at, n) SELECT key_id, v_slot, n FROM asked
        ON CONFLICT (key_id, at) DO UPDATE SET n = s.n + excluded.n RETURNING s.xmax = 0 AS first
    )
    SELECT (SELECT count(*) FROM asked) = (SELECT count(*) FROM counted), (SELECT bool_or(first) FROM stamp) INTO v_fits, v_flag;
    IF NOT v_fits THEN
      RAISE EXCEPTION 'a rate window has no room' USING ERRCODE = 'GW010';
    END IF;
    IF v_flag THEN
      WITH gone AS (
        DELETE FROM rate_stamp WHERE key_id IN (SELECT key_id FROM unnest(p_asked) WHERE rpm IS NOT NULL) AND at <= v_now - interval '60 seconds'
        RETURNING key_id, n)
      UPDATE rate_window w SET used = w.used - g.n FROM (SELECT key_id, sum(n)::integer AS n FROM gone GROUP BY key_id) g WHERE w.key_id = g.key_id;
    END IF;
  END IF;

  -- 2. Read the holds of finished calls. They are final except for the state, which is checked again when they end. Both statements
  -- look up by id: with `=`, the condition on the state would let the planner scan the index of all open holds instead.
  IF p_done <> '{}' THEN
    SELECT array_agg((x.id, x.wallet_id, x.exempt, x.amount, x.charge, x.cost - x.charge, x.outcome, x.leg_budgets, x.leg_starts)::ended_call ORDER BY x.id),
           string_agg(x.ord || 'C' || x.charge, ',' ORDER BY x.ord) FILTER (WHERE x.cost > x.charge)
      INTO v_ended, v_exceptions
      FROM (SELECT d.ordinality AS ord, d.outcome, d.cost, least(d.cost, h.amount) AS charge, h.id, h.wallet_id, h.exempt, h.amount,
                   h.leg_budgets, h.leg_starts
              FROM unnest(p_done) WITH ORDINALITY d JOIN hold h ON h.id = d.id
             WHERE h.state IS NOT DISTINCT FROM 'dispatched' AND h.leg_budgets IS NOT NULL) x;
    IF coalesce(cardinality(v_ended), 0) <> cardinality(p_done) THEN
      RAISE EXCEPTION 'a call has no hold that is under way' USING ERRCODE = 'GW010';
    END IF;
  END IF;

  -- 3. The budgets of all scopes, active or not. The budget of a scope without an active one may just have been replaced.
  SELECT array_agg((b.id, b.scope_kind, b.scope_id, b.limit_amt, b.period, budget_period_start(b.period, v_now), b.active)::turn_budget),
         array_agg(b.id), bool_and(b.active)
    INTO v_budgets, v_locked, v_flag
    FROM (SELECT b.* FROM unnest(p_kinds, p_scopes) s(kind, id) JOIN budget b ON b.scope_kind = s.kind AND b.scope_id = s.id
           ORDER BY b.id FOR NO KEY UPDATE OF b) b;
  IF NOT v_flag AND EXISTS (SELECT FROM unnest(v_budgets) GROUP BY scope_kind, scope_id HAVING NOT bool_or(active)) THEN
    RAISE EXCEPTION 'a scope has no budget in force' USING ERRCODE = 'GW010';
  END IF;

  -- 4. Counters and wallets: subtract the holds of finished calls, add their charges, and add the new holds if they fit.
  WITH part AS MATERIALIZED (
    SELECT budget_id, period_start, sum(want)::bigint AS want, sum(freed)::bigint AS freed, sum(charge)::bigint AS charge,
           bool_or(asked) AS asked, max(limit_amt) AS limit_amt, max(period) AS period
      FROM (SELECT u.id AS budget_id, u.period_start, a.amount AS want, 0 AS freed, 0 AS charge, true AS asked, u.limit_amt, u.period
              FROM unnest(v_budgets) u JOIN unnest(p_asked) a
                ON u.scope_id = CASE u.scope_kind WHEN 'key' THEN a.key_id WHEN 'user' THEN a.user_id WHEN 'department' THEN a.department_id
                                                  WHEN 'project' THEN a.project_id ELSE a.organisation_id END
             WHERE u.active
            UNION ALL
            SELECT l.budget_id, l.period_start, 0, e.freed, e.charge, false, NULL, NULL
              FROM unnest(v_ended) e CROSS JOIN LATERAL unnest(e.leg_budgets, e.leg_starts) l(budget_id, period_start)) x
     GROUP BY budget_id, period_start
  ), counter AS (
    UPDATE budget_counter c SET held = c.held + p.want - p.freed, spent = c.spent + p.charge
      FROM part p
     WHERE c.budget_id = p.budget_id AND c.period_start = p.period_start
       AND (NOT p.asked OR p.limit_amt IS NULL
            OR c.spent + c.held + p.want - p.freed + p.charge
               + CASE WHEN p.period = 'rolling'
                      THEN (SELECT coalesce(sum(o.spent + o.held), 0) FROM budget_counter o
                             WHERE o.budget_id = p.budget_id AND o.period_start >= budget_window_start(p.period, p.period_start) AND o.period_start < p.period_start)
                      ELSE 0 END <= p.limit_amt)
     RETURNING 1
  ), money AS MATERIALIZED (
    SELECT wallet_id, sum(amount)::bigint AS amount, bool_or(asked) AS asked
      FROM (SELECT wallet_id, amount, true AS asked FROM unnest(p_asked) WHERE NOT exempt
            UNION ALL
            SELECT wallet_id, charge - freed, false FROM unnest(v_ended) WHERE NOT exempt) x
     GROUP BY wallet_id ORDER BY wallet_id
  ), wallet AS (
    UPDATE ledger_account a SET held = a.held + m.amount
      FROM money m
     WHERE a.id = m.wallet_id AND a.kind = 'wallet' AND (NOT m.asked OR a.held + m.amount <= a.posted + a.credit_limit)
     RETURNING 1
  )
  SELECT (SELECT count(*) FROM part) = (SELECT count(*) FROM counter)
         AND NOT EXISTS (SELECT FROM part WHERE budget_id <> ALL (coalesce(v_locked, '{}')))
         AND (SELECT count(*) FROM money) = (SELECT count(*) FROM wallet) INTO v_fits;
  IF NOT v_fits THEN
    RAISE EXCEPTION 'a budget or a wallet has no room' USING ERRCODE = 'GW010';
  END IF;

  -- 5. End the old holds and insert the new ones.
  IF p_done <> '{}' THEN
    WITH later AS (
      INSERT INTO unposted_turn (settled_at, ids, calls, attempts) SELECT v_now, ARRAY(SELECT id FROM unnest(p_done)), p_calls, p_attempts
    )
    UPDATE hold h SET state = CASE WHEN e.outcome = 'not_executed' THEN 'released' ELSE 'settled' END,
                      captured = e.charge, absorbed = e.absorbed, resolved_at = v_now, reason = e.outcome
      FROM unnest(v_ended) e WHERE h.id = e.id AND h.state IS NOT DISTINCT FROM 'dispatched';
    GET DIAGNOSTICS v_rows = ROW_COUNT;
    IF v_rows <> cardinality(p_done) THEN
      RAISE EXCEPTION 'a hold has ended meanwhile' USING ERRCODE = 'GW010';
    END IF;
  END IF;
  IF p_asked <> '{}' THEN
    INSERT INTO hold (id, organisation_id, key_id, user_id, department_id, project_id, wallet_id, exempt, state, amount,
                      price_version, lease_owner, lease_until, created_at, dispatched_at, leg_budgets, leg_starts, reason)
      SELECT a.id, a.organisation_id, a.key_id, a.user_id, a.department_id, a.project_id, a.wallet_id, a.exempt, 'dispatched', a.amount,
             a.price_version, p_owner, v_now + p_lease, v_now, v_now, coalesce(l.budgets, '{}'), coalesce(l.starts, '{}'),
             CASE WHEN a.spare THEN 'spare' END
        FROM unnest(p_asked) a
        CROSS JOIN LATERAL (
          SELECT array_agg(u.id) AS budgets, array_agg(u.period_start) AS starts
            FROM unnest(v_budgets) u
           WHERE u.active AND u.scope_id = CASE u.scope_kind WHEN 'key' THEN a.key_id WHEN 'user' THEN a.user_id WHEN 'department' THEN a.department_id
                                                             WHEN 'project' THEN a.project_id ELSE a.organisation_id END) l;
  END IF;
  RETURN coalesce(v_exceptions, '');
END $$;
