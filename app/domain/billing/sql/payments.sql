-- Payments: functions that bring the ledger in line with the facts reported by the processor.

-- The current wallet of a payment's money: the wallet itself, or its successor after a merge.
CREATE OR REPLACE FUNCTION payment_wallet(p_wallet bigint) RETURNS ledger_account LANGUAGE sql AS $$
  SELECT w FROM ledger_account f JOIN ledger_account w ON w.id = coalesce(f.heir_id, f.id) WHERE f.id = p_wallet
$$;

-- The part of a payment that the customer has back, in cents: refunds that have not failed, and disputes that were not
-- won. Refunds are known one by one, or by the sum of their charge, which may still include one that has failed since.
CREATE OR REPLACE FUNCTION payment_returned_cents(p payment) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT least(p.charged_cents,
               (SELECT greatest(coalesce(sum(r.cents) FILTER (WHERE NOT r.failed), 0), p.refunded_cents - coalesce(sum(r.cents) FILTER (WHERE r.failed), 0))
                  FROM payment_refund r WHERE r.payment_id = p.id)
               + (SELECT coalesce(sum(d.cents), 0) FROM payment_dispute d WHERE d.payment_id = p.id AND d.state <> 'won'))::bigint
$$;

-- Credits a paid payment once, and takes back exactly the refunded and disputed part, whatever the order of the events.
-- It is taken from the wallet's whole balance, including money that calls hold: what they release is gone. The spent
-- part becomes the payer's debt (their receivable falls below zero), and the next credit repays it first. The caller
-- has locked the payment. Returns whether anything was posted.
CREATE OR REPLACE FUNCTION payment_reconcile(p_payment uuid) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  p payment;
  w ledger_account;
  v_clearing bigint;
  v_debt bigint;
  v_change bigint;
  v_wallet_part bigint;
  v_txn bigint;
  v_posted boolean := false;
BEGIN
  SELECT * INTO p FROM payment WHERE id = p_payment FOR NO KEY UPDATE;
  IF p.id IS NULL OR p.state <> 'paid' THEN
    RETURN false;
  END IF;
  SELECT id INTO v_clearing FROM ledger_account WHERE kind = 'processor_clearing' AND payer_id IS NULL AND currency = 'USD' AND shard = 0;
  -- The wallet may be merged while this transaction waits for its lock.
  LOOP
    w := payment_wallet(p.wallet_id);
    v_debt := wallet_debt(w.id);
    PERFORM FROM ledger_account WHERE id IN (w.id, v_debt) ORDER BY id FOR NO KEY UPDATE;
    EXIT WHEN (payment_wallet(p.wallet_id)).id = w.id;
  END LOOP;

  IF p.credited_txn IS NULL THEN
    v_change := least(p.amount, greatest(0, (SELECT -posted FROM ledger_account WHERE id = v_debt)));
    v_txn := payment_post('topup', 'topup:' || p.id, 'paid by card', w.id, p.amount - v_change, v_debt, v_change, v_clearing);
    UPDATE payment SET credited_txn = v_txn WHERE id = p.id;
    p.credited_txn := v_txn;
    v_posted := true;
  END IF;

  v_change := floor(p.amount::numeric * payment_returned_cents(p) / p.charged_cents)::bigint - p.reversed;
  IF v_change <> 0 THEN
    SELECT * INTO w FROM ledger_account WHERE id = w.id;
    -- Taken back: from the wallet's balance. Returned (a dispute that was won, a refund that failed): first to the
    -- debt.
    v_wallet_part := CASE WHEN v_change > 0
      THEN -CASE WHEN w.exempt THEN v_change ELSE least(v_change, greatest(0, w.posted + w.credit_floor - w.owed)) END
      ELSE -v_change - least(-v_change, greatest(0, (SELECT -posted FROM ledger_account WHERE id = v_debt))) END;
    IF v_change > 0 AND NOT w.exempt THEN
      PERFORM wallet_fit_floor(w.id, -v_wallet_part);
    END IF;
    PERFORM payment_post(CASE WHEN EXISTS (SELECT FROM payment_dispute d WHERE d.payment_id = p.id) THEN 'dispute' ELSE 'refund' END,
                         'refund:' || p.id || ':' || p.postings, 'taken back by the processor',
                         w.id, v_wallet_part, v_debt, -v_change - v_wallet_part, v_clearing);
    UPDATE payment SET reversed = reversed + v_change, postings = postings + 1 WHERE id = p.id;
    v_posted := true;
  END IF;
  RETURN v_posted;
END $$;

-- One posting between a payer's two accounts and the processor's; entries of zero are omitted.
CREATE OR REPLACE FUNCTION payment_post(p_kind text, p_key text, p_memo text, p_wallet bigint, p_wallet_amount bigint,
                                        p_debt bigint, p_debt_amount bigint, p_clearing bigint) RETURNS bigint LANGUAGE sql AS $$
  SELECT ledger_post(p_kind, p_key, 'processor', p_memo, array_agg(a ORDER BY a), array_agg(m ORDER BY a))
    FROM (VALUES (p_wallet, p_wallet_amount), (p_debt, p_debt_amount), (p_clearing, -p_wallet_amount - p_debt_amount)) x(a, m)
   WHERE m <> 0
$$;
