-- What is left of a deleted person is a pseudonym, which has no reports.
CREATE OR REPLACE FUNCTION forget_reports() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM saved_report WHERE user_id = NEW.id;
  RETURN NULL;
END $$;

-- Somebody's reports go along to another organisation, which nobody has shared them with. Those that a merge of organisations has taken
-- there already stay shared.
CREATE OR REPLACE FUNCTION take_reports_along() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE saved_report SET organisation_id = NEW.organisation_id, department_id = NULL, visibility = 'private', version = version + 1,
         updated_at = app_now()
   WHERE user_id = NEW.id AND organisation_id <> NEW.organisation_id;
  RETURN NULL;
END $$;

-- What was shared with a department that is deleted is its owner's alone again.
CREATE OR REPLACE FUNCTION keep_reports_of_department() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE saved_report SET department_id = NULL, visibility = 'private', version = version + 1, updated_at = app_now()
   WHERE department_id = OLD.id;
  RETURN OLD;
END $$;

-- What was written for somebody's old place shows more than their new one may: it goes when the place does, and with the person.
CREATE OR REPLACE FUNCTION drop_report_exports() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM report_export WHERE user_id = NEW.id;
  RETURN NULL;
END $$;
