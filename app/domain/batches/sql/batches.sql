-- Deletes batches together with their person or organisation, so that code for these deletions need not know of
-- batches.

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
