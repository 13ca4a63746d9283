-- Posting of the work that lean turns have left.

-- Posts up to `p_most` turns after the turn `p_after`, oldest first. Each is posted once, because the same transaction deletes its row
-- and moves its charge out of the wallet's `held`. Charge and payer are read from the holds, which are final.
-- One caller posts at a time; the others get the answer for an empty queue.
-- Returns <last turn posted>,<turns left>,<age of the oldest of them in milliseconds>; the first is 0 when none was posted.
CREATE OR REPLACE FUNCTION accounting_post_later(p_most integer, p_after bigint) RETURNS text LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off
SET enable_bitmapscan = off SET jit = off
AS $$
DECLARE
  v_ids bigint[];
  v_calls finished_call[];
  v_found call_finding[];
  v_attempts jsonb[];
  v_settled timestamptz[];
  v_due due_charge[];
  v_hours usage_hour[];
  v_gone integer;
BEGIN
  IF pg_try_advisory_xact_lock(hashtext('accounting'), hashtext('post_later')) THEN
    SELECT array_agg(x.id ORDER BY x.id) INTO v_ids FROM (SELECT id FROM unposted_turn WHERE id > p_after ORDER BY id LIMIT p_most) x;
  END IF;
  IF v_ids IS NOT NULL THEN
    SELECT array_agg(x.call ORDER BY x.id, x.ord), array_agg(x.attempts ORDER BY x.id, x.ord), array_agg(x.settled_at ORDER BY x.id, x.ord),
           array_agg(('', true, h.wallet_id, h.exempt, h.amount, h.captured, h.absorbed)::call_finding ORDER BY x.id, x.ord)
      INTO v_calls, v_attempts, v_settled, v_found
      FROM (SELECT id, settled_at, unnest(ids) AS call_id, unnest(calls::finished_call[]) AS call, jsonb_array_elements(attempts::jsonb) AS attempts,
                   generate_subscripts(ids, 1) AS ord
              FROM unposted_turn WHERE id = ANY (v_ids)) x
      JOIN hold h ON h.id = x.call_id;
    SELECT o_due, o_hours INTO v_due, v_hours FROM accounting_post_calls(v_calls, v_found, v_attempts, v_settled, 'gateway');
    DELETE FROM unposted_turn WHERE id = ANY (v_ids);
    GET DIAGNOSTICS v_gone = ROW_COUNT;
    IF v_gone <> cardinality(v_ids) THEN
      RAISE EXCEPTION 'another has posted these turns meanwhile' USING ERRCODE = '40001';
    END IF;
    -- Turns wait for wallets, so wallets are locked last and the commit does not wait for the disk. A lost commit is repeated.
    PERFORM set_config('synchronous_commit', 'off', true);
    PERFORM FROM ledger_account WHERE id IN (SELECT payer FROM unnest(v_found)) ORDER BY id FOR NO KEY UPDATE;
    UPDATE ledger_account a SET held = a.held - x.charge
      FROM (SELECT payer, sum(charge)::bigint AS charge FROM unnest(v_found) WHERE NOT forgiven AND charge > 0 GROUP BY payer) x
     WHERE a.id = x.payer;
    PERFORM accounting_post_sums(v_due, v_hours);
  END IF;
  RETURN (SELECT coalesce(v_ids[cardinality(v_ids)], 0) || ',' || count(*) || ','
                 || coalesce(floor(greatest(0, extract(epoch FROM app_now() - min(settled_at)) * 1000)), 0)::bigint FROM unposted_turn);
END $$;
