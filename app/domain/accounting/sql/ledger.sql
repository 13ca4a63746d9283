-- The double-entry ledger: its writers, and the triggers that keep it consistent.

-- The only writer of `posted` and `last_seq`.
CREATE OR REPLACE FUNCTION ledger_entry_post() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  UPDATE ledger_account SET posted = posted + NEW.amount, last_seq = last_seq + 1
   WHERE id = NEW.account_id
   RETURNING last_seq, posted INTO NEW.account_seq, NEW.balance_after;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'no ledger account %', NEW.account_id USING ERRCODE = '23503';
  END IF;
  RETURN NEW;
END $$;

-- Rejects a change of a balance outside the trigger of an entry.
CREATE OR REPLACE FUNCTION ledger_account_guard() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (NEW.posted <> OLD.posted OR NEW.last_seq <> OLD.last_seq) AND pg_trigger_depth() < 2 THEN
    RAISE EXCEPTION 'balance of account % changes only through ledger_entry', OLD.id USING ERRCODE = '23514';
  END IF;
  RETURN NEW;
END $$;

-- A customer's account has a payer and an organisation; an internal account has neither.
CREATE OR REPLACE FUNCTION ledger_account_fixed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND (NEW.kind <> OLD.kind OR NEW.currency <> OLD.currency OR NEW.shard <> OLD.shard) THEN
    RAISE EXCEPTION 'account % keeps its kind, currency and shard', OLD.id USING ERRCODE = '23514';
  END IF;
  IF TG_OP = 'INSERT' AND (NEW.posted <> 0 OR NEW.last_seq <> 0 OR NEW.held <> 0) THEN
    RAISE EXCEPTION 'an account opens empty' USING ERRCODE = '23514';
  END IF;
  IF TG_OP = 'INSERT' AND NEW.kind = 'wallet' THEN
    NEW.credit_floor := coalesce(NEW.credit_floor, NEW.credit_limit);
  END IF;
  IF NEW.shard NOT BETWEEN 0 AND 15 OR NEW.credit_limit < 0 OR (NEW.kind = 'wallet') <> (NEW.credit_floor IS NOT NULL)
     OR (NEW.kind <> 'wallet' AND NEW.exempt) OR (NEW.kind IN ('wallet', 'receivable')) <> (NEW.payer_id IS NOT NULL)
     OR (NEW.payer_id IS NULL) <> (NEW.payer_kind IS NULL) OR (NEW.payer_id IS NULL) <> (NEW.organisation_id IS NULL) THEN
    RAISE EXCEPTION 'an account of kind % has no such payer, credit or shard', NEW.kind USING ERRCODE = '23514';
  END IF;
  RETURN NEW;
END $$;

-- Every transaction has at least two legs with the sum zero, checked at commit. The second trigger covers legs that are added to an
-- existing transaction.
CREATE OR REPLACE FUNCTION ledger_txn_balanced() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  v_txn bigint;
  v_sum numeric;
  v_legs integer;
BEGIN
  IF TG_TABLE_NAME = 'ledger_txn' THEN v_txn := NEW.id; ELSE v_txn := NEW.txn_id; END IF;
  SELECT coalesce(sum(amount), 0), count(*) INTO v_sum, v_legs FROM ledger_entry WHERE txn_id = v_txn;
  IF v_sum <> 0 OR v_legs < 2 THEN
    RAISE EXCEPTION 'transaction % is unbalanced: % legs sum to %', v_txn, v_legs, v_sum USING ERRCODE = '23514';
  END IF;
  RETURN NULL;
END $$;

-- Posts one transaction, once per idem_key: a repetition with the same legs returns the first transaction, one with other legs is
-- rejected. Legs are posted by account, wallets first.
CREATE OR REPLACE FUNCTION ledger_post(p_kind text, p_idem_key text, p_actor text, p_memo text, p_accounts bigint[], p_amounts bigint[])
RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  v_txn bigint;
BEGIN
  PERFORM FROM ledger_account WHERE id = ANY (p_accounts) ORDER BY payer_id IS NULL, id FOR NO KEY UPDATE;
  INSERT INTO ledger_txn (kind, idem_key, organisation_id, actor, memo)
    VALUES (p_kind, p_idem_key, (SELECT min(organisation_id) FROM ledger_account WHERE id = ANY (p_accounts)), p_actor, p_memo)
    ON CONFLICT (idem_key) DO NOTHING RETURNING id INTO v_txn;
  IF v_txn IS NULL THEN
    SELECT id INTO v_txn FROM ledger_txn WHERE idem_key = p_idem_key AND kind = p_kind;
    IF v_txn IS NULL OR EXISTS (
        (SELECT a, m FROM unnest(p_accounts, p_amounts) x(a, m) EXCEPT SELECT account_id, amount FROM ledger_entry WHERE txn_id = v_txn)
        UNION ALL
        (SELECT account_id, amount FROM ledger_entry WHERE txn_id = v_txn EXCEPT SELECT a, m FROM unnest(p_accounts, p_amounts) x(a, m))) THEN
      RAISE EXCEPTION 'posting % exists with other legs', p_idem_key USING ERRCODE = 'GW001';
    END IF;
    RETURN v_txn;
  END IF;
  INSERT INTO ledger_entry (txn_id, account_id, organisation_id, amount)
    SELECT v_txn, a.id, a.organisation_id, x.m FROM unnest(p_accounts, p_amounts) x(a, m) JOIN ledger_account a ON a.id = x.a
     ORDER BY a.payer_id IS NULL, a.id;
  IF (SELECT count(*) FROM ledger_entry WHERE txn_id = v_txn) <> cardinality(p_accounts) THEN
    RAISE EXCEPTION 'posting % names an account that does not exist', p_idem_key USING ERRCODE = '23503';
  END IF;
  RETURN v_txn;
END $$;

-- Number of entries of an account posted before a time, which is the sequence number of the last one. Entries are ordered by time,
-- so a binary search reads twenty of a million.
CREATE OR REPLACE FUNCTION ledger_seq_before(p_account bigint, p_moment timestamptz) RETURNS bigint LANGUAGE plpgsql STABLE AS $$
DECLARE
  v_low bigint := 0;
  v_high bigint := coalesce((SELECT last_seq FROM ledger_account WHERE id = p_account), 0);
  v_middle bigint;
BEGIN
  WHILE v_low < v_high LOOP
    v_middle := (v_low + v_high + 1) / 2;
    IF (SELECT t.created_at < p_moment FROM ledger_entry e JOIN ledger_txn t ON t.id = e.txn_id
         WHERE e.account_id = p_account AND e.account_seq = v_middle) THEN
      v_low := v_middle;
    ELSE
      v_high := v_middle - 1;
    END IF;
  END LOOP;
  RETURN v_low;
END $$;

-- It runs with the rights of the tables' owner, so the server's role needs no right on the columns that only this trigger writes. No
-- other role can use it in a trigger of its own.
REVOKE EXECUTE ON FUNCTION ledger_entry_post() FROM PUBLIC;
