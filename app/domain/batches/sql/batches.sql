-- Batches go with their person and with their organisation: whoever deletes or closes does not have to know that there are any.

CREATE OR REPLACE FUNCTION batches_follow_user() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM batch WHERE user_id = NEW.id;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION batches_follow_organisation() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM batch WHERE organisation_id = NEW.id;
  RETURN NULL;
END $$;
