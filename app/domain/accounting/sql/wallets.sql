-- Wallets: opening, funding, credit, exemption, successors.

-- The wallet of a payer, opened when it has none yet.
CREATE OR REPLACE FUNCTION wallet_open(p_payer_kind text, p_payer integer, p_organisation integer, p_exempt boolean) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  v_id bigint;
BEGIN
  INSERT INTO ledger_account (kind, payer_kind, payer_id, organisation_id, exempt) VALUES ('wallet', p_payer_kind, p_payer, p_organisation, p_exempt)
    ON CONFLICT (payer_kind, payer_id, kind, currency) WHERE payer_id IS NOT NULL DO NOTHING RETURNING id INTO v_id;
  IF v_id IS NULL THEN
    SELECT id INTO v_id FROM ledger_account WHERE kind = 'wallet' AND payer_kind = p_payer_kind AND payer_id = p_payer AND currency = 'USD';
  END IF;
  RETURN v_id;
END $$;

-- What calls have been charged to a wallet that is not posted to it yet; `held`: how much of that is in its `held` until then.
CREATE OR REPLACE FUNCTION wallet_unposted(p_wallet bigint) RETURNS TABLE (charged bigint, held bigint) LANGUAGE sql STABLE AS $$
  SELECT coalesce(sum(h.captured) FILTER (WHERE a.exempt OR NOT h.exempt), 0)::bigint, coalesce(sum(h.captured) FILTER (WHERE NOT h.exempt), 0)::bigint
    FROM unposted_turn t CROSS JOIN LATERAL unnest(t.ids) c(id) JOIN hold h ON h.id = c.id JOIN ledger_account a ON a.id = h.wallet_id
   WHERE h.wallet_id = p_wallet
$$;

-- Moves money between a wallet and an account of the house; positive amounts fill the wallet.
CREATE OR REPLACE FUNCTION wallet_post(p_wallet bigint, p_house text, p_amount bigint, p_kind text, p_idem_key text, p_actor text, p_memo text)
RETURNS bigint LANGUAGE sql AS $$
  SELECT ledger_post(p_kind, p_idem_key, p_actor, p_memo, ARRAY[p_wallet, h.id], ARRAY[p_amount, -p_amount])
    FROM ledger_account h WHERE h.kind = p_house AND h.payer_id IS NULL AND h.currency = 'USD' AND h.shard = 0
$$;

-- The floor never cuts into what is used already: it sinks with later payments, on the next change of the limit.
CREATE OR REPLACE FUNCTION wallet_set_credit_limit(p_wallet bigint, p_limit bigint) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  UPDATE ledger_account SET credit_limit = p_limit, credit_floor = greatest(p_limit, held - posted) WHERE id = p_wallet AND kind = 'wallet';
  RETURN FOUND;
END $$;

-- A payer that stops being exempt owes nothing for the time before: its exempt usage is written off by the house.
CREATE OR REPLACE FUNCTION wallet_mark_exempt(p_wallet bigint, p_exempt boolean, p_actor text) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  v ledger_account;
  v_used bigint;
BEGIN
  SELECT * INTO v FROM ledger_account WHERE id = p_wallet AND kind = 'wallet' FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RETURN NULL;
  END IF;
  IF v.exempt = p_exempt THEN
    RETURN false;
  END IF;
  IF NOT p_exempt THEN
    SELECT coalesce(-sum(e.amount), 0) INTO v_used
      FROM ledger_entry e JOIN ledger_txn t ON t.id = e.txn_id
     WHERE e.account_id = p_wallet AND (t.kind = 'write_off' OR (t.kind = 'usage' AND EXISTS (
             SELECT FROM ledger_entry x JOIN ledger_account a ON a.id = x.account_id WHERE x.txn_id = t.id AND a.kind = 'exempt_usage')));
    -- At least so much that the wallet covers its holds again.
    v_used := greatest(v_used, v.held - v.credit_limit - v.posted);
    IF v_used > 0 THEN
      PERFORM wallet_post(p_wallet, 'exempt_usage', v_used, 'write_off', 'write_off:' || p_wallet || ':' || v.last_seq, p_actor,
                          'usage before the payer was charged');
    END IF;
  END IF;
  UPDATE ledger_account SET exempt = p_exempt WHERE id = p_wallet;
  RETURN true;
END $$;

-- Moves everything of one wallet that no hold needs into another, debts and the receivable too, and its credit when asked.
-- Answers what was moved. An exempt wallet's usage is written off first, because nobody owes it; the wallet stays exempt for
-- calls under way. A debt moves only together with the credit that allowed it.
CREATE OR REPLACE FUNCTION wallet_take_over(p_from bigint, p_to bigint, p_credit boolean, p_actor text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  v_from ledger_account;
  v_to ledger_account;
  v_exempt boolean;
  v_moved bigint;
  v_owed ledger_account;
  v_owes bigint;
BEGIN
  IF p_from = p_to THEN
    RAISE EXCEPTION 'wallet % cannot take itself over', p_from USING ERRCODE = '23514';
  END IF;
  PERFORM FROM ledger_account a
    WHERE a.id IN (p_from, p_to) OR a.heir_id = p_from
       OR (a.kind = 'receivable' AND (a.payer_kind, a.payer_id) IN (SELECT w.payer_kind, w.payer_id FROM ledger_account w WHERE w.id IN (p_from, p_to)))
    ORDER BY a.id FOR NO KEY UPDATE;
  SELECT * INTO v_from FROM ledger_account WHERE id = p_from AND kind = 'wallet';
  SELECT * INTO v_to FROM ledger_account WHERE id = p_to AND kind = 'wallet';
  IF v_from.id IS NULL OR v_to.id IS NULL THEN
    RETURN NULL;
  END IF;
  v_exempt := v_from.exempt;
  IF v_exempt THEN
    PERFORM wallet_mark_exempt(p_from, false, p_actor);
    SELECT * INTO v_from FROM ledger_account WHERE id = p_from;
  END IF;
  IF p_credit THEN
    UPDATE ledger_account SET credit_limit = credit_limit + v_from.credit_limit, credit_floor = credit_floor + v_from.credit_floor WHERE id = p_to;
  END IF;
  v_moved := v_from.posted - v_from.held;
  IF v_moved < 0 AND NOT p_credit THEN
    v_moved := 0;
  END IF;
  IF v_moved <> 0 THEN
    PERFORM ledger_post('transfer', 'transfer:' || p_from || ':' || v_from.last_seq, p_actor, 'taken over', ARRAY[p_from, p_to], ARRAY[-v_moved, v_moved]);
  END IF;
  SELECT * INTO v_owed FROM ledger_account WHERE kind = 'receivable' AND payer_kind = v_from.payer_kind AND payer_id = v_from.payer_id AND posted <> 0;
  IF p_credit AND v_owed.id IS NOT NULL THEN
    INSERT INTO ledger_account (kind, payer_kind, payer_id, organisation_id) VALUES ('receivable', v_to.payer_kind, v_to.payer_id, v_to.organisation_id)
      ON CONFLICT (payer_kind, payer_id, kind, currency) WHERE payer_id IS NOT NULL DO NOTHING;
    SELECT id INTO v_owes FROM ledger_account WHERE kind = 'receivable' AND payer_kind = v_to.payer_kind AND payer_id = v_to.payer_id;
    PERFORM ledger_post('transfer', 'transfer:' || v_owed.id || ':' || v_owed.last_seq, p_actor, 'taken over', ARRAY[v_owed.id, v_owes], ARRAY[-v_owed.posted, v_owed.posted]);
  END IF;
  UPDATE ledger_account SET heir_id = p_to, exempt = v_exempt,
         credit_limit = CASE WHEN p_credit THEN 0 ELSE credit_limit END,
         credit_floor = CASE WHEN p_credit THEN 0 ELSE credit_floor END
   WHERE id = p_from;
  -- Every heir is a wallet without one. A wallet that takes its own heir over has none any more.
  UPDATE ledger_account SET heir_id = nullif(p_to, id) WHERE heir_id = p_from;
  UPDATE ledger_account SET credit_floor = greatest(credit_limit, held - posted) WHERE id = p_to;
  RETURN v_moved;
END $$;

-- What holds have left in wallets that were taken over goes on to their heirs. Answers how many wallets that were.
CREATE OR REPLACE FUNCTION wallet_sweep_heirs() RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  v_left ledger_account;
  v_swept integer := 0;
BEGIN
  FOR v_left IN SELECT * FROM ledger_account WHERE heir_id IS NOT NULL AND kind = 'wallet' AND posted > held ORDER BY id LOOP
    PERFORM FROM ledger_account WHERE id IN (v_left.id, v_left.heir_id) ORDER BY id FOR NO KEY UPDATE;
    SELECT * INTO v_left FROM ledger_account WHERE id = v_left.id;
    IF v_left.posted > v_left.held THEN
      PERFORM ledger_post('transfer', 'transfer:' || v_left.id || ':' || v_left.last_seq, 'recovery', 'left by calls that have ended',
                          ARRAY[v_left.id, v_left.heir_id], ARRAY[v_left.held - v_left.posted, v_left.posted - v_left.held]);
      v_swept := v_swept + 1;
    END IF;
  END LOOP;
  RETURN v_swept;
END $$;
