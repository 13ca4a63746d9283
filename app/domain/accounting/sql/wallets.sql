-- Wallets: opening, funding, credit, exemption, successors.

-- Returns the wallet of a payer; opens it if there is none.
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

-- Charges to a wallet that are not posted yet; `held`: the part of them that its `held` contains until then.
CREATE OR REPLACE FUNCTION wallet_unposted(p_wallet bigint) RETURNS TABLE (charged bigint, held bigint) LANGUAGE sql STABLE AS $$
  SELECT coalesce(sum(h.captured) FILTER (WHERE a.exempt OR NOT h.exempt), 0)::bigint, coalesce(sum(h.captured) FILTER (WHERE NOT h.exempt), 0)::bigint
    FROM unposted_turn t CROSS JOIN LATERAL unnest(t.ids) c(id) JOIN hold h ON h.id = c.id JOIN ledger_account a ON a.id = h.wallet_id
   WHERE h.wallet_id = p_wallet
$$;

-- A payer's debt is the negative balance of its `receivable`. Every credit to its wallet except grants repays it. Money that is taken
-- back is taken from the wallet even if calls hold it, so that released holds cannot be spent. Until these calls end, the wallet lacks
-- the money they hold: `owed` is that amount, and part of `credit_floor`. The part that they really spend becomes debt.
-- See docs/decisions/052.

-- Sets the floor of a wallet so that it covers exactly the money that its open holds lack after `p_taken` is taken. The wallet is locked.
CREATE OR REPLACE FUNCTION wallet_fit_floor(p_wallet bigint, p_taken bigint) RETURNS void LANGUAGE sql AS $$
  UPDATE ledger_account a SET owed = x.lacking, credit_floor = a.credit_floor - a.owed + x.lacking
    FROM (SELECT id, greatest(0, held - posted + p_taken - credit_floor + owed) AS lacking FROM ledger_account WHERE id = p_wallet) x
   WHERE a.id = x.id AND a.owed <> x.lacking
$$;

-- Returns the debt account of a wallet's payer; opens it if there is none.
CREATE OR REPLACE FUNCTION wallet_debt(p_wallet bigint) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  w ledger_account;
  v_id bigint;
BEGIN
  SELECT * INTO w FROM ledger_account WHERE id = p_wallet;
  INSERT INTO ledger_account (kind, payer_kind, payer_id, organisation_id) VALUES ('receivable', w.payer_kind, w.payer_id, w.organisation_id)
    ON CONFLICT (payer_kind, payer_id, kind, currency) WHERE payer_id IS NOT NULL DO NOTHING;
  SELECT id INTO v_id FROM ledger_account
   WHERE kind = 'receivable' AND payer_kind = w.payer_kind AND payer_id = w.payer_id AND currency = w.currency;
  RETURN v_id;
END $$;

-- The money of a wallet including its credit and the held amounts, without promotional credit.
CREATE OR REPLACE FUNCTION wallet_own(p_wallet bigint) RETURNS bigint LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM promotion_credit c JOIN ledger_account a ON a.id = c.wallet_id
              WHERE p_wallet IN (a.id, a.heir_id) AND c.remaining > 0) THEN
    PERFORM promotion_attribute(p_wallet);
  END IF;
  RETURN (SELECT w.posted + w.credit_floor - w.owed
                 - (SELECT coalesce(sum(remaining), 0)::bigint FROM promotion_credit WHERE wallet_id = p_wallet)
            FROM ledger_account w WHERE w.id = p_wallet);
END $$;

-- Repays up to `p_most` of the debt of a wallet's payer from the wallet. Returns the amount repaid.
CREATE OR REPLACE FUNCTION wallet_repay(p_wallet bigint, p_most bigint, p_actor text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  w ledger_account;
  v_debt bigint;
  v_part bigint;
BEGIN
  SELECT r.id INTO v_debt
    FROM ledger_account a JOIN ledger_account r
      ON r.kind = 'receivable' AND r.payer_kind = a.payer_kind AND r.payer_id = a.payer_id AND r.currency = a.currency AND r.posted < 0
   WHERE a.id = p_wallet AND NOT a.exempt;
  IF v_debt IS NULL THEN
    RETURN 0;
  END IF;
  PERFORM FROM ledger_account WHERE id IN (p_wallet, v_debt) ORDER BY id FOR NO KEY UPDATE;
  SELECT * INTO w FROM ledger_account WHERE id = p_wallet;
  v_part := least(p_most, (SELECT -posted FROM ledger_account WHERE id = v_debt), w.posted + w.credit_floor - w.owed);
  IF v_part <= 0 OR w.exempt THEN
    RETURN 0;
  END IF;
  PERFORM wallet_fit_floor(p_wallet, v_part);
  PERFORM ledger_post('receivable_repay', 'repay:' || p_wallet || ':' || w.last_seq, p_actor, 'repays what was owed',
                      ARRAY[p_wallet, v_debt], ARRAY[-v_part, v_part]);
  RETURN v_part;
END $$;

-- Books as debt the part of the money taken back that calls have spent. Returns the amount.
CREATE OR REPLACE FUNCTION wallet_book_debt(p_wallet bigint, p_actor text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  w ledger_account;
  v_spent bigint;
BEGIN
  SELECT * INTO w FROM ledger_account WHERE id = p_wallet FOR NO KEY UPDATE;
  v_spent := w.owed - w.credit_floor - w.posted;
  IF v_spent > 0 AND NOT w.exempt THEN
    PERFORM ledger_post('receivable_repay', 'owed:' || p_wallet || ':' || w.last_seq, p_actor, 'was spent before it was taken back',
                        ARRAY[p_wallet, wallet_debt(p_wallet)], ARRAY[v_spent, -v_spent]);
  END IF;
  IF NOT w.exempt THEN
    PERFORM wallet_fit_floor(p_wallet, 0);
  END IF;
  RETURN greatest(0, v_spent);
END $$;

-- Does both for every wallet, for money that arrived on a way that does not repay by itself; grants and credit do not repay. Returns
-- the number of wallets.
CREATE OR REPLACE FUNCTION wallet_collect_debts() RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  v_id bigint;
  v_count integer := 0;
BEGIN
  FOR v_id IN SELECT id FROM ledger_account WHERE owed > 0 AND NOT exempt ORDER BY id LOOP
    v_count := v_count + (wallet_book_debt(v_id, 'recovery') > 0)::integer;
  END LOOP;
  FOR v_id IN SELECT w.id FROM ledger_account r JOIN ledger_account w
                ON w.kind = 'wallet' AND w.payer_kind = r.payer_kind AND w.payer_id = r.payer_id AND w.currency = r.currency
               WHERE r.kind = 'receivable' AND r.posted < 0 AND w.posted > 0 AND NOT w.exempt ORDER BY w.id LOOP
    v_count := v_count + (wallet_repay(v_id, wallet_own(v_id) - (SELECT credit_floor - owed FROM ledger_account WHERE id = v_id), 'recovery') > 0)::integer;
  END LOOP;
  RETURN v_count;
END $$;

-- Moves money between a wallet and an internal account. A positive amount credits the wallet and, unless it is a grant, repays debt first.
CREATE OR REPLACE FUNCTION wallet_post(p_wallet bigint, p_house text, p_amount bigint, p_kind text, p_idem_key text, p_actor text, p_memo text)
RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  w ledger_account;
  v_txn bigint;
BEGIN
  SELECT * INTO w FROM ledger_account WHERE id = p_wallet FOR NO KEY UPDATE;
  IF NOT w.exempt THEN
    PERFORM wallet_fit_floor(p_wallet, 0);
  END IF;
  SELECT ledger_post(p_kind, p_idem_key, p_actor, p_memo, ARRAY[p_wallet, h.id], ARRAY[p_amount, -p_amount]) INTO v_txn
    FROM ledger_account h WHERE h.kind = p_house AND h.payer_id IS NULL AND h.currency = 'USD' AND h.shard = 0;
  -- A repeated call has posted nothing.
  IF p_amount > 0 AND p_house <> 'promo_expense' AND (SELECT last_seq > w.last_seq FROM ledger_account WHERE id = p_wallet) THEN
    PERFORM wallet_repay(p_wallet, p_amount, p_actor);
  END IF;
  RETURN v_txn;
END $$;

-- Sets the credit limit. The floor never cuts into used credit: it follows later payments on the next change of the limit. A debt
-- reduces the usable credit.
CREATE OR REPLACE FUNCTION wallet_set_credit_limit(p_wallet bigint, p_limit bigint) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  w ledger_account;
BEGIN
  SELECT * INTO w FROM ledger_account WHERE id = p_wallet AND kind = 'wallet' FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  UPDATE ledger_account SET credit_limit = p_limit, credit_floor = greatest(p_limit, held - posted),
         owed = least(owed, greatest(p_limit, held - posted) - p_limit) WHERE id = p_wallet;
  PERFORM wallet_repay(p_wallet, p_limit - w.credit_limit, 'recovery');
  RETURN true;
END $$;

-- Sets the exemption. A payer whose exemption ends owes nothing for its exempt usage, which is written off. It does owe money that was
-- taken back meanwhile and that its wallet lacked.
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
    IF v_used > 0 THEN
      PERFORM wallet_post(p_wallet, 'exempt_usage', v_used, 'write_off', 'write_off:' || p_wallet || ':' || v.last_seq, p_actor,
                          'usage before the payer was charged');
    END IF;
    PERFORM wallet_fit_floor(p_wallet, 0);
  END IF;
  UPDATE ledger_account SET exempt = p_exempt WHERE id = p_wallet;
  IF NOT p_exempt THEN
    PERFORM wallet_book_debt(p_wallet, p_actor);
    PERFORM wallet_repay(p_wallet, wallet_own(p_wallet), p_actor);
  END IF;
  RETURN true;
END $$;

-- Moves the money of one wallet that no hold needs to another, with `p_credit` also its credit, debt and receivable. Returns the amount
-- moved. The usage of an exempt wallet is written off first; the wallet stays exempt for calls in flight. A debt moves only together
-- with the credit that allowed it, and the money of both wallets then repays it.
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
    UPDATE ledger_account SET credit_limit = credit_limit + v_from.credit_limit, credit_floor = credit_floor + v_from.credit_floor,
           owed = owed + v_from.owed WHERE id = p_to;
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
         credit_floor = CASE WHEN p_credit THEN 0 ELSE credit_floor END,
         owed = CASE WHEN p_credit THEN 0 ELSE owed END
   WHERE id = p_from;
  -- A successor never has a successor itself. A wallet that takes over its own successor has none afterwards.
  UPDATE ledger_account SET heir_id = nullif(p_to, id) WHERE heir_id = p_from;
  UPDATE ledger_account SET credit_floor = greatest(credit_limit, held - posted),
         owed = least(owed, greatest(credit_limit, held - posted) - credit_limit) WHERE id = p_to;
  PERFORM wallet_book_debt(p_to, p_actor);
  PERFORM wallet_repay(p_to, wallet_own(p_to), p_actor);
  RETURN v_moved;
END $$;

-- Moves the money that holds have left in merged wallets to their successors. Returns the number of wallets.
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
      PERFORM wallet_repay(v_left.heir_id, least(v_left.posted - v_left.held, wallet_own(v_left.heir_id)), 'recovery');
      v_swept := v_swept + 1;
    END IF;
  END LOOP;
  RETURN v_swept;
END $$;
