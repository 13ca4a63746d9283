-- Holds between admission and settlement.

CREATE OR REPLACE FUNCTION hold_transition() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.resolved_at IS NOT NULL THEN
    RAISE EXCEPTION 'hold % is final', OLD.id USING ERRCODE = '23514';
  END IF;
  IF NEW.state <> OLD.state AND NOT (
       (OLD.state = 'reserved'   AND NEW.state IN ('dispatched', 'released'))
    OR (OLD.state = 'dispatched' AND NEW.state IN ('settled', 'released', 'review'))
    OR (OLD.state = 'review'     AND NEW.state IN ('settled', 'released'))) THEN
    RAISE EXCEPTION 'hold % cannot go from % to %', OLD.id, OLD.state, NEW.state USING ERRCODE = '23514';
  END IF;
  IF (NEW.state IN ('settled', 'released')) <> (NEW.resolved_at IS NOT NULL) OR (NEW.dispatched_at IS NULL AND NEW.state NOT IN ('reserved', 'released'))
     OR (NEW.state <> 'settled' AND (NEW.captured > 0 OR NEW.absorbed > 0)) THEN
    RAISE EXCEPTION 'hold %: a hold that is % has other times and amounts', OLD.id, NEW.state USING ERRCODE = '23514';
  END IF;
  IF NEW.id <> OLD.id OR NEW.amount <> OLD.amount OR NEW.wallet_id <> OLD.wallet_id OR NEW.exempt <> OLD.exempt
     OR NEW.price_version <> OLD.price_version OR NEW.key_id <> OLD.key_id OR NEW.created_at <> OLD.created_at
     OR (NEW.leg_budgets, NEW.leg_starts) IS DISTINCT FROM (OLD.leg_budgets, OLD.leg_starts) THEN
    RAISE EXCEPTION 'hold %: amount, wallet, price, party and legs are fixed', OLD.id USING ERRCODE = '23514';
  END IF;
  -- Idempotency keys of batches contain a blank, which no client can send.
  IF NEW.state = 'review' AND OLD.state <> 'review' THEN
    NEW.batch_id := coalesce(
      (SELECT split_part(c.idem_key, ' ', 2) FROM idempotent_call c WHERE c.call_id = NEW.id AND c.idem_key LIKE 'batch %' LIMIT 1),
      (SELECT l.batch_id FROM batch_line l WHERE l.call_id = NEW.id LIMIT 1));
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE FUNCTION usage_event_fixed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the money of usage row % is fixed', OLD.request_id USING ERRCODE = '23514';
END $$;

-- The budget counters that carry a call. They are stored with its hold; calls without one and holds of older releases have rows in
-- `budget_leg`.
CREATE OR REPLACE FUNCTION hold_legs(p_call uuid) RETURNS TABLE (budget_id bigint, period_start timestamptz) LANGUAGE sql STABLE AS $$
  SELECT budget_id, period_start FROM budget_leg WHERE call_id = p_call
  UNION ALL
  SELECT l.budget_id, l.period_start FROM hold h CROSS JOIN LATERAL unnest(h.leg_budgets, h.leg_starts) l(budget_id, period_start) WHERE h.id = p_call
$$;

-- Releases open holds in one of the given states. Only for calls that were certainly not executed.
CREATE OR REPLACE FUNCTION accounting_release(p_ids uuid[], p_states text[], p_reason text) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  v_ids uuid[];
BEGIN
  PERFORM FROM budget WHERE id IN (SELECT l.budget_id FROM unnest(p_ids) u(id) CROSS JOIN LATERAL hold_legs(u.id) l) ORDER BY id FOR NO KEY UPDATE;
  PERFORM FROM ledger_account WHERE id IN (SELECT wallet_id FROM hold WHERE id = ANY (p_ids)) ORDER BY id FOR NO KEY UPDATE;
  SELECT array_agg(x.id) INTO v_ids
    FROM (SELECT id FROM hold WHERE id = ANY (p_ids) AND state = ANY (p_states) ORDER BY id FOR NO KEY UPDATE) x;
  UPDATE budget_counter c SET held = c.held - x.freed
    FROM (SELECT l.budget_id, l.period_start, sum(h.amount)::bigint AS freed
            FROM hold h CROSS JOIN LATERAL hold_legs(h.id) l WHERE h.id = ANY (v_ids) GROUP BY 1, 2) x
   WHERE c.budget_id = x.budget_id AND c.period_start = x.period_start;
  UPDATE ledger_account a SET held = a.held - x.freed
    FROM (SELECT wallet_id, sum(amount)::bigint AS freed FROM hold WHERE id = ANY (v_ids) AND NOT exempt GROUP BY 1) x
   WHERE a.id = x.wallet_id;
  UPDATE hold SET state = 'released', resolved_at = app_now(), reason = p_reason WHERE id = ANY (v_ids);
  RETURN coalesce(cardinality(v_ids), 0);
END $$;

-- Releases holds, dispatched or in review, that certainly belong to no call, and removes the stamps of those in `p_rated` from their
-- rate windows. Returns the number of holds released; safe to repeat. Locks in the common order.
CREATE OR REPLACE FUNCTION accounting_give_back(p_ids uuid[], p_rated uuid[]) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  v_count integer;
BEGIN
  PERFORM FROM rate_window WHERE key_id IN (SELECT key_id FROM hold WHERE id = ANY (p_rated)) ORDER BY key_id FOR NO KEY UPDATE;
  v_count := accounting_release(p_ids, '{dispatched,review}', 'spare');
  -- The holds released by this transaction. A stamp that has expired meanwhile is already deleted.
  WITH freed AS (
    SELECT key_id, rate_slot(created_at) AS at, count(*)::integer AS n
      FROM hold WHERE id = ANY (p_rated) AND state = 'released' AND xmin = pg_current_xact_id()::xid GROUP BY 1, 2
  ), emptied AS (
    DELETE FROM rate_stamp s USING freed f WHERE s.key_id = f.key_id AND s.at = f.at AND s.n <= f.n RETURNING s.key_id, s.n
  ), reduced AS (
    UPDATE rate_stamp s SET n = s.n - f.n FROM freed f WHERE s.key_id = f.key_id AND s.at = f.at AND s.n > f.n RETURNING s.key_id, f.n
  )
  UPDATE rate_window w SET used = w.used - x.n
    FROM (SELECT key_id, sum(n)::integer AS n FROM (SELECT * FROM emptied UNION ALL SELECT * FROM reduced) y GROUP BY key_id) x
   WHERE w.key_id = x.key_id;
  RETURN v_count;
END $$;

-- Extends the leases of calls in flight and stores their progress. A hold in review stays there. No lease is shortened, because
-- a batch may have extended it further.
CREATE OR REPLACE FUNCTION accounting_touch(p_ids uuid[], p_input integer[], p_output integer[], p_prices bigint[], p_owner text, p_lease interval)
RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  v_now CONSTANT timestamptz := app_now();
  v_count integer;
BEGIN
  PERFORM FROM hold WHERE id = ANY (p_ids) ORDER BY id FOR NO KEY UPDATE;
  UPDATE hold h SET lease_until = greatest(h.lease_until, v_now + p_lease), lease_owner = p_owner, ckpt_in = coalesce(u.input, h.ckpt_in),
                    ckpt_out = coalesce(u.output, h.ckpt_out), ckpt_price = coalesce(u.price, h.ckpt_price), ckpt_at = v_now
    FROM unnest(p_ids, p_input, p_output, p_prices) u(id, input, output, price)
   WHERE h.id = u.id AND h.state IN ('dispatched', 'review');
  GET DIAGNOSTICS v_count = ROW_COUNT;
  RETURN v_count;
END $$;

-- Ends holds with an expired lease: reserved ones are released, dispatched ones go into review, because the supplier may have
-- worked. Returns <released>,<reviewed>.
CREATE OR REPLACE FUNCTION accounting_sweep(p_limit integer) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  v_now CONSTANT timestamptz := app_now();
  v_reserved uuid[];
  v_released integer := 0;
  v_reviewed integer;
BEGIN
  SELECT array_agg(x.id) INTO v_reserved
    FROM (SELECT id FROM hold WHERE state = 'reserved' AND lease_until < v_now ORDER BY lease_until LIMIT p_limit) x;
  IF v_reserved IS NOT NULL THEN
    v_released := accounting_release(v_reserved, ARRAY['reserved'], 'lease_expired');
  END IF;
  UPDATE hold h SET state = 'review', reason = 'lease_expired'
    FROM (SELECT id FROM hold WHERE state = 'dispatched' AND lease_until < v_now ORDER BY id LIMIT p_limit FOR NO KEY UPDATE SKIP LOCKED) x
   WHERE h.id = x.id;
  GET DIAGNOSTICS v_reviewed = ROW_COUNT;
  RETURN v_released || ',' || v_reviewed;
END $$;
