-- `npm run migrate -- picture` writes this file, and keeps its comments.

CREATE TABLE alert (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  subject_kind text NOT NULL CHECK (subject_kind IN ('budget', 'wallet')),
  subject_id bigint NOT NULL,
  scope_kind text NOT NULL,
  scope_id integer NOT NULL,
  scope_name text NOT NULL,
  organisation_id integer NOT NULL,
  kind text NOT NULL CHECK (kind IN ('threshold', 'low_balance', 'refusing', 'accepting')),
  -- Percent, or nano-USD of a balance; 0 where the kind has none.
  threshold bigint NOT NULL,
  period text,
  period_start timestamptz NOT NULL,
  round integer NOT NULL,
  limit_amt bigint NOT NULL,
  spent bigint NOT NULL,
  held bigint NOT NULL,
  resets_at timestamptz,
  runs_out_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT app_now(),
  CONSTRAINT alert_subject_kind_subject_id_kind_threshold_period_start_r_key UNIQUE (subject_kind, subject_id, kind, threshold, period_start, round)
);

-- The outbox: an alert for one person on one way.
CREATE TABLE alert_delivery (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  alert_id bigint NOT NULL REFERENCES alert(id),
  user_id integer NOT NULL REFERENCES app_user(id) ON DELETE CASCADE,
  -- Sent to a manager, which needs their consent; else to the owner.
  as_manager boolean NOT NULL,
  channel text NOT NULL CHECK (channel IN ('mail', 'webhook')),
  state text NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'sent', 'dead', 'cancelled')),
  attempts integer NOT NULL DEFAULT 0,
  next_attempt_at timestamptz NOT NULL DEFAULT app_now(),
  error text,
  sent_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT app_now(),
  UNIQUE (alert_id, user_id, channel)
);
CREATE INDEX alert_delivery_due ON alert_delivery (next_attempt_at) WHERE state = 'pending';
CREATE INDEX alert_delivery_user ON alert_delivery (user_id, id DESC);

-- The alerts that a person receives: for their own keys and budget and, with consent, for those that they manage.
CREATE TABLE alert_setting (
  user_id integer PRIMARY KEY REFERENCES app_user(id) ON DELETE CASCADE,
  active boolean NOT NULL,
  -- Percent of a budget's limit.
  thresholds smallint[] NOT NULL CHECK (cardinality(thresholds) >= 1 AND cardinality(thresholds) <= 10 AND (1 <= ALL (thresholds)) AND (100 >= ALL (thresholds))),
  -- Threshold of a wallet, in nano-USD; null: no alert.
  low_balance bigint CHECK (low_balance > 0),
  consented_at timestamptz,
  -- Which sentence was agreed to.
  consent_version text,
  updated_at timestamptz NOT NULL DEFAULT app_now(),
  CONSTRAINT consent_is_whole CHECK ((consented_at IS NULL) = (consent_version IS NULL))
);

-- The last known state of a budget or wallet. A check locks the row first, so each alert is sent once.
CREATE TABLE alert_watch (
  subject_kind text CHECK (subject_kind IN ('budget', 'wallet')),
  subject_id bigint,
  -- Of daily and monthly budgets; of rolling ones and of wallets, which have no periods, the epoch.
  period_start timestamptz NOT NULL,
  limit_amt bigint NOT NULL,
  spent bigint NOT NULL,
  -- Thresholds that were crossed and have not been armed again.
  fired bigint[] NOT NULL,
  -- Limit less spent when it began to refuse; NULL while it accepts.
  refused_left bigint,
  -- Refusals up to this one are reported.
  refusals_to timestamptz NOT NULL,
  -- Counts how often thresholds were armed again within the period.
  round integer NOT NULL,
  PRIMARY KEY (subject_kind, subject_id)
);

-- Where a person has alerts sent to beside their mailbox. Secrets are sealed.
CREATE TABLE alert_webhook (
  user_id integer PRIMARY KEY REFERENCES app_user(id) ON DELETE CASCADE,
  url text NOT NULL CHECK (length(url) >= 1 AND length(url) <= 4000),
  secret text NOT NULL,
  -- Signs too until then, so that a receiver can change its secret without losing anything.
  previous_secret text,
  previous_until timestamptz,
  -- Attempts in a row that failed.
  failures integer NOT NULL DEFAULT 0,
  disabled_at timestamptz,
  tested_at timestamptz,
  last_attempt_at timestamptz,
  last_status smallint,
  last_error text,
  created_at timestamptz NOT NULL DEFAULT app_now(),
  CONSTRAINT previous_is_whole CHECK ((previous_secret IS NULL) = (previous_until IS NULL))
);
