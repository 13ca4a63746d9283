-- accounting_admit again: what a full rate window answers is found without reading the whole window.
CREATE OR REPLACE FUNCTION accounting_admit(
  p_ids uuid[], p_organisations integer[], p_keys integer[], p_users integer[], p_departments integer[], p_projects integer[],
  p_wallets bigint[], p_exempt boolean[], p_amounts bigint[], p_rpm integer[], p_prices bigint[],
  p_owner text, p_lease interval
) RETURNS text LANGUAGE plpgsql
-- Plans of the two hot functions are made once, often while the tables are still empty: only index look-ups are allowed.
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off
SET enable_bitmapscan = off SET jit = off
AS $$
DECLARE
  v_calls CONSTANT integer := cardinality(p_ids);
  v_now timestamptz;
  v_fits boolean := true;
  v_ok boolean[];
  v_verdict text;
  v_verdicts text := '';
  -- Rate windows of the batch, by key.
  r_keys integer[]; r_rpm integer[]; r_want integer[]; r_used integer[];
  -- Budgets of the batch, by id; legs join calls (by position) to budgets (by position), in scope order.
  b_ids bigint[]; b_limit bigint[]; b_period text[]; b_start timestamptz[]; b_spent bigint[]; b_held bigint[]; b_want bigint[];
  b_has boolean[];
  l_call integer[]; l_scope text[]; l_budget bigint[]; l_pos integer[];
  -- Wallets of the batch that are charged, by id.
  w_ids bigint[]; w_funds bigint[]; w_held bigint[]; w_want bigint[];
  j integer; l integer := 1; l_from integer; v_amount bigint; v_room timestamptz;
BEGIN
  -- 1. Rate windows: lock by key, let expired stamps go. Each stamp is written once and deleted once.
  SELECT array_agg(k ORDER BY k), array_agg(rpm ORDER BY k), array_agg(want ORDER BY k) INTO r_keys, r_rpm, r_want
    FROM (SELECT u.k, min(u.rpm) AS rpm, count(*)::integer AS want
            FROM unnest(p_keys, p_rpm) u(k, rpm) WHERE u.rpm IS NOT NULL GROUP BY u.k) x;
  IF r_keys IS NOT NULL THEN
    SELECT array_agg(x.used) INTO r_used
      FROM (SELECT used FROM rate_window WHERE key_id = ANY (r_keys) ORDER BY key_id FOR NO KEY UPDATE) x;
    IF coalesce(cardinality(r_used), 0) < cardinality(r_keys) THEN
      INSERT INTO rate_window (key_id) SELECT k FROM unnest(r_keys) k ORDER BY k ON CONFLICT DO NOTHING;
      SELECT array_agg(x.used) INTO r_used
        FROM (SELECT used FROM rate_window WHERE key_id = ANY (r_keys) ORDER BY key_id FOR NO KEY UPDATE) x;
    END IF;
    v_now := app_now();
    -- A stamp from the future is left over from a clock that was set back.
    WITH gone AS (
      DELETE FROM rate_stamp
       WHERE key_id = ANY (r_keys) AND (at <= v_now - interval '60 seconds' OR at > v_now + interval '1 second')
      RETURNING rate_stamp.key_id, rate_stamp.n)
    SELECT array_agg(u.used - coalesce(g.n, 0) ORDER BY u.k) INTO r_used
      FROM unnest(r_keys, r_used) u(k, used)
      LEFT JOIN (SELECT key_id, sum(gone.n)::integer AS n FROM gone GROUP BY key_id) g ON g.key_id = u.k;
    SELECT bool_and(u.used + u.want <= u.rpm) INTO v_fits FROM unnest(r_used, r_want, r_rpm) u(used, want, rpm);
  ELSE
    v_now := app_now();
  END IF;

  -- 2. Budgets: find those of the batch, lock them by id, read limits and counters as they are now.
  SELECT array_agg(c.ord::integer ORDER BY c.ord, s.rank), array_agg(s.letter ORDER BY c.ord, s.rank), array_agg(b.id ORDER BY c.ord, s.rank)
    INTO l_call, l_scope, l_budget
    FROM unnest(p_keys, p_users, p_departments, p_projects, p_organisations) WITH ORDINALITY c(k, u, d, p, o, ord)
    CROSS JOIN LATERAL (VALUES (1, 'key', 'k', c.k), (2, 'user', 'u', c.u), (3, 'department', 'd', c.d),
                               (4, 'project', 'p', c.p), (5, 'organisation', 'o', c.o)) s(rank, kind, letter, id)
    JOIN budget b ON b.scope_kind = s.kind AND b.scope_id = s.id AND b.active;
  IF l_budget IS NOT NULL THEN
    SELECT array_agg(x.id), array_agg(x.limit_amt), array_agg(x.period), array_agg(budget_period_start(x.period, v_now))
      INTO b_ids, b_limit, b_period, b_start
      FROM (SELECT id, limit_amt, period FROM budget WHERE id = ANY (l_budget) ORDER BY id FOR NO KEY UPDATE) x;
    SELECT array_agg(coalesce(c.spent, 0) ORDER BY u.ord), array_agg(coalesce(c.held, 0) ORDER BY u.ord), array_agg(coalesce(c.has, false) ORDER BY u.ord)
      INTO b_spent, b_held, b_has
      FROM unnest(b_ids, b_period, b_start) WITH ORDINALITY u(id, period, start, ord)
      LEFT JOIN LATERAL (
        SELECT sum(spent)::bigint AS spent, sum(held)::bigint AS held, bool_or(period_start = u.start) AS has
          FROM budget_counter
         WHERE budget_id = u.id AND period_start BETWEEN budget_window_start(u.period, u.start) AND u.start) c ON true;
    IF NOT (true = ALL (b_has)) THEN
      INSERT INTO budget_counter (budget_id, period_start, organisation_id)
        SELECT b.id, u.start, b.organisation_id FROM unnest(b_ids, b_start, b_has) u(id, start, has) JOIN budget b ON b.id = u.id
         WHERE NOT u.has ON CONFLICT DO NOTHING;
    END IF;
    SELECT array_agg(array_position(b_ids, u.budget) ORDER BY u.ord) INTO l_pos FROM unnest(l_budget) WITH ORDINALITY u(budget, ord);
    SELECT array_agg(x.want ORDER BY x.pos), v_fits AND bool_and(b_limit[x.pos] IS NULL OR b_spent[x.pos] + b_held[x.pos] + x.want <= b_limit[x.pos])
      INTO b_want, v_fits
      FROM (SELECT u.pos, sum(p_amounts[u.call])::bigint AS want FROM unnest(l_pos, l_call) u(pos, call) GROUP BY u.pos) x;
  END IF;

  -- 3. Wallets of payers that are charged: lock by id. Exempt payers hold nothing in theirs.
  SELECT array_agg(x.w ORDER BY x.w), array_agg(x.want ORDER BY x.w) INTO w_ids, w_want
    FROM (SELECT u.w, sum(u.amount)::bigint AS want FROM unnest(p_wallets, p_exempt, p_amounts) u(w, exempt, amount)
           WHERE NOT u.exempt GROUP BY u.w) x;
  IF w_ids IS NOT NULL THEN
    SELECT array_agg(x.id), array_agg(x.posted + x.credit_limit), array_agg(x.held) INTO w_ids, w_funds, w_held
      FROM (SELECT id, posted, credit_limit, held FROM ledger_account
             WHERE id = ANY (w_ids) AND kind = 'wallet' ORDER BY id FOR NO KEY UPDATE) x;
    IF cardinality(w_ids) IS DISTINCT FROM cardinality(w_want) THEN
      v_fits := false;
    ELSE
      SELECT v_fits AND bool_and(u.held + u.want <= u.funds) INTO v_fits FROM unnest(w_funds, w_held, w_want) u(funds, held, want);
    END IF;
  END IF;

  -- 4. Does not all fit: decide call by call, in order of arrival. Hard refusals, narrowest scope first, come before
  --    refusals that only wait for calls under way.
  IF NOT v_fits THEN
    v_ok := array_fill(false, ARRAY[v_calls]);
    r_want := array_fill(0, ARRAY[coalesce(cardinality(r_keys), 0)]);
    b_want := array_fill(0::bigint, ARRAY[coalesce(cardinality(b_ids), 0)]);
    w_want := array_fill(0::bigint, ARRAY[coalesce(cardinality(w_ids), 0)]);
    FOR i IN 1..v_calls LOOP
      v_verdict := NULL;
      v_amount := p_amounts[i];
      l_from := l;
      WHILE l_call[l] = i LOOP l := l + 1; END LOOP;
      IF p_rpm[i] IS NOT NULL THEN
        j := array_position(r_keys, p_keys[i]);
        IF r_used[j] + r_want[j] >= p_rpm[i] THEN
          -- The oldest stamp whose leaving makes room for one more; the stamps of this batch are a minute away. Stamps are
          -- read in their order and no further than needed: a key that hammers at its limit costs one or two of them.
          SELECT x.at INTO v_room
            FROM (SELECT s.at, sum(s.n) OVER (ORDER BY s.at) AS leaving FROM rate_stamp s WHERE s.key_id = p_keys[i]) x
           WHERE x.leaving > r_used[j] + r_want[j] - p_rpm[i] ORDER BY x.at LIMIT 1;
          v_verdict := 'r' || greatest(1, ceil(extract(epoch FROM coalesce(v_room, v_now) + interval '60 seconds' - v_now)))::integer;
        END IF;
      END IF;
      IF v_verdict IS NULL THEN
        FOR k IN l_from..l - 1 LOOP
          j := l_pos[k];
          IF v_amount > b_limit[j] - b_spent[j] THEN
            v_verdict := 'x' || l_scope[k] || budget_retry_seconds(b_ids[j], b_period[j], b_limit[j], v_amount, v_now);
            EXIT;
          ELSIF v_verdict IS NULL AND v_amount > b_limit[j] - b_spent[j] - b_held[j] - b_want[j] THEN
            v_verdict := 'b' || l_scope[k];
          END IF;
        END LOOP;
        IF NOT p_exempt[i] AND (v_verdict IS NULL OR v_verdict LIKE 'b%') THEN
          j := array_position(w_ids, p_wallets[i]);
          IF j IS NULL THEN
            v_verdict := 'e';
          ELSIF v_amount > w_funds[j] THEN
            v_verdict := 'xw';
          ELSIF v_verdict IS NULL AND v_amount > w_funds[j] - w_held[j] - w_want[j] THEN
            v_verdict := 'bw';
          END IF;
        END IF;
      END IF;
      IF v_verdict IS NULL THEN
        v_verdict := 'h';
        v_ok[i] := true;
        IF p_rpm[i] IS NOT NULL THEN
          j := array_position(r_keys, p_keys[i]);
          r_want[j] := r_want[j] + 1;
        END IF;
        FOR k IN l_from..l - 1 LOOP
          j := l_pos[k];
          b_want[j] := b_want[j] + v_amount;
        END LOOP;
        IF NOT p_exempt[i] THEN
          j := array_position(w_ids, p_wallets[i]);
          w_want[j] := w_want[j] + v_amount;
        END IF;
      END IF;
      v_verdicts := v_verdicts || ',' || v_verdict;
    END LOOP;
    v_verdicts := substr(v_verdicts, 2);
  END IF;

  -- 5. Write what was admitted; `want` now is what each row takes.
  IF r_keys IS NOT NULL THEN
    UPDATE rate_window w SET used = u.used + u.want
      FROM unnest(r_keys, r_used, r_want) u(k, used, want) WHERE w.key_id = u.k AND w.used <> u.used + u.want;
    INSERT INTO rate_stamp (key_id, at, n) SELECT u.k, v_now, u.want FROM unnest(r_keys, r_want) u(k, want) WHERE u.want > 0
      ON CONFLICT (key_id, at) DO UPDATE SET n = rate_stamp.n + excluded.n;
  END IF;
  IF b_ids IS NOT NULL THEN
    UPDATE budget_counter c SET held = c.held + u.want
      FROM unnest(b_ids, b_start, b_want) u(id, start, want)
     WHERE c.budget_id = u.id AND c.period_start = u.start AND u.want > 0;
  END IF;
  IF w_ids IS NOT NULL THEN
    UPDATE ledger_account a SET held = a.held + u.want FROM unnest(w_ids, w_want) u(id, want) WHERE a.id = u.id AND u.want > 0;
  END IF;
  INSERT INTO hold (id, organisation_id, key_id, user_id, department_id, project_id, wallet_id, exempt, state, amount,
                    price_version, lease_owner, lease_until, created_at, dispatched_at)
    SELECT u.id, u.o, u.k, u.u, u.d, u.p, u.w, u.exempt, 'dispatched', u.amount, u.price, p_owner, v_now + p_lease, v_now, v_now
      FROM unnest(p_ids, p_organisations, p_keys, p_users, p_departments, p_projects, p_wallets, p_exempt, p_amounts, p_prices, v_ok)
           u(id, o, k, u, d, p, w, exempt, amount, price, ok)
     WHERE v_fits OR u.ok;
  IF b_ids IS NOT NULL THEN
    INSERT INTO budget_leg (call_id, budget_id, period_start)
      SELECT p_ids[u.call], u.budget, b_start[u.pos] FROM unnest(l_call, l_budget, l_pos) u(call, budget, pos)
       WHERE v_fits OR v_ok[u.call];
  END IF;
  RETURN v_verdicts;
END $$;
