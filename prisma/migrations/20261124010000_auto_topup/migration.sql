-- Auto top-up: a saved card is charged when a wallet runs low. Amounts are nano-USD.

-- What the operator allows for each wallet. The latest row is in force; without one, nothing is charged.
CREATE TABLE auto_topup_policy (
  version    integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  approved   boolean NOT NULL,
  -- Of one charge, of a day and of a month; each with its fee.
  max_charge bigint NOT NULL CHECK (max_charge > 0),
  max_day    bigint NOT NULL CHECK (max_day >= max_charge),
  max_month  bigint NOT NULL CHECK (max_month >= max_day),
  decided_by integer NOT NULL REFERENCES app_user (id),
  created_at timestamptz NOT NULL DEFAULT app_now()
);

-- What a person has asked for, and agreed to. Each change is a row.
CREATE TABLE auto_topup_setting (
  id               bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  wallet_id        bigint NOT NULL REFERENCES ledger_account (id),
  version          integer NOT NULL CHECK (version > 0),
  -- Whose card is charged.
  user_id          integer NOT NULL REFERENCES app_user (id),
  active           boolean NOT NULL,
  threshold        bigint NOT NULL CHECK (threshold > 0),
  amount           bigint NOT NULL CHECK (amount > 0),
  day_limit        bigint NOT NULL CHECK (day_limit > 0),
  month_limit      bigint NOT NULL CHECK (month_limit >= day_limit),
  -- The policy that was in force, and the sentence that was agreed to; NULL where it was switched off.
  policy_version   integer REFERENCES auto_topup_policy (version),
  consent_version  text,
  consent_language text,
  consented_at     timestamptz,
  created_at       timestamptz NOT NULL DEFAULT app_now(),
  UNIQUE (wallet_id, version),
  CONSTRAINT active_with_consent CHECK (active = (policy_version IS NOT NULL) AND active = (consent_version IS NOT NULL)
    AND active = (consent_language IS NOT NULL) AND active = (consented_at IS NOT NULL))
);

-- How a wallet's auto top-up stands. Whoever starts or ends an operation locks the row first, so that one is open at a time.
CREATE TABLE auto_topup (
  wallet_id          bigint PRIMARY KEY REFERENCES ledger_account (id),
  setting_id         bigint REFERENCES auto_topup_setting (id),
  active             boolean NOT NULL DEFAULT false,
  -- Charges in a row that failed, when the last one was made, with which card, and until when none follows.
  failures           integer NOT NULL DEFAULT 0,
  last_attempt_at    timestamptz,
  declined_method_id text,
  next_attempt_at    timestamptz,
  -- When the job looks at it again.
  next_check_at      timestamptz NOT NULL DEFAULT app_now()
);
CREATE INDEX auto_topup_due ON auto_topup (next_check_at) WHERE active;

-- One charge: written before the processor is asked, under the id of its payment, which is the idempotency key as well.
CREATE TABLE auto_topup_operation (
  id           uuid PRIMARY KEY REFERENCES payment (id),
  wallet_id    bigint NOT NULL REFERENCES ledger_account (id),
  setting_id   bigint NOT NULL REFERENCES auto_topup_setting (id),
  user_id      integer NOT NULL REFERENCES app_user (id),
  customer_id  text NOT NULL,
  method_id    text NOT NULL,
  -- What was available when it was started.
  available    bigint NOT NULL,
  state        text NOT NULL DEFAULT 'created'
    CHECK (state IN ('created', 'submitted', 'unknown', 'requires_action', 'succeeded', 'failed', 'cancelled')),
  intent_id    text UNIQUE,
  -- The processor's page where its owner confirms the payment.
  action_url   text,
  failure      text,
  looks        integer NOT NULL DEFAULT 0,
  next_look_at timestamptz,
  -- What its owner is to be told by email.
  tell         text CHECK (tell IN ('declined', 'confirm')),
  created_at   timestamptz NOT NULL DEFAULT app_now(),
  submitted_at timestamptz,
  ended_at     timestamptz,
  CONSTRAINT ended_is_whole CHECK ((state IN ('succeeded', 'failed', 'cancelled')) = (ended_at IS NOT NULL))
);
CREATE UNIQUE INDEX auto_topup_operation_open ON auto_topup_operation (wallet_id)
  WHERE state IN ('created', 'submitted', 'unknown', 'requires_action');
CREATE INDEX auto_topup_operation_wallet ON auto_topup_operation (wallet_id, created_at DESC);
CREATE INDEX auto_topup_operation_tell ON auto_topup_operation (id) WHERE tell IS NOT NULL;

CREATE TRIGGER auto_topup_policy_append_only BEFORE UPDATE OR DELETE ON auto_topup_policy FOR EACH ROW EXECUTE FUNCTION forbid_change();
CREATE TRIGGER auto_topup_policy_no_truncate BEFORE TRUNCATE ON auto_topup_policy FOR EACH STATEMENT EXECUTE FUNCTION forbid_change();
CREATE TRIGGER auto_topup_setting_append_only BEFORE UPDATE OR DELETE ON auto_topup_setting FOR EACH ROW EXECUTE FUNCTION forbid_change();
CREATE TRIGGER auto_topup_setting_no_truncate BEFORE TRUNCATE ON auto_topup_setting FOR EACH STATEMENT EXECUTE FUNCTION forbid_change();
CREATE TRIGGER auto_topup_operation_no_delete BEFORE DELETE ON auto_topup_operation FOR EACH ROW EXECUTE FUNCTION forbid_change();
CREATE TRIGGER auto_topup_operation_no_truncate BEFORE TRUNCATE ON auto_topup_operation FOR EACH STATEMENT EXECUTE FUNCTION forbid_change();
