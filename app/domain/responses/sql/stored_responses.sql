-- Triggers delete stored responses with their person and with their organisation, so that the code for those operations
-- does not depend on responses.

CREATE OR REPLACE FUNCTION stored_responses_follow_user() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM stored_response WHERE user_id = NEW.id;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION stored_responses_follow_organisation() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM stored_response WHERE organisation_id = NEW.id;
  RETURN NULL;
END $$;
