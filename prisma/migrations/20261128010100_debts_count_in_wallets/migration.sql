-- How far below its own floor a wallet is held while calls are under way whose money was taken back; part of `credit_floor`.
ALTER TABLE ledger_account ADD COLUMN owed bigint NOT NULL DEFAULT 0 CHECK (owed >= 0);

-- Payers that owe, and whose wallets have money or get it back from calls: what they owe is taken from there now. Promotional credit stays.
DO $$
DECLARE
  r record;
  v_wallet ledger_account;
  v_part bigint;
BEGIN
  FOR r IN SELECT w.id AS wallet_id, d.id AS debt_id
             FROM ledger_account d JOIN ledger_account w
               ON w.kind = 'wallet' AND w.payer_kind = d.payer_kind AND w.payer_id = d.payer_id AND w.currency = d.currency
            WHERE d.kind = 'receivable' AND d.posted < 0 AND NOT w.exempt AND w.heir_id IS NULL ORDER BY w.id LOOP
    PERFORM FROM ledger_account WHERE id IN (r.wallet_id, r.debt_id) ORDER BY id FOR NO KEY UPDATE;
    SELECT * INTO v_wallet FROM ledger_account WHERE id = r.wallet_id;
    v_part := least((SELECT -posted FROM ledger_account WHERE id = r.debt_id),
                    v_wallet.posted + v_wallet.credit_floor - (SELECT coalesce(sum(remaining), 0)::bigint FROM promotion_credit WHERE wallet_id = v_wallet.id));
    IF v_part > 0 THEN
      UPDATE ledger_account SET owed = x.lacking, credit_floor = credit_floor + x.lacking
        FROM (SELECT greatest(0, v_wallet.held - v_wallet.posted + v_part - v_wallet.credit_floor) AS lacking) x WHERE id = v_wallet.id;
      PERFORM ledger_post('receivable_repay', 'repay:' || v_wallet.id || ':' || v_wallet.last_seq, 'recovery', 'repays what was owed',
                          ARRAY[v_wallet.id, r.debt_id], ARRAY[-v_part, v_part]);
    END IF;
  END LOOP;
END $$;

-- Roles that write to accounts column by column write to this one too.
DO $$
DECLARE
  v_role name;
BEGIN
  FOR v_role IN SELECT r.rolname
                  FROM pg_attribute a CROSS JOIN LATERAL aclexplode(a.attacl) x JOIN pg_roles r ON r.oid = x.grantee
                 WHERE a.attrelid = 'ledger_account'::regclass AND a.attname = 'credit_floor' AND x.privilege_type = 'UPDATE' LOOP
    EXECUTE format('GRANT UPDATE (owed) ON ledger_account TO %I', v_role);
  END LOOP;
END $$;
