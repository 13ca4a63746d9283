-- A question about usage that somebody keeps. It is answered for whoever reads it, within what they may see.
CREATE TABLE saved_report (
  id              integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id         integer NOT NULL REFERENCES app_user (id) ON DELETE CASCADE,
  organisation_id integer NOT NULL REFERENCES organisation (id) ON DELETE CASCADE,
  -- The department it is shared with.
  department_id   integer REFERENCES department (id) ON DELETE CASCADE,
  visibility      text NOT NULL CHECK (visibility IN ('private', 'department', 'organisation')),
  name            text NOT NULL CHECK (length(name) BETWEEN 1 AND 120),
  -- The parameters of the builder, as its address has them.
  question        text NOT NULL CHECK (length(question) <= 2000),
  version         integer NOT NULL DEFAULT 1,
  created_at      timestamptz NOT NULL DEFAULT app_now(),
  updated_at      timestamptz NOT NULL DEFAULT app_now(),
  CONSTRAINT department_when_shared CHECK ((visibility = 'department') = (department_id IS NOT NULL))
);
CREATE UNIQUE INDEX saved_report_name ON saved_report (user_id, lower(name));
CREATE INDEX saved_report_shared ON saved_report (organisation_id, id) WHERE visibility <> 'private';
CREATE INDEX saved_report_department ON saved_report (department_id) WHERE department_id IS NOT NULL;

-- What is left of a deleted person is a pseudonym, which has no reports.
CREATE FUNCTION forget_reports() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM saved_report WHERE user_id = NEW.id;
  RETURN NULL;
END $$;

-- Somebody's reports go along to another organisation, which nobody has shared them with.
CREATE FUNCTION take_reports_along() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE saved_report SET organisation_id = NEW.organisation_id, department_id = NULL, visibility = 'private', version = version + 1,
         updated_at = app_now()
   WHERE user_id = NEW.id;
  RETURN NULL;
END $$;

CREATE TRIGGER app_user_forget_reports AFTER UPDATE OF status ON app_user
  FOR EACH ROW WHEN (NEW.status = 'deleted') EXECUTE FUNCTION forget_reports();
CREATE TRIGGER app_user_take_reports_along AFTER UPDATE OF organisation_id ON app_user
  FOR EACH ROW WHEN (OLD.organisation_id IS DISTINCT FROM NEW.organisation_id) EXECUTE FUNCTION take_reports_along();
