-- What somebody is told about their money by email, once for each subject: a limit in its period, a card with its expiry, a colleague in a month.
CREATE TABLE billing_notice (
  id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind       text NOT NULL CHECK (kind IN ('topup_limit', 'card_expires', 'paid_for')),
  subject    text NOT NULL,
  user_id    integer NOT NULL REFERENCES app_user (id) ON DELETE CASCADE,
  facts      jsonb NOT NULL,
  created_at timestamptz NOT NULL DEFAULT app_now(),
  told_at    timestamptz,
  UNIQUE (kind, subject)
);
CREATE INDEX billing_notice_waiting ON billing_notice (id) WHERE told_at IS NULL;
CREATE INDEX billing_notice_user ON billing_notice (user_id);
