-- Promotional credit: granting it, counting spending against it, removing expired credit. It is part of a wallet's balance, so admission
-- and settlement do not depend on it. See docs/decisions/040 for the arithmetic.

-- Grants a promotion to a wallet, or to its successor. `p_cause` is the idempotency key: a repetition grants nothing. Returns given,
-- repeated, unknown, over (ended, expired or exhausted), had (the payer has reached its limit) or exempt.
CREATE OR REPLACE FUNCTION promotion_give(p_promotion integer, p_wallet bigint, p_user integer, p_cause text, p_actor text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  p promotion;
  w ledger_account;
  v_txn bigint;
BEGIN
  -- Parallel grants wait for each other here, so that limits are exact.
  SELECT * INTO p FROM promotion WHERE id = p_promotion FOR NO KEY UPDATE;
  IF p.id IS NULL THEN
    RETURN 'unknown';
  END IF;
  IF EXISTS (SELECT FROM ledger_txn WHERE idem_key = p_cause) THEN
    RETURN 'repeated';
  END IF;
  SELECT t.* INTO w FROM ledger_account f JOIN ledger_account t ON t.id = coalesce(f.heir_id, f.id) WHERE f.id = p_wallet;
  IF w.exempt THEN
    RETURN 'exempt';
  END IF;
  IF p.limit_per_payer <= (SELECT count(*) FROM promotion_credit c JOIN ledger_account a ON a.id = c.wallet_id
                            WHERE c.promotion_id = p.id AND c.parent_id IS NULL AND coalesce(a.heir_id, a.id) = w.id) THEN
    RETURN 'had';
  END IF;
  IF p.ended_at IS NOT NULL OR p.expires_at <= app_now()
     OR p.limit_total <= (SELECT count(*) FROM promotion_credit WHERE promotion_id = p.id AND parent_id IS NULL) THEN
    RETURN 'over';
  END IF;
  -- Book outstanding debt first, because a grant does not repay debt.
  PERFORM wallet_book_debt(w.id, p_actor);
  v_txn := wallet_post(w.id, 'promo_expense', p.amount, 'promo_grant', p_cause, p_actor, p.name);
  INSERT INTO promotion_credit (promotion_id, wallet_id, user_id, txn_id, from_seq, amount, expires_at, remaining)
    SELECT p.id, w.id, p_user, v_txn, account_seq, p.amount, p.expires_at, p.amount FROM ledger_entry WHERE txn_id = v_txn AND account_id = w.id;
  RETURN 'given';
END $$;

-- Subtracts an amount from a wallet's remaining credit that is valid at an entry, and records it as `p_as`. Spending uses the credit that
-- expires first; everything else uses the credit that expires last.
CREATE OR REPLACE FUNCTION promotion_take(p_wallet bigint, p_seq bigint, p_amount bigint, p_as text) RETURNS TABLE (credit_id bigint, taken bigint) LANGUAGE sql AS $$
  WITH queue AS (
    SELECT id, remaining, sum(remaining) OVER (
             ORDER BY CASE WHEN p_as = 'spent' THEN coalesce(expires_at, 'infinity') END, CASE WHEN p_as = 'spent' THEN id END,
                      CASE WHEN p_as <> 'spent' THEN coalesce(expires_at, 'infinity') END DESC, CASE WHEN p_as <> 'spent' THEN id END DESC)::bigint - remaining AS before
      FROM promotion_credit WHERE wallet_id = p_wallet AND remaining > 0 AND from_seq <= p_seq
  ), share AS (
    SELECT id, least(remaining, p_amount - before) AS part FROM queue WHERE before < p_amount
  )
  UPDATE promotion_credit c
     SET remaining = c.remaining - s.part,
         spent = c.spent + CASE p_as WHEN 'spent' THEN s.part ELSE 0 END,
         withdrawn = c.withdrawn + CASE p_as WHEN 'withdrawn' THEN s.part ELSE 0 END,
         moved = c.moved + CASE p_as WHEN 'moved' THEN s.part ELSE 0 END
    FROM share s WHERE s.id = c.id
  RETURNING c.id, s.part
$$;

-- Counts a wallet's new entries against its promotional credit. Usage takes credit first; other debits take it only when the wallet has no
-- other money, so the remaining credit never exceeds the balance. Credit taken by a transfer moves to the other wallet. Exact and
-- repeatable: it continues where the last run ended.
CREATE OR REPLACE FUNCTION promotion_attribute(p_wallet bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_other bigint;
  v_last bigint;
  v_at bigint;
  v_over bigint;
  r record;
BEGIN
  PERFORM FROM ledger_account WHERE id = p_wallet OR heir_id = p_wallet ORDER BY id FOR NO KEY UPDATE;
  -- First process the merged wallets that still transfer money here.
  FOR v_other IN SELECT DISTINCT c.wallet_id FROM promotion_credit c JOIN ledger_account a ON a.id = c.wallet_id
                  WHERE a.heir_id = p_wallet AND c.remaining > 0 ORDER BY 1 LOOP
    PERFORM promotion_attribute(v_other);
  END LOOP;
  SELECT last_seq INTO v_last FROM ledger_account WHERE id = p_wallet;
  v_at := coalesce((SELECT up_to FROM promotion_position WHERE wallet_id = p_wallet), 0);
  -- Without remaining credit, entries before the next credit are irrelevant.
  SELECT coalesce(min(greatest(from_seq - 1, v_at)), v_last) INTO v_at FROM promotion_credit WHERE wallet_id = p_wallet AND remaining > 0;
  FOR r IN
    SELECT max(x.seq) AS seq, x.is_usage, bool_or(x.kind = 'transfer') AS is_transfer, sum(x.amount)::bigint AS amount, max(x.txn_id) AS txn_id,
           (array_agg(x.balance_after ORDER BY x.seq DESC))[1] AS balance
      FROM (SELECT e.account_seq AS seq, e.amount, e.balance_after, e.txn_id, t.kind, t.kind = 'usage' AS is_usage,
                   count(*) FILTER (WHERE t.kind <> 'usage') OVER (ORDER BY e.account_seq) AS run
              FROM ledger_entry e JOIN ledger_txn t ON t.id = e.txn_id
             WHERE e.account_id = p_wallet AND e.account_seq > v_at AND e.account_seq <= v_last) x
     GROUP BY x.run, x.is_usage ORDER BY 1
  LOOP
    IF r.is_usage THEN
      PERFORM promotion_take(p_wallet, r.seq, -r.amount, 'spent');
    END IF;
    SELECT coalesce(sum(remaining), 0) - greatest(0, r.balance) INTO v_over FROM promotion_credit WHERE wallet_id = p_wallet AND remaining > 0 AND from_seq <= r.seq;
    IF v_over > 0 AND r.is_transfer AND r.amount < 0 THEN
      INSERT INTO promotion_credit (promotion_id, wallet_id, user_id, parent_id, txn_id, from_seq, amount, expires_at, remaining)
        SELECT c.promotion_id, e.account_id, c.user_id, c.id, r.txn_id, greatest(e.account_seq, coalesce(o.up_to + 1, 0)), t.taken, c.expires_at, t.taken
          FROM promotion_take(p_wallet, r.seq, v_over, 'moved') t JOIN promotion_credit c ON c.id = t.credit_id
          JOIN ledger_entry e ON e.txn_id = r.txn_id AND e.account_id <> p_wallet LEFT JOIN promotion_position o ON o.wallet_id = e.account_id;
    ELSIF v_over > 0 THEN
      PERFORM promotion_take(p_wallet, r.seq, v_over, 'withdrawn');
    END IF;
  END LOOP;
  INSERT INTO promotion_position (wallet_id, up_to, at) VALUES (p_wallet, v_last, app_now())
    ON CONFLICT (wallet_id) DO UPDATE SET up_to = excluded.up_to, at = excluded.at;
END $$;

-- Removes a wallet's expired credit, earliest expiry first. Credit that calls admitted before the expiry can still spend stays until they
-- end, and money held by other calls is never touched. Returns the amount.
CREATE OR REPLACE FUNCTION promotion_expire(p_wallet bigint) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  v_now CONSTANT timestamptz := app_now();
  w ledger_account;
  c record;
  v_free bigint;
  v_kept bigint := 0;
  v_held bigint;
  v_unposted bigint;
  v_part bigint;
  v_total bigint := 0;
BEGIN
  PERFORM promotion_attribute(p_wallet);
  -- Unposted charges are counted when they are posted; until then they reserve the credit that they could take.
  SELECT charged INTO v_unposted FROM wallet_unposted(p_wallet);
  SELECT * INTO w FROM ledger_account WHERE id = p_wallet;
  v_free := CASE WHEN w.exempt THEN w.posted ELSE w.posted - w.held END;
  FOR c IN SELECT x.*, n.name FROM promotion_credit x JOIN promotion n ON n.id = x.promotion_id
            WHERE x.wallet_id = p_wallet AND x.remaining > 0 AND x.expires_at <= v_now ORDER BY x.expires_at, x.id LOOP
    SELECT v_unposted + coalesce(sum(amount), 0) INTO v_held FROM hold
     WHERE wallet_id = p_wallet AND NOT exempt AND created_at < c.expires_at AND (state IN ('reserved', 'dispatched') OR state = 'review');
    v_part := least(c.remaining - greatest(0, least(c.remaining, v_held - v_kept)), greatest(0, v_free));
    IF v_part > 0 THEN
      PERFORM wallet_post(p_wallet, 'promo_expense', -v_part, 'promo_expire', 'promotion:' || c.id || ':expired:' || c.expired, 'promotions', c.name);
      UPDATE promotion_credit SET expired = expired + v_part, remaining = remaining - v_part WHERE id = c.id;
      v_free := v_free - v_part;
      v_total := v_total + v_part;
    END IF;
    v_kept := v_kept + c.remaining - v_part;
  END LOOP;
  UPDATE promotion_position SET up_to = (SELECT last_seq FROM ledger_account WHERE id = p_wallet) WHERE wallet_id = p_wallet;
  RETURN v_total;
END $$;

-- Every row is a defect, as in `ledger_audit`.
CREATE OR REPLACE VIEW promotion_audit AS
SELECT 'promotion_posting' AS defect, 'promotional credit ' || c.id AS subject, c.amount || ' given, the ledger says ' || coalesce(e.amount, 0) AS detail
  FROM promotion_credit c LEFT JOIN ledger_entry e ON e.txn_id = c.txn_id AND e.account_id = c.wallet_id
 WHERE c.parent_id IS NULL AND e.amount IS DISTINCT FROM c.amount
UNION ALL
SELECT 'promotion_moved', 'promotional credit ' || c.id, c.moved || ' moved, ' || coalesce(sum(m.amount), 0) || ' arrived'
  FROM promotion_credit c LEFT JOIN promotion_credit m ON m.parent_id = c.id
 GROUP BY c.id, c.moved HAVING c.moved <> coalesce(sum(m.amount), 0)
UNION ALL
SELECT 'promotion_expired', 'account ' || coalesce(c.wallet_id, l.account_id), coalesce(c.expired, 0) || ' expired, the ledger says ' || coalesce(l.expired, 0)
  FROM (SELECT wallet_id, sum(expired) AS expired FROM promotion_credit GROUP BY 1) c
  FULL JOIN (SELECT e.account_id, -sum(e.amount) AS expired FROM ledger_txn t JOIN ledger_entry e ON e.txn_id = t.id JOIN ledger_account a ON a.id = e.account_id
              WHERE t.kind = 'promo_expire' AND a.kind = 'wallet' GROUP BY 1) l ON l.account_id = c.wallet_id
 WHERE coalesce(c.expired, 0) <> coalesce(l.expired, 0)
UNION ALL
SELECT 'promotion_beyond_balance', 'account ' || o.wallet_id, sum(c.remaining) || ' promotional credit left of a balance of ' || e.balance_after
  FROM promotion_position o JOIN promotion_credit c ON c.wallet_id = o.wallet_id AND c.from_seq <= o.up_to
  JOIN ledger_entry e ON e.account_id = o.wallet_id AND e.account_seq = o.up_to
 GROUP BY o.wallet_id, e.balance_after HAVING sum(c.remaining) > greatest(0, e.balance_after);
