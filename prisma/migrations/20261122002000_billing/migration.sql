-- The billing room: what people pay to the processor, and what the processor says about it. Amounts without a unit are
-- nano-USD; those in cents are the processor's.

-- Who a person is at the processor.
CREATE TABLE processor_customer (
  user_id           integer PRIMARY KEY REFERENCES app_user (id),
  customer_id       text NOT NULL UNIQUE CHECK (length(customer_id) BETWEEN 1 AND 255),
  default_method_id text,
  created_at        timestamptz NOT NULL DEFAULT app_now()
);

CREATE TABLE payment_method (
  id          text PRIMARY KEY CHECK (length(id) BETWEEN 1 AND 255),
  user_id     integer NOT NULL REFERENCES app_user (id),
  brand       text NOT NULL,
  last4       text NOT NULL,
  exp_month   smallint NOT NULL,
  exp_year    smallint NOT NULL,
  created_at  timestamptz NOT NULL DEFAULT app_now(),
  removed_at  timestamptz
);
CREATE INDEX payment_method_user ON payment_method (user_id) WHERE removed_at IS NULL;

-- A checkout that saves a card and moves no money.
CREATE TABLE card_setup (
  id                uuid PRIMARY KEY,
  user_id           integer NOT NULL REFERENCES app_user (id),
  idem_key          text,
  livemode          boolean NOT NULL,
  session_id        text UNIQUE,
  payment_method_id text REFERENCES payment_method (id),
  state             text NOT NULL DEFAULT 'created' CHECK (state IN ('created', 'open', 'complete', 'expired')),
  created_at        timestamptz NOT NULL DEFAULT app_now(),
  UNIQUE (user_id, idem_key)
);

-- A payment for a wallet. The columns below `facts` only ever grow or are set once, so that events may come in any order and
-- any number of times; `payment_reconcile` moves the ledger to what they say.
CREATE TABLE payment (
  id                uuid PRIMARY KEY,
  wallet_id         bigint NOT NULL REFERENCES ledger_account (id),
  organisation_id   integer NOT NULL,
  user_id           integer NOT NULL REFERENCES app_user (id),
  idem_key          text,
  livemode          boolean NOT NULL,
  -- What the wallet gets, and what the customer pays on top of it; together `subtotal_cents`, to which the processor may add tax.
  amount            bigint NOT NULL CHECK (amount > 0),
  fee               bigint NOT NULL CHECK (fee >= 0),
  subtotal_cents         bigint NOT NULL CHECK (subtotal_cents > 0),
  session_id        text UNIQUE,
  state             text NOT NULL DEFAULT 'created' CHECK (state IN ('created', 'open', 'pending', 'paid', 'failed', 'expired')),
  created_at        timestamptz NOT NULL DEFAULT app_now(),
  looked_up_at      timestamptz,
  -- facts
  intent_id         text UNIQUE,
  charged_cents     bigint CHECK (charged_cents >= subtotal_cents),
  paid_at           timestamptz,
  refunded_cents    bigint NOT NULL DEFAULT 0 CHECK (refunded_cents >= 0),
  failure           text,
  card              text,
  receipt_url       text,
  -- What the ledger has: the credit, and how much of it has been taken back.
  credited_txn      bigint REFERENCES ledger_txn (id),
  reversed            bigint NOT NULL DEFAULT 0,
  postings          integer NOT NULL DEFAULT 0,
  UNIQUE (user_id, idem_key),
  CONSTRAINT paid_is_whole CHECK ((state = 'paid') = (paid_at IS NOT NULL) AND (paid_at IS NULL OR charged_cents IS NOT NULL)),
  CONSTRAINT reversed_within_credit CHECK (reversed BETWEEN 0 AND amount AND (reversed = 0 OR credited_txn IS NOT NULL))
);
CREATE INDEX payment_user ON payment (user_id, created_at DESC, id);
CREATE INDEX payment_wallet ON payment (wallet_id, created_at DESC, id);
CREATE INDEX payment_open ON payment (created_at) WHERE state IN ('created', 'open', 'pending');
CREATE TRIGGER payment_no_delete BEFORE DELETE ON payment FOR EACH ROW EXECUTE FUNCTION forbid_change();
CREATE TRIGGER payment_no_truncate BEFORE TRUNCATE ON payment FOR EACH STATEMENT EXECUTE FUNCTION forbid_change();

-- Money that a customer's bank has taken back. One that was won stays won.
CREATE TABLE payment_dispute (
  id          text PRIMARY KEY,
  payment_id  uuid NOT NULL REFERENCES payment (id),
  cents       bigint NOT NULL CHECK (cents >= 0),
  state       text NOT NULL CHECK (state IN ('open', 'lost', 'won')),
  created_at  timestamptz NOT NULL DEFAULT app_now()
);
CREATE INDEX payment_dispute_payment ON payment_dispute (payment_id);

-- What the processor has told, each event once: the row is committed before the processor is answered.
CREATE TABLE processor_event (
  id              text PRIMARY KEY CHECK (length(id) BETWEEN 1 AND 255),
  type            text NOT NULL,
  livemode        boolean NOT NULL,
  created_at      timestamptz NOT NULL,
  -- What it says, without anybody's name or address; NULL: nothing that is used here.
  facts           jsonb,
  state           text NOT NULL CHECK (state IN ('received', 'applied', 'ignored', 'dead')),
  deliveries      integer NOT NULL DEFAULT 1,
  attempts        integer NOT NULL DEFAULT 0,
  next_attempt_at timestamptz NOT NULL DEFAULT app_now(),
  error           text,
  -- Found by the comparison with the processor's own list, not delivered.
  found           boolean NOT NULL DEFAULT false,
  received_at     timestamptz NOT NULL DEFAULT app_now(),
  applied_at      timestamptz
);
CREATE INDEX processor_event_due ON processor_event (next_attempt_at) WHERE state = 'received';
CREATE INDEX processor_event_dead ON processor_event (received_at) WHERE state = 'dead';
CREATE TRIGGER processor_event_no_delete BEFORE DELETE ON processor_event FOR EACH ROW EXECUTE FUNCTION forbid_change();
