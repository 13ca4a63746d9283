-- What was shared with a department that is deleted is its owner's alone again.
CREATE FUNCTION keep_reports_of_department() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE saved_report SET department_id = NULL, visibility = 'private', version = version + 1, updated_at = app_now()
   WHERE department_id = OLD.id;
  RETURN OLD;
END $$;

CREATE TRIGGER department_keep_reports BEFORE DELETE ON department FOR EACH ROW EXECUTE FUNCTION keep_reports_of_department();
