-- A deleted person remains as a pseudonym, which has no reports.
CREATE OR REPLACE FUNCTION forget_reports() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM saved_report WHERE user_id = NEW.id;
  RETURN NULL;
END $$;

-- A person who moves to another organisation takes their reports along, unshared. Reports that a merge of organisations has already moved
-- stay shared.
CREATE OR REPLACE FUNCTION take_reports_along() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE saved_report SET organisation_id = NEW.organisation_id, department_id = NULL, visibility = 'private', version = version + 1,
         updated_at = app_now()
   WHERE user_id = NEW.id AND organisation_id <> NEW.organisation_id;
  RETURN NULL;
END $$;

-- Reports shared with a deleted department become private.
CREATE OR REPLACE FUNCTION keep_reports_of_department() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE saved_report SET department_id = NULL, visibility = 'private', version = version + 1, updated_at = app_now()
   WHERE department_id = OLD.id;
  RETURN OLD;
END $$;

-- An export may contain data that the person's new place may not see, so exports are deleted when the person moves or is deleted.
CREATE OR REPLACE FUNCTION drop_report_exports() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM report_export WHERE user_id = NEW.id;
  RETURN NULL;
END $$;
