-- Triggers delete files with their person and with their organisation, so that the code for those operations does not
-- depend on files.

CREATE OR REPLACE FUNCTION stored_files_follow_user() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM stored_file WHERE user_id = NEW.id;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION stored_files_follow_organisation() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM stored_file WHERE organisation_id = NEW.id;
  RETURN NULL;
END $$;
