-- `npm run migrate -- picture` writes this file, and keeps its comments.

-- Results of the auditor, one row for each run, with the processor's balance at that time. Amounts are nano-USD, except
-- cents.
CREATE TABLE audit_run (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  started_at timestamptz NOT NULL DEFAULT app_now(),
  finished_at timestamptz NOT NULL DEFAULT app_now(),
  -- [{defect, subject, detail}], at most a thousand.
  defects jsonb NOT NULL,
  -- Amounts received through the processor, by the ledger and by the payments on record; they have to be equal.
  clearing bigint NOT NULL,
  credited bigint NOT NULL,
  charged_cents bigint NOT NULL,
  returned_cents bigint NOT NULL,
  processor text NOT NULL CHECK (processor IN ('asked', 'away', 'none')),
  balance_cents bigint,
  CONSTRAINT audit_run_check CHECK ((balance_cents IS NOT NULL) = (processor = 'asked'))
);

-- State of a wallet's auto top-up. Starting or ending an operation locks the row first, so one is open at a time.
CREATE TABLE auto_topup (
  wallet_id bigint PRIMARY KEY REFERENCES ledger_account(id),
  setting_id bigint REFERENCES auto_topup_setting(id),
  active boolean NOT NULL DEFAULT false,
  -- Charges in a row that failed, when the last one was made, with which card, and until when none follows.
  failures integer NOT NULL DEFAULT 0,
  last_attempt_at timestamptz,
  declined_method_id text,
  next_attempt_at timestamptz,
  -- When the job looks at it again.
  next_check_at timestamptz NOT NULL DEFAULT app_now()
);
CREATE INDEX auto_topup_due ON auto_topup (next_check_at) WHERE active;

-- One charge: committed before the processor is called, under the id of its payment, which is also the idempotency key.
CREATE TABLE auto_topup_operation (
  id uuid PRIMARY KEY REFERENCES payment(id),
  wallet_id bigint NOT NULL REFERENCES ledger_account(id),
  setting_id bigint NOT NULL REFERENCES auto_topup_setting(id),
  user_id integer NOT NULL REFERENCES app_user(id),
  customer_id text NOT NULL,
  method_id text NOT NULL,
  -- Available balance when it was started.
  available bigint NOT NULL,
  state text NOT NULL DEFAULT 'created' CHECK (state IN ('created', 'submitted', 'unknown', 'requires_action', 'succeeded', 'failed', 'cancelled')),
  intent_id text UNIQUE,
  -- The processor's page where its owner confirms the payment.
  action_url text,
  failure text,
  looks integer NOT NULL DEFAULT 0,
  next_look_at timestamptz,
  -- The email that its owner is still to receive.
  tell text CHECK (tell IN ('declined', 'confirm')),
  created_at timestamptz NOT NULL DEFAULT app_now(),
  submitted_at timestamptz,
  ended_at timestamptz,
  CONSTRAINT ended_is_whole CHECK ((state IN ('succeeded', 'failed', 'cancelled')) = (ended_at IS NOT NULL))
);
CREATE UNIQUE INDEX auto_topup_operation_open ON auto_topup_operation (wallet_id) WHERE state IN ('created', 'submitted', 'unknown', 'requires_action');
CREATE INDEX auto_topup_operation_tell ON auto_topup_operation (id) WHERE tell IS NOT NULL;
CREATE INDEX auto_topup_operation_wallet ON auto_topup_operation (wallet_id, created_at DESC);
CREATE TRIGGER auto_topup_operation_no_delete BEFORE DELETE ON auto_topup_operation FOR EACH ROW EXECUTE FUNCTION forbid_change();
CREATE TRIGGER auto_topup_operation_no_truncate BEFORE TRUNCATE ON auto_topup_operation FOR EACH STATEMENT EXECUTE FUNCTION forbid_change();

-- Settings that a payment has paused until the person consents again.
CREATE TABLE auto_topup_pause (
  setting_id bigint PRIMARY KEY REFERENCES auto_topup_setting(id),
  payment_id uuid NOT NULL REFERENCES payment(id),
  reason text NOT NULL CHECK (reason IN ('refund', 'dispute', 'inquiry', 'fraud_warning')),
  created_at timestamptz NOT NULL DEFAULT app_now(),
  owner_told_at timestamptz,
  operators_told_at timestamptz
);
CREATE INDEX auto_topup_pause_owner ON auto_topup_pause (setting_id) WHERE owner_told_at IS NULL;
CREATE TRIGGER auto_topup_pause_no_delete BEFORE DELETE ON auto_topup_pause FOR EACH ROW EXECUTE FUNCTION forbid_change();
CREATE TRIGGER auto_topup_pause_no_truncate BEFORE TRUNCATE ON auto_topup_pause FOR EACH STATEMENT EXECUTE FUNCTION forbid_change();

-- The operator's limits for each wallet. The latest row is in force; without one, nothing is charged.
CREATE TABLE auto_topup_policy (
  version integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  approved boolean NOT NULL,
  -- Of one charge, of a day and of a month; each with its fee.
  max_charge bigint NOT NULL CHECK (max_charge > 0),
  max_day bigint NOT NULL,
  max_month bigint NOT NULL,
  decided_by integer NOT NULL REFERENCES app_user(id),
  created_at timestamptz NOT NULL DEFAULT app_now(),
  CONSTRAINT auto_topup_policy_check CHECK (max_day >= max_charge),
  CONSTRAINT auto_topup_policy_check1 CHECK (max_month >= max_day)
);
CREATE TRIGGER auto_topup_policy_append_only BEFORE DELETE OR UPDATE ON auto_topup_policy FOR EACH ROW EXECUTE FUNCTION forbid_change();
CREATE TRIGGER auto_topup_policy_no_truncate BEFORE TRUNCATE ON auto_topup_policy FOR EACH STATEMENT EXECUTE FUNCTION forbid_change();

-- Settings that a person has chosen and agreed to. Each change is a row.
CREATE TABLE auto_topup_setting (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  wallet_id bigint NOT NULL REFERENCES ledger_account(id),
  version integer NOT NULL CHECK (version > 0),
  -- The person whose card is charged.
  user_id integer NOT NULL REFERENCES app_user(id),
  active boolean NOT NULL,
  threshold bigint NOT NULL CHECK (threshold > 0),
  amount bigint NOT NULL CHECK (amount > 0),
  day_limit bigint NOT NULL CHECK (day_limit > 0),
  month_limit bigint NOT NULL,
  -- The policy that was current, and the sentence that was agreed to; NULL if the row switches it off.
  policy_version integer REFERENCES auto_topup_policy(version),
  consent_version text,
  consent_language text,
  consented_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT app_now(),
  UNIQUE (wallet_id, version),
  CONSTRAINT active_with_consent CHECK (active = (policy_version IS NOT NULL) AND active = (consent_version IS NOT NULL) AND active = (consent_language IS NOT NULL) AND active = (consented_at IS NOT NULL)),
  CONSTRAINT auto_topup_setting_check CHECK (month_limit >= day_limit)
);
CREATE TRIGGER auto_topup_setting_append_only BEFORE DELETE OR UPDATE ON auto_topup_setting FOR EACH ROW EXECUTE FUNCTION forbid_change();
CREATE TRIGGER auto_topup_setting_no_truncate BEFORE TRUNCATE ON auto_topup_setting FOR EACH STATEMENT EXECUTE FUNCTION forbid_change();

-- Emails to a person about their money, one for each subject: a limit in its period, a card with its expiry, a colleague
-- in a month.
CREATE TABLE billing_notice (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('topup_limit', 'card_expires', 'paid_for', 'payer_ended')),
  subject text NOT NULL,
  user_id integer NOT NULL REFERENCES app_user(id) ON DELETE CASCADE,
  facts jsonb NOT NULL,
  created_at timestamptz NOT NULL DEFAULT app_now(),
  told_at timestamptz,
  UNIQUE (kind, subject)
);
CREATE INDEX billing_notice_user ON billing_notice (user_id);
CREATE INDEX billing_notice_waiting ON billing_notice (id) WHERE told_at IS NULL;

-- A checkout that saves a card and moves no money.
CREATE TABLE card_setup (
  id uuid PRIMARY KEY,
  user_id integer NOT NULL REFERENCES app_user(id),
  idem_key text,
  livemode boolean NOT NULL,
  session_id text UNIQUE,
  payment_method_id text REFERENCES payment_method(id),
  state text NOT NULL DEFAULT 'created' CHECK (state IN ('created', 'open', 'complete', 'expired')),
  created_at timestamptz NOT NULL DEFAULT app_now(),
  UNIQUE (user_id, idem_key)
);

-- A payment for a wallet. The columns after `facts` only grow or are set once, so that events may come in any order and
-- any number of times; `payment_reconcile` brings the ledger in line with them.
CREATE TABLE payment (
  id uuid PRIMARY KEY,
  wallet_id bigint NOT NULL REFERENCES ledger_account(id),
  organisation_id integer NOT NULL,
  user_id integer NOT NULL REFERENCES app_user(id),
  idem_key text,
  livemode boolean NOT NULL,
  -- Credit for the wallet, and the fee on top of it; together `subtotal_cents`, to which the processor may add tax.
  amount bigint NOT NULL CHECK (amount > 0),
  fee bigint NOT NULL CHECK (fee >= 0),
  subtotal_cents bigint NOT NULL CHECK (subtotal_cents > 0),
  session_id text UNIQUE,
  state text NOT NULL DEFAULT 'created' CHECK (state IN ('created', 'open', 'pending', 'paid', 'failed', 'expired')),
  created_at timestamptz NOT NULL DEFAULT app_now(),
  looked_up_at timestamptz,
  -- facts
  intent_id text UNIQUE,
  charged_cents bigint,
  paid_at timestamptz,
  refunded_cents bigint NOT NULL DEFAULT 0 CHECK (refunded_cents >= 0),
  failure text,
  card text,
  receipt_url text,
  -- In the ledger: the credit, and how much of it was taken back.
  credited_txn bigint REFERENCES ledger_txn(id),
  reversed bigint NOT NULL DEFAULT 0,
  postings integer NOT NULL DEFAULT 0,
  -- The requested amount, where the wallet received less.
  asked_amount bigint CHECK (asked_amount > 0),
  UNIQUE (user_id, idem_key),
  CONSTRAINT paid_is_whole CHECK ((state = 'paid') = (paid_at IS NOT NULL) AND (paid_at IS NULL OR charged_cents IS NOT NULL)),
  CONSTRAINT payment_charged_is_positive CHECK (charged_cents > 0),
  CONSTRAINT reversed_within_credit CHECK (reversed >= 0 AND reversed <= amount AND (reversed = 0 OR credited_txn IS NOT NULL))
);
CREATE INDEX payment_open ON payment (created_at) WHERE state IN ('created', 'open', 'pending');
CREATE INDEX payment_user ON payment (user_id, created_at DESC, id);
CREATE INDEX payment_wallet ON payment (wallet_id, created_at DESC, id);
CREATE TRIGGER payment_no_delete BEFORE DELETE ON payment FOR EACH ROW EXECUTE FUNCTION forbid_change();
CREATE TRIGGER payment_no_truncate BEFORE TRUNCATE ON payment FOR EACH STATEMENT EXECUTE FUNCTION forbid_change();

-- Money that a customer's bank has taken back. A dispute that was won remains won.
CREATE TABLE payment_dispute (
  id text PRIMARY KEY,
  payment_id uuid NOT NULL REFERENCES payment(id),
  cents bigint NOT NULL CHECK (cents >= 0),
  state text NOT NULL CHECK (state IN ('open', 'lost', 'won')),
  created_at timestamptz NOT NULL DEFAULT app_now()
);
CREATE INDEX payment_dispute_payment ON payment_dispute (payment_id);

CREATE TABLE payment_method (
  id text PRIMARY KEY CHECK (length(id) >= 1 AND length(id) <= 255),
  user_id integer NOT NULL REFERENCES app_user(id),
  brand text NOT NULL,
  last4 text NOT NULL,
  exp_month smallint NOT NULL,
  exp_year smallint NOT NULL,
  created_at timestamptz NOT NULL DEFAULT app_now(),
  removed_at timestamptz,
  -- The bank's reason why the card is never charged again without its owner.
  refused_code text
);
CREATE INDEX payment_method_user ON payment_method (user_id) WHERE removed_at IS NULL;

-- Paid checkouts whose amount differs from the requested one. Cents are without tax.
CREATE TABLE payment_mismatch (
  payment_id uuid PRIMARY KEY REFERENCES payment(id),
  asked_cents bigint NOT NULL,
  paid_cents bigint NOT NULL,
  -- Nano-USD.
  credited bigint NOT NULL,
  created_at timestamptz NOT NULL DEFAULT app_now(),
  told_at timestamptz
);
CREATE INDEX payment_mismatch_created ON payment_mismatch (created_at);

-- Money that goes back to a customer, refund by refund. A failed refund remains failed: the customer has not received
-- it.
CREATE TABLE payment_refund (
  id text PRIMARY KEY,
  payment_id uuid NOT NULL REFERENCES payment(id),
  cents bigint NOT NULL CHECK (cents >= 0),
  failed boolean NOT NULL,
  created_at timestamptz NOT NULL DEFAULT app_now()
);
CREATE INDEX payment_refund_payment ON payment_refund (payment_id);

-- A bank's notice about a payment that moves no money: an inquiry, or a suspicion of fraud.
CREATE TABLE payment_warning (
  id text PRIMARY KEY CHECK (length(id) >= 1 AND length(id) <= 255),
  payment_id uuid NOT NULL REFERENCES payment(id),
  kind text NOT NULL CHECK (kind IN ('inquiry', 'fraud_warning')),
  created_at timestamptz NOT NULL DEFAULT app_now()
);
CREATE INDEX payment_warning_payment ON payment_warning (payment_id);

-- The id of a person at the processor.
CREATE TABLE processor_customer (
  user_id integer PRIMARY KEY REFERENCES app_user(id),
  customer_id text NOT NULL UNIQUE CHECK (length(customer_id) >= 1 AND length(customer_id) <= 255),
  default_method_id text,
  created_at timestamptz NOT NULL DEFAULT app_now()
);

-- Events of the processor, each once: the row is committed before the processor gets its answer.
CREATE TABLE processor_event (
  id text PRIMARY KEY CHECK (length(id) >= 1 AND length(id) <= 255),
  type text NOT NULL,
  livemode boolean NOT NULL,
  created_at timestamptz NOT NULL,
  -- The facts of the event, without names and addresses; null: of no use here.
  facts jsonb,
  state text NOT NULL CHECK (state IN ('received', 'applied', 'ignored', 'dead')),
  deliveries integer NOT NULL DEFAULT 1,
  attempts integer NOT NULL DEFAULT 0,
  next_attempt_at timestamptz NOT NULL DEFAULT app_now(),
  error text,
  -- Found by the comparison with the processor's own list, not delivered.
  found boolean NOT NULL DEFAULT false,
  received_at timestamptz NOT NULL DEFAULT app_now(),
  applied_at timestamptz,
  -- When the operator was informed of an event that could not be applied.
  told_at timestamptz
);
CREATE INDEX processor_event_dead ON processor_event (received_at) WHERE state = 'dead';
CREATE INDEX processor_event_due ON processor_event (next_attempt_at) WHERE state = 'received';
CREATE TRIGGER processor_event_no_delete BEFORE DELETE ON processor_event FOR EACH ROW EXECUTE FUNCTION forbid_change();

CREATE TABLE processor_problem (
  kind text PRIMARY KEY,
  detail text NOT NULL,
  since timestamptz NOT NULL DEFAULT app_now(),
  seen_at timestamptz NOT NULL DEFAULT app_now(),
  told_at timestamptz
);
