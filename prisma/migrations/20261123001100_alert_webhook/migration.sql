-- Where a person has alerts sent to beside their mailbox. Secrets are sealed.
CREATE TABLE alert_webhook (
  user_id         integer PRIMARY KEY REFERENCES app_user (id) ON DELETE CASCADE,
  url             text NOT NULL CHECK (length(url) BETWEEN 1 AND 2000),
  secret          text NOT NULL,
  -- Signs too until then, so that a receiver can change its secret without losing anything.
  previous_secret text,
  previous_until  timestamptz,
  -- Attempts in a row that failed.
  failures        integer NOT NULL DEFAULT 0,
  disabled_at     timestamptz,
  tested_at       timestamptz,
  last_attempt_at timestamptz,
  last_status     smallint,
  last_error      text,
  created_at      timestamptz NOT NULL DEFAULT app_now(),
  CONSTRAINT previous_is_whole CHECK ((previous_secret IS NULL) = (previous_until IS NULL))
);

CREATE OR REPLACE FUNCTION forget_alert_setting() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM alert_setting WHERE user_id = NEW.id;
  DELETE FROM alert_webhook WHERE user_id = NEW.id;
  DELETE FROM alert_delivery WHERE user_id = NEW.id;
  RETURN NULL;
END $$;
