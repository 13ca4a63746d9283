-- A file of a report, written by a job for one person and kept for some days.
CREATE TABLE report_export (
  id              text PRIMARY KEY CHECK (id ~ '^exp_[0-9a-f]{24}$'),
  user_id         integer NOT NULL REFERENCES app_user (id) ON DELETE CASCADE,
  organisation_id integer NOT NULL REFERENCES organisation (id) ON DELETE CASCADE,
  report_id       integer REFERENCES saved_report (id) ON DELETE SET NULL,
  name            text NOT NULL,
  -- The question in values, and the moment that "the last 7 days" are counted from.
  asked           jsonb NOT NULL,
  as_of           timestamptz NOT NULL,
  -- The view that it was asked for in.
  admin_mode      boolean NOT NULL,
  admin_organisation_id integer REFERENCES organisation (id) ON DELETE CASCADE,
  format          text NOT NULL CHECK (format IN ('csv', 'jsonl', 'xlsx')),
  status          text NOT NULL DEFAULT 'queued' CHECK (status IN ('queued', 'running', 'done', 'failed', 'cancelled')),
  -- Which try it is; only the latest writes.
  attempt         integer NOT NULL DEFAULT 0,
  percent         integer NOT NULL DEFAULT 0 CHECK (percent BETWEEN 0 AND 100),
  row_count       integer NOT NULL DEFAULT 0,
  bytes           bigint NOT NULL DEFAULT 0,
  sha256          text,
  problem         text,
  created_at      timestamptz NOT NULL DEFAULT app_now(),
  started_at      timestamptz,
  finished_at     timestamptz,
  expires_at      timestamptz,
  CONSTRAINT whole_when_done CHECK (status <> 'done' OR (sha256 IS NOT NULL AND expires_at IS NOT NULL))
);
CREATE INDEX report_export_user_id_created_at_idx ON report_export (user_id, created_at DESC);
CREATE INDEX report_export_waiting ON report_export (created_at) WHERE status IN ('queued', 'running');
CREATE INDEX report_export_over ON report_export (finished_at) WHERE status NOT IN ('queued', 'running');
CREATE INDEX report_export_organisation_id_idx ON report_export (organisation_id);
CREATE INDEX report_export_report_id_idx ON report_export (report_id) WHERE report_id IS NOT NULL;
CREATE INDEX report_export_admin_organisation_id_idx ON report_export (admin_organisation_id) WHERE admin_organisation_id IS NOT NULL;

-- A file is kept in pieces of equal length, the last one excepted, so that any part of it is read without the rest.
CREATE TABLE report_export_piece (
  export_id text NOT NULL REFERENCES report_export (id) ON DELETE CASCADE,
  position  integer NOT NULL,
  content   bytea NOT NULL,
  PRIMARY KEY (export_id, position)
);

-- What was written for somebody's old place shows more than their new one may: it goes when the place does, and with the person.
CREATE FUNCTION drop_report_exports() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM report_export WHERE user_id = NEW.id;
  RETURN NULL;
END $$;
CREATE TRIGGER app_user_drop_report_exports AFTER UPDATE OF role, organisation_id, department_id, status ON app_user
  FOR EACH ROW WHEN (
    OLD.role IS DISTINCT FROM NEW.role OR OLD.organisation_id IS DISTINCT FROM NEW.organisation_id
    OR OLD.department_id IS DISTINCT FROM NEW.department_id OR OLD.status IS DISTINCT FROM NEW.status)
  EXECUTE FUNCTION drop_report_exports();
