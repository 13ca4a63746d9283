-- Budgets, their periods and their counters.

-- The start of the counter for a time: the UTC day or month, or the hour for rolling budgets.
CREATE OR REPLACE FUNCTION budget_period_start(p_period text, p_at timestamptz) RETURNS timestamptz LANGUAGE sql STABLE AS $$
  SELECT date_trunc(CASE p_period WHEN 'daily' THEN 'day' WHEN 'monthly' THEN 'month' ELSE 'hour' END, p_at, 'UTC')
$$;

-- The oldest counter in the window: 720 hours back for rolling budgets, else the current one.
CREATE OR REPLACE FUNCTION budget_window_start(p_period text, p_start timestamptz) RETURNS timestamptz LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN p_period = 'rolling' THEN p_start - interval '719 hours' ELSE p_start END
$$;

-- The end of a daily or monthly period.
CREATE OR REPLACE FUNCTION budget_period_end(p_period text, p_start timestamptz) RETURNS timestamptz LANGUAGE sql STABLE AS $$
  SELECT CASE p_period
    WHEN 'daily' THEN p_start + interval '24 hours'
    WHEN 'monthly' THEN ((p_start AT TIME ZONE 'UTC') + interval '1 month') AT TIME ZONE 'UTC'
    ELSE p_start + interval '720 hours' END
$$;

-- Whole seconds until a refused amount can fit: until the reset, or for rolling budgets until enough hours have left the window.
CREATE OR REPLACE FUNCTION budget_retry_seconds(p_budget bigint, p_period text, p_limit bigint, p_amount bigint, p_now timestamptz)
RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  v_start timestamptz := budget_period_start(p_period, p_now);
  v_at timestamptz;
BEGIN
  IF p_period = 'rolling' THEN
    SELECT x.period_start + interval '720 hours' INTO v_at
      FROM (SELECT c.period_start, sum(c.spent) OVER (ORDER BY c.period_start DESC) - c.spent AS younger
              FROM budget_counter c
             WHERE c.budget_id = p_budget AND c.period_start BETWEEN v_start - interval '719 hours' AND v_start) x
     WHERE x.younger + p_amount <= p_limit ORDER BY x.period_start LIMIT 1;
  END IF;
  v_at := coalesce(v_at, budget_period_end(p_period, v_start));
  RETURN greatest(1, ceil(extract(epoch FROM v_at - p_now)))::integer;
END $$;

-- Activates a scope's budget. A budget that starts in the middle of a period opens with the amount spent in it so far; calls in
-- flight at that moment are not counted.
CREATE OR REPLACE FUNCTION budget_set(p_organisation integer, p_kind text, p_scope integer, p_limit bigint, p_period text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  v_id bigint;
  v_start timestamptz;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('budget:' || p_kind), p_scope);
  UPDATE budget SET limit_amt = p_limit, updated_at = app_now()
   WHERE scope_kind = p_kind AND scope_id = p_scope AND period = p_period AND active RETURNING id INTO v_id;
  IF FOUND THEN
    RETURN v_id;
  END IF;
  PERFORM FROM budget WHERE scope_kind = p_kind AND scope_id = p_scope ORDER BY id FOR NO KEY UPDATE;
  UPDATE budget SET active = false, updated_at = app_now() WHERE scope_kind = p_kind AND scope_id = p_scope AND active;
  INSERT INTO budget (organisation_id, scope_kind, scope_id, limit_amt, period) VALUES (p_organisation, p_kind, p_scope, p_limit, p_period)
    ON CONFLICT (scope_kind, scope_id, period) DO UPDATE SET limit_amt = excluded.limit_amt, active = true, updated_at = app_now()
    RETURNING id INTO v_id;
  v_start := budget_window_start(p_period, budget_period_start(p_period, app_now()));
  INSERT INTO budget_counter (budget_id, period_start, organisation_id, opening, spent)
    SELECT v_id, x.period_start, p_organisation, x.spent, x.spent
      FROM (SELECT budget_period_start(p_period, e.started_at) AS period_start, sum(e.charged)::bigint AS spent
              FROM (SELECT organisation_id, key_id, user_id, department_id, project_id, started_at, charged FROM usage_event
                    UNION ALL
                    SELECT organisation_id, key_id, user_id, department_id, project_id, started_at, charged FROM unposted_call) e
             WHERE e.started_at >= v_start AND e.charged > 0 AND e.organisation_id = p_organisation
               AND p_scope = CASE p_kind WHEN 'key' THEN e.key_id WHEN 'user' THEN e.user_id WHEN 'department' THEN e.department_id
                                         WHEN 'project' THEN e.project_id ELSE e.organisation_id END
             GROUP BY 1) x
    ON CONFLICT (budget_id, period_start) DO UPDATE
      SET opening = greatest(excluded.spent, budget_counter.spent) - (budget_counter.spent - budget_counter.opening),
          spent = greatest(excluded.spent, budget_counter.spent);
  RETURN v_id;
END $$;

-- Active budgets of scopes of one kind, with their current counters.
CREATE OR REPLACE FUNCTION budget_read(p_kind text, p_scopes integer[])
RETURNS TABLE (scope_id integer, limit_amt bigint, period text, spent bigint, held bigint, resets_at timestamptz) LANGUAGE sql STABLE AS $$
  SELECT b.scope_id, b.limit_amt, b.period, coalesce(c.spent, 0), coalesce(c.held, 0),
         CASE WHEN b.period = 'rolling' THEN coalesce(c.oldest, s.start) + interval '720 hours' ELSE budget_period_end(b.period, s.start) END
    FROM (SELECT app_now() AS at) now
    CROSS JOIN budget b
    CROSS JOIN LATERAL (SELECT budget_period_start(b.period, now.at) AS start) s
    LEFT JOIN LATERAL (
      SELECT sum(x.spent)::bigint AS spent, sum(x.held)::bigint AS held, min(x.period_start) FILTER (WHERE x.spent > 0) AS oldest
        FROM budget_counter x WHERE x.budget_id = b.id AND x.period_start BETWEEN budget_window_start(b.period, s.start) AND s.start) c ON true
   WHERE b.scope_kind = p_kind AND b.scope_id = ANY (p_scopes) AND b.active
$$;

-- Merges the budgets of other organisations into one: if it has a limit, limits of the same period are added to it, and their spent
-- amounts count as spent. The merged budgets become inactive.
CREATE OR REPLACE FUNCTION budget_take_over(p_to integer, p_from integer[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_to budget;
  v_from budget;
BEGIN
  PERFORM FROM budget WHERE scope_kind = 'organisation' AND (scope_id = p_to OR scope_id = ANY (p_from)) ORDER BY id FOR NO KEY UPDATE;
  SELECT * INTO v_to FROM budget WHERE scope_kind = 'organisation' AND scope_id = p_to AND active;
  FOR v_from IN SELECT * FROM budget WHERE scope_kind = 'organisation' AND scope_id = ANY (p_from) AND active ORDER BY id LOOP
    IF v_to.limit_amt IS NOT NULL AND v_from.limit_amt IS NOT NULL AND v_from.period = v_to.period THEN
      UPDATE budget SET limit_amt = limit_amt + v_from.limit_amt, updated_at = app_now() WHERE id = v_to.id;
      INSERT INTO budget_counter (budget_id, period_start, organisation_id, opening, spent)
        SELECT v_to.id, c.period_start, p_to, c.spent, c.spent FROM budget_counter c WHERE c.budget_id = v_from.id AND c.spent > 0 ORDER BY c.period_start
        ON CONFLICT (budget_id, period_start) DO UPDATE
          SET opening = budget_counter.opening + excluded.spent, spent = budget_counter.spent + excluded.spent;
    END IF;
    UPDATE budget SET active = false, updated_at = app_now() WHERE id = v_from.id;
  END LOOP;
  UPDATE budget SET organisation_id = p_to WHERE organisation_id = ANY (p_from) AND scope_kind <> 'organisation';
  UPDATE ledger_account SET organisation_id = p_to WHERE organisation_id = ANY (p_from) AND payer_kind <> 'organisation';
END $$;
