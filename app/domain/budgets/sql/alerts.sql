-- A deleted person remains as a pseudonym, which must get no alerts.
CREATE OR REPLACE FUNCTION forget_alert_setting() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM alert_setting WHERE user_id = NEW.id;
  DELETE FROM alert_webhook WHERE user_id = NEW.id;
  DELETE FROM alert_delivery WHERE user_id = NEW.id;
  RETURN NULL;
END $$;
