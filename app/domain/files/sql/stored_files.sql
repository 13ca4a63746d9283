-- Files go with their person and with their organisation: whoever deletes or closes does not have to know that there are any.

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
