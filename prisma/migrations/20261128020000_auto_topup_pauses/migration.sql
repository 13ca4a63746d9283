-- A bank's word about a payment that moves no money: it asks about it, or says that it may be fraud.
CREATE TABLE payment_warning (
  id         text PRIMARY KEY CHECK (length(id) BETWEEN 1 AND 255),
  payment_id uuid NOT NULL REFERENCES payment (id),
  kind       text NOT NULL CHECK (kind IN ('inquiry', 'fraud_warning')),
  created_at timestamptz NOT NULL DEFAULT app_now()
);
CREATE INDEX payment_warning_payment ON payment_warning (payment_id);

-- Settings that stop auto top-up because of a payment: they are in force until somebody consents again.
CREATE TABLE auto_topup_pause (
  setting_id        bigint PRIMARY KEY REFERENCES auto_topup_setting (id),
  payment_id        uuid NOT NULL REFERENCES payment (id),
  reason            text NOT NULL CHECK (reason IN ('refund', 'dispute', 'inquiry', 'fraud_warning')),
  created_at        timestamptz NOT NULL DEFAULT app_now(),
  owner_told_at     timestamptz,
  operators_told_at timestamptz
);
CREATE INDEX auto_topup_pause_owner ON auto_topup_pause (setting_id) WHERE owner_told_at IS NULL;
CREATE TRIGGER auto_topup_pause_no_delete BEFORE DELETE ON auto_topup_pause FOR EACH ROW EXECUTE FUNCTION forbid_change();
CREATE TRIGGER auto_topup_pause_no_truncate BEFORE TRUNCATE ON auto_topup_pause FOR EACH STATEMENT EXECUTE FUNCTION forbid_change();

-- Why a card is never charged again without its owner: what its bank said about it.
ALTER TABLE payment_method ADD COLUMN refused_code text;
