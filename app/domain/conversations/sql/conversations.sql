-- Conversations go with their person, with their organisation, and when it stops storing: whoever deletes or closes does not have to
-- know that there are any.

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
