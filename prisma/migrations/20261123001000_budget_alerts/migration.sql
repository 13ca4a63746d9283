-- Which budget or wallet a request was refused by; NULL where it was refused for something else.
ALTER TABLE gateway_refusal ADD COLUMN scope text;

-- The budgets room: who is told about which budgets, what there was to tell, and what became of telling it.

-- What a person is told about. Their own keys and budget; with consent, also those that they manage.
CREATE TABLE alert_setting (
  user_id         integer PRIMARY KEY REFERENCES app_user (id) ON DELETE CASCADE,
  active          boolean NOT NULL,
  -- Percent of a budget's limit.
  thresholds      smallint[] NOT NULL CHECK (cardinality(thresholds) BETWEEN 1 AND 10 AND 1 <= ALL (thresholds) AND 100 >= ALL (thresholds)),
  -- Of a wallet, in nano-USD; NULL: not told.
  low_balance     bigint CHECK (low_balance > 0),
  consented_at    timestamptz,
  -- Which sentence was agreed to.
  consent_version text,
  updated_at      timestamptz NOT NULL DEFAULT app_now(),
  CONSTRAINT consent_is_whole CHECK ((consented_at IS NULL) = (consent_version IS NULL))
);

-- How a budget or wallet stood when it was last looked at. Whoever looks locks the row, so that each thing is told once.
CREATE TABLE alert_watch (
  subject_kind text NOT NULL CHECK (subject_kind IN ('budget', 'wallet')),
  subject_id   bigint NOT NULL,
  -- Of daily and monthly budgets; of rolling ones and of wallets, which have no periods, the epoch.
  period_start timestamptz NOT NULL,
  limit_amt    bigint NOT NULL,
  spent        bigint NOT NULL,
  -- Thresholds that were crossed and have not been armed again.
  fired        bigint[] NOT NULL,
  -- Limit less spent when it began to refuse; NULL while it accepts.
  refused_left bigint,
  -- Refusals up to here are told.
  refusals_to  timestamptz NOT NULL,
  -- Counts what was armed again within the period.
  round        integer NOT NULL,
  PRIMARY KEY (subject_kind, subject_id)
);

CREATE TABLE alert (
  id              bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  subject_kind    text NOT NULL CHECK (subject_kind IN ('budget', 'wallet')),
  subject_id      bigint NOT NULL,
  scope_kind      text NOT NULL,
  scope_id        integer NOT NULL,
  scope_name      text NOT NULL,
  organisation_id integer NOT NULL,
  kind            text NOT NULL CHECK (kind IN ('threshold', 'low_balance', 'refusing', 'accepting')),
  -- Percent, or nano-USD of a balance; 0 where the kind has none.
  threshold       bigint NOT NULL,
  period          text,
  period_start    timestamptz NOT NULL,
  round           integer NOT NULL,
  limit_amt       bigint NOT NULL,
  spent           bigint NOT NULL,
  held            bigint NOT NULL,
  resets_at       timestamptz,
  runs_out_at     timestamptz,
  created_at      timestamptz NOT NULL DEFAULT app_now(),
  UNIQUE (subject_kind, subject_id, kind, threshold, period_start, round)
);

-- The outbox: an alert for one person on one way.
CREATE TABLE alert_delivery (
  id              bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  alert_id        bigint NOT NULL REFERENCES alert (id),
  user_id         integer NOT NULL REFERENCES app_user (id) ON DELETE CASCADE,
  -- Told as somebody who manages it, for which they have to consent; else it is their own.
  as_manager      boolean NOT NULL,
  channel         text NOT NULL CHECK (channel IN ('mail', 'webhook')),
  state           text NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'sent', 'dead', 'cancelled')),
  attempts        integer NOT NULL DEFAULT 0,
  next_attempt_at timestamptz NOT NULL DEFAULT app_now(),
  error           text,
  sent_at         timestamptz,
  created_at      timestamptz NOT NULL DEFAULT app_now(),
  UNIQUE (alert_id, user_id, channel)
);
CREATE INDEX alert_delivery_due ON alert_delivery (next_attempt_at) WHERE state = 'pending';
CREATE INDEX alert_delivery_user ON alert_delivery (user_id, id DESC);

-- What is left of a deleted person is a pseudonym, which is told nothing.
CREATE FUNCTION forget_alert_setting() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM alert_setting WHERE user_id = NEW.id;
  DELETE FROM alert_delivery WHERE user_id = NEW.id;
  RETURN NULL;
END $$;
CREATE TRIGGER app_user_forget_alerts AFTER UPDATE OF status ON app_user
  FOR EACH ROW WHEN (NEW.status = 'deleted') EXECUTE FUNCTION forget_alert_setting();
