-- Triggers delete conversations with their person, with their organisation, and when it stops storing, so that the code
-- for those operations does not depend on conversations.

CREATE OR REPLACE FUNCTION conversations_follow_user() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM conversation WHERE user_id = NEW.id;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION conversations_follow_organisation() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM conversation WHERE organisation_id = NEW.id;
  DELETE FROM conversation_key WHERE organisation_id = NEW.id;
  RETURN NULL;
END $$;
