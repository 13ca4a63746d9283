-- Admission of a batch of calls.

-- Locks all rows that a turn changes, in the common order: rate windows by key, budgets by id, wallets by id, holds by id.
-- Later reads are current because of these locks.
CREATE OR REPLACE FUNCTION accounting_lock(p_finished finished_call[], p_asked asked_call[]) RETURNS turn_locks LANGUAGE plpgsql AS $$
DECLARE
  v_ids CONSTANT uuid[] := ARRAY(SELECT id FROM unnest(p_finished));
  v_keys integer[];
  v_budgets bigint[];
  v_found integer;
BEGIN
  SELECT array_agg(DISTINCT key_id) INTO v_keys FROM unnest(p_asked) WHERE rpm IS NOT NULL;
  IF v_keys IS NOT NULL THEN
    PERFORM FROM rate_window WHERE key_id = ANY (v_keys) ORDER BY key_id FOR NO KEY UPDATE;
    GET DIAGNOSTICS v_found = ROW_COUNT;
    IF v_found < cardinality(v_keys) THEN
      INSERT INTO rate_window (key_id) SELECT k FROM unnest(v_keys) k ORDER BY k ON CONFLICT DO NOTHING;
      PERFORM FROM rate_window WHERE key_id = ANY (v_keys) ORDER BY key_id FOR NO KEY UPDATE;
    END IF;
  END IF;
  -- Finished calls count in the budgets of their legs; calls without a hold and new calls count in the active budgets.
  SELECT array_agg(id) INTO v_budgets FROM (
    SELECT id FROM budget
      WHERE id IN (SELECT l.budget_id FROM unnest(v_ids) u(id) CROSS JOIN LATERAL hold_legs(u.id) l
                   UNION
                   SELECT b.id
                     FROM (SELECT key_id, user_id, department_id, project_id, organisation_id FROM unnest(p_asked)
                           UNION
                           SELECT key_id, user_id, department_id, project_id, organisation_id FROM unnest(p_finished) WHERE NOT held) c
                     CROSS JOIN LATERAL (VALUES ('key', c.key_id), ('user', c.user_id), ('department', c.department_id),
                                                ('project', c.project_id), ('organisation', c.organisation_id)) s(kind, id)
                     JOIN budget b ON b.scope_kind = s.kind AND b.scope_id = s.id AND b.active)
      ORDER BY id FOR NO KEY UPDATE) locked;
  PERFORM FROM ledger_account
    WHERE kind = 'wallet' AND id IN (SELECT wallet_id FROM hold WHERE id = ANY (v_ids)
                                     UNION SELECT wallet_id FROM unnest(p_finished)
                                     UNION SELECT wallet_id FROM unnest(p_asked) WHERE NOT exempt)
    ORDER BY id FOR NO KEY UPDATE;
  IF v_ids <> '{}' THEN
    PERFORM FROM hold WHERE id = ANY (v_ids) ORDER BY id FOR NO KEY UPDATE;
  END IF;
  RETURN (v_keys, v_budgets);
END $$;

-- The second half of `accounting_admit`, after all rows are locked. Raises a serialization failure (40001), to be retried, when a
-- budget was replaced while this turn waited for its locks.
CREATE OR REPLACE FUNCTION accounting_take(p_calls asked_call[], p_locks turn_locks, p_owner text, p_lease interval) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  v_now CONSTANT timestamptz := app_now();
  v_slot CONSTANT timestamptz := rate_slot(v_now);
  v_rated CONSTANT integer[] := p_locks.rated;
  v_fits boolean := true;
  v_part boolean;
  v_has boolean;
  v_locked boolean;
  v_ok boolean[];         -- NULL: all calls are admitted
  v_verdict text;
  v_verdicts text := '';
  v_legs call_leg[];      -- of all calls, in their order, narrowest scope first
  v_budgets budget_state[];
  -- Rate windows of the batch by key; budgets and charged wallets as arrays, to decide call by call.
  r_keys integer[]; r_rpm integer[]; r_used integer[]; r_want integer[];
  b_ids bigint[]; b_limit bigint[]; b_spent bigint[]; b_held bigint[]; b_want bigint[];
  w_ids bigint[]; w_funds bigint[]; w_held bigint[]; w_want bigint[];
  v_call asked_call; v_leg call_leg; v_room timestamptz;
  v_free bigint; v_least bigint; v_tight text;  -- for a call without enough money: the free amount of its tightest scope, and its letter
  j integer; l integer := 1; l_from integer;
BEGIN
  -- 1. Rate windows: delete expired stamps. Each stamp is one slot of 100 ms and is deleted once.
  IF v_rated IS NOT NULL THEN
    WITH gone AS (
      DELETE FROM rate_stamp WHERE key_id = ANY (v_rated) AND at <= v_now - interval '60 seconds' RETURNING rate_stamp.key_id, rate_stamp.n)
    SELECT array_agg(w.key_id), array_agg(u.rpm), array_agg(w.used - coalesce(g.n, 0)), array_agg(u.want),
           bool_and(w.used - coalesce(g.n, 0) + u.want <= u.rpm)
      INTO r_keys, r_rpm, r_used, r_want, v_fits
      FROM (SELECT key_id, min(rpm) AS rpm, count(*)::integer AS want FROM unnest(p_calls) WHERE rpm IS NOT NULL GROUP BY key_id) u
      JOIN rate_window w ON w.key_id = u.key_id
      LEFT JOIN (SELECT key_id, sum(gone.n)::integer AS n FROM gone GROUP BY key_id) g ON g.key_id = u.key_id;
    -- A stamp in the future was written before the clock was set back. It matters only when the window is full.
    IF NOT v_fits THEN
      WITH gone AS (
        DELETE FROM rate_stamp WHERE key_id = ANY (v_rated) AND at > v_now + interval '1 second' RETURNING rate_stamp.key_id, rate_stamp.n)
      SELECT array_agg(u.used - coalesce(g.n, 0) ORDER BY u.ordinality), bool_and(u.used - coalesce(g.n, 0) + u.want <= u.rpm)
        INTO r_used, v_fits
        FROM unnest(r_keys, r_rpm, r_used, r_want) WITH ORDINALITY u(key_id, rpm, used, want)
        LEFT JOIN (SELECT key_id, sum(gone.n)::integer AS n FROM gone GROUP BY key_id) g ON g.key_id = u.key_id;
    END IF;
  END IF;

  -- 2. Active budgets of the calls, with current limits and counters.
  SELECT array_agg((c.ordinality, c.id, s.letter, b.id, budget_period_start(b.period, v_now), c.amount)::call_leg ORDER BY c.ordinality, s.rank)
    INTO v_legs
    FROM unnest(p_calls) WITH ORDINALITY c
    CROSS JOIN LATERAL (VALUES (1, 'key', 'k', c.key_id), (2, 'user', 'u', c.user_id), (3, 'department', 'd', c.department_id),
                               (4, 'project', 'p', c.project_id), (5, 'organisation', 'o', c.organisation_id)) s(rank, kind, letter, id)
    JOIN budget b ON b.scope_kind = s.kind AND b.scope_id = s.id AND b.active;
  IF v_legs IS NOT NULL THEN
    SELECT array_agg((b.id, b.limit_amt, b.period, x.period_start, coalesce(c.spent, 0), coalesce(c.held, 0), x.want, coalesce(c.has, false))::budget_state),
           bool_and(b.limit_amt IS NULL OR coalesce(c.spent, 0) + coalesce(c.held, 0) + x.want <= b.limit_amt), bool_and(coalesce(c.has, false)),
           coalesce(bool_and(b.id = ANY (p_locks.budgets)), false)
      INTO v_budgets, v_part, v_has, v_locked
      FROM (SELECT budget_id, period_start, sum(amount)::bigint AS want FROM unnest(v_legs) GROUP BY budget_id, period_start) x
      JOIN budget b ON b.id = x.budget_id
      LEFT JOIN LATERAL (
        SELECT sum(spent)::bigint AS spent, sum(held)::bigint AS held, bool_or(period_start = x.period_start) AS has
          FROM budget_counter
         WHERE budget_id = b.id AND period_start BETWEEN budget_window_start(b.period, x.period_start) AND x.period_start) c ON true;
    IF NOT v_locked THEN
      RAISE EXCEPTION 'another budget was put in force meanwhile' USING ERRCODE = '40001';
    END IF;
    v_fits := v_fits AND v_part;
    IF NOT v_has THEN
      INSERT INTO budget_counter (budget_id, period_start, organisation_id)
        SELECT b.id, u.period_start, b.organisation_id FROM unnest(v_budgets) u JOIN budget b ON b.id = u.id
         WHERE NOT u.has ORDER BY b.id ON CONFLICT DO NOTHING;
    END IF;
  END IF;

  -- 3. Wallets of charged payers. Calls of exempt payers hold nothing in their wallets.
  SELECT bool_and(a.id IS NOT NULL AND a.held + x.want <= a.posted + a.credit_limit) INTO v_part
    FROM (SELECT wallet_id, sum(amount)::bigint AS want FROM unnest(p_calls) WHERE NOT exempt GROUP BY wallet_id) x
    LEFT JOIN ledger_account a ON a.id = x.wallet_id AND a.kind = 'wallet';
  v_fits := v_fits AND coalesce(v_part, true);

  -- 4. Not all calls fit: decide call by call, in order of arrival. Final refusals, narrowest scope first, take precedence over
  --    refusals that wait for calls in flight.
  IF NOT v_fits THEN
    SELECT array_agg(id), array_agg(limit_amt), array_agg(spent), array_agg(held) INTO b_ids, b_limit, b_spent, b_held FROM unnest(v_budgets);
    -- An unposted charge counts as spent, not as held by calls in flight: waiting would not release it.
    SELECT array_agg(a.id), array_agg(a.posted + a.credit_limit - coalesce(u.held, 0)), array_agg(a.held - coalesce(u.held, 0))
      INTO w_ids, w_funds, w_held
      FROM ledger_account a
      LEFT JOIN (SELECT h.wallet_id, sum(h.captured)::bigint AS held
                   FROM unposted_turn t CROSS JOIN LATERAL unnest(t.ids) c(id) JOIN hold h ON h.id = c.id
                  WHERE NOT h.exempt GROUP BY h.wallet_id) u ON u.wallet_id = a.id
     WHERE a.kind = 'wallet' AND a.id IN (SELECT wallet_id FROM unnest(p_calls) WHERE NOT exempt);
    v_ok := array_fill(false, ARRAY[cardinality(p_calls)]);
    r_want := array_fill(0, ARRAY[coalesce(cardinality(r_keys), 0)]);
    b_want := array_fill(0::bigint, ARRAY[coalesce(cardinality(b_ids), 0)]);
    w_want := array_fill(0::bigint, ARRAY[coalesce(cardinality(w_ids), 0)]);
    FOR i IN 1..cardinality(p_calls) LOOP
      v_call := p_calls[i];
      v_verdict := NULL;
      l_from := l;
      WHILE (v_legs[l]).call = i LOOP l := l + 1; END LOOP;
      IF v_call.rpm IS NOT NULL THEN
        j := array_position(r_keys, v_call.key_id);
        IF r_used[j] + r_want[j] >= v_call.rpm THEN
          -- The oldest stamp whose expiry makes room for one more request; the stamps of this batch expire in a minute. Stamps are
          -- read in order and no further than needed: a key far above its limit costs one or two of them.
          SELECT x.at INTO v_room
            FROM (SELECT s.at, sum(s.n) OVER (ORDER BY s.at) AS leaving FROM rate_stamp s WHERE s.key_id = v_call.key_id) x
           WHERE x.leaving > r_used[j] + r_want[j] - v_call.rpm ORDER BY x.at LIMIT 1;
          v_verdict := 'r' || greatest(1, ceil(extract(epoch FROM coalesce(v_room, v_now) + interval '60 seconds' - v_now)))::integer;
        END IF;
      END IF;
      IF v_verdict IS NULL THEN
        FOR k IN l_from..l - 1 LOOP
          v_leg := v_legs[k];
          j := array_position(b_ids, v_leg.budget_id);
          IF v_call.amount > b_limit[j] - b_spent[j] THEN
            v_verdict := concat_ws(':', 'x' || v_leg.letter || budget_retry_seconds(b_ids[j], (v_budgets[j]).period, b_limit[j], v_call.amount, v_now),
                                   b_limit[j], b_spent[j], b_held[j] + b_want[j]);
            EXIT;
          ELSIF v_verdict IS NULL AND v_call.amount > b_limit[j] - b_spent[j] - b_held[j] - b_want[j] THEN
            v_verdict := concat_ws(':', 'b' || v_leg.letter, b_limit[j], b_spent[j], b_held[j] + b_want[j]);
          END IF;
        END LOOP;
        IF NOT v_call.exempt AND (v_verdict IS NULL OR v_verdict LIKE 'b%') THEN
          j := array_position(w_ids, v_call.wallet_id);
          IF j IS NULL THEN
            v_verdict := 'e';
          ELSIF v_call.amount > w_funds[j] THEN
            v_verdict := concat_ws(':', 'xw', w_funds[j], 0, w_held[j] + w_want[j]);
          ELSIF v_verdict IS NULL AND v_call.amount > w_funds[j] - w_held[j] - w_want[j] THEN
            v_verdict := concat_ws(':', 'bw', w_funds[j], 0, w_held[j] + w_want[j]);
          END IF;
        END IF;
        IF v_verdict LIKE '_%:%' THEN
          v_least := NULL;
          IF NOT v_call.exempt THEN
            j := array_position(w_ids, v_call.wallet_id);
            v_least := w_funds[j] - w_held[j] - w_want[j];
            v_tight := 'w';
          END IF;
          FOR k IN l_from..l - 1 LOOP
            j := array_position(b_ids, (v_legs[k]).budget_id);
            v_free := b_limit[j] - b_spent[j] - b_held[j] - b_want[j];
            IF coalesce(v_free < v_least, v_free IS NOT NULL) THEN
              v_least := v_free;
              v_tight := (v_legs[k]).letter;
            END IF;
          END LOOP;
          v_verdict := concat_ws(':', v_verdict, v_tight || v_least);
        END IF;
      END IF;
      IF v_verdict IS NULL THEN
        v_verdict := 'h';
        v_ok[i] := true;
        IF v_call.rpm IS NOT NULL THEN
          j := array_position(r_keys, v_call.key_id);
          r_want[j] := r_want[j] + 1;
        END IF;
        FOR k IN l_from..l - 1 LOOP
          j := array_position(b_ids, (v_legs[k]).budget_id);
          b_want[j] := b_want[j] + v_call.amount;
        END LOOP;
        IF NOT v_call.exempt THEN
          j := array_position(w_ids, v_call.wallet_id);
          w_want[j] := w_want[j] + v_call.amount;
        END IF;
      END IF;
      v_verdicts := v_verdicts || ',' || v_verdict;
    END LOOP;
    v_verdicts := substr(v_verdicts, 2);
  END IF;

  -- 5. Write the admitted calls.
  IF v_rated IS NOT NULL THEN
    WITH counted AS (
      UPDATE rate_window w SET used = u.used + u.want
        FROM unnest(r_keys, r_used, r_want) u(key_id, used, want) WHERE w.key_id = u.key_id AND w.used <> u.used + u.want)
    INSERT INTO rate_stamp (key_id, at, n) SELECT u.key_id, v_slot, u.want FROM unnest(r_keys, r_want) u(key_id, want) WHERE u.want > 0
      ON CONFLICT (key_id, at) DO UPDATE SET n = rate_stamp.n + excluded.n;
  END IF;
  IF true <> ALL (v_ok) THEN
    RETURN v_verdicts;
  END IF;
  WITH taken AS MATERIALIZED (
    SELECT c.* FROM ROWS FROM (unnest(p_calls), unnest(v_ok))
           c(id, organisation_id, key_id, user_id, department_id, project_id, wallet_id, exempt, amount, rpm, price_version, spare, ok)
     WHERE v_fits OR c.ok
  ), counter AS (
    UPDATE budget_counter c SET held = c.held + coalesce(u.taken, u.want)
      FROM ROWS FROM (unnest(v_budgets), unnest(b_want)) u(id, limit_amt, period, period_start, spent, held, want, has, taken)
     WHERE c.budget_id = u.id AND c.period_start = u.period_start AND coalesce(u.taken, u.want) > 0
  ), wallet AS (
    UPDATE ledger_account a SET held = a.held + x.amount
      FROM (SELECT wallet_id, sum(amount)::bigint AS amount FROM taken WHERE NOT exempt GROUP BY wallet_id) x
     WHERE a.id = x.wallet_id AND x.amount > 0
  ), leg AS MATERIALIZED (
    SELECT id, array_agg(budget_id) AS budgets, array_agg(period_start) AS starts FROM unnest(v_legs) GROUP BY id
  )
  INSERT INTO hold (id, organisation_id, key_id, user_id, department_id, project_id, wallet_id, exempt, state, amount,
                    price_version, lease_owner, lease_until, created_at, dispatched_at, leg_budgets, leg_starts, reason)
    SELECT t.id, organisation_id, key_id, user_id, department_id, project_id, wallet_id, exempt, 'dispatched', amount,
           price_version, p_owner, v_now + p_lease, v_now, v_now, coalesce(l.budgets, '{}'), coalesce(l.starts, '{}'),
           CASE WHEN spare THEN 'spare' END
      FROM taken t LEFT JOIN leg l ON l.id = t.id;
  RETURN v_verdicts;
END $$;

-- Admits a batch of calls, each in all its scopes or in none: the key's rate window, the budgets of key, user,
-- department, project and organisation, the wallet. Returns '' when every call is held, else one verdict per call,
-- comma-separated:
--   h            held, as dispatched
--   r<seconds>   the rate window is full
--   x<s><secs>   scope s (k, u, d, p, o) has spent its budget; xw: the wallet cannot pay
--   b<s>         scope s is full only because of calls in flight; a retry can succeed when one of them ends
--   e            no such wallet
-- After x and b follow the scope's figures, :<limit>:<spent>:<held> (for a wallet its funds and 0), and the tightest scope with its
-- free amount, :<s><amount>. Held includes the calls of the batch that were admitted before.
CREATE OR REPLACE FUNCTION accounting_admit(p_calls asked_call[], p_owner text, p_lease interval) RETURNS text LANGUAGE plpgsql
-- Plans are made once, often while the tables are still empty, so only index look-ups are allowed.
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off
SET enable_bitmapscan = off SET jit = off
AS $$
BEGIN
  RETURN accounting_take(p_calls, accounting_lock('{}', p_calls), p_owner, p_lease);
END $$;
