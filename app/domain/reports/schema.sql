-- `npm run migrate -- picture` writes this file, and keeps its comments.

-- A file of a report, written by a job for one person and kept for some days.
CREATE TABLE report_export (
  id text PRIMARY KEY CHECK (id ~ '^exp_[0-9a-f]{24}$'),
  user_id integer NOT NULL REFERENCES app_user(id) ON DELETE CASCADE,
  organisation_id integer NOT NULL REFERENCES organisation(id) ON DELETE CASCADE,
  report_id integer REFERENCES saved_report(id) ON DELETE SET NULL,
  name text NOT NULL,
  -- The question in values, and the moment that "the last 7 days" are counted from.
  asked jsonb NOT NULL,
  as_of timestamptz NOT NULL,
  -- The view in which it was requested.
  admin_mode boolean NOT NULL,
  admin_organisation_id integer REFERENCES organisation(id) ON DELETE CASCADE,
  format text NOT NULL CHECK (format IN ('csv', 'jsonl', 'xlsx')),
  status text NOT NULL DEFAULT 'queued' CHECK (status IN ('queued', 'running', 'done', 'failed', 'cancelled')),
  -- Which try it is; only the latest writes.
  attempt integer NOT NULL DEFAULT 0,
  percent integer NOT NULL DEFAULT 0 CHECK (percent >= 0 AND percent <= 100),
  row_count integer NOT NULL DEFAULT 0,
  bytes bigint NOT NULL DEFAULT 0,
  sha256 text,
  problem text,
  created_at timestamptz NOT NULL DEFAULT app_now(),
  started_at timestamptz,
  finished_at timestamptz,
  expires_at timestamptz,
  -- Requested exports are written before scheduled ones.
  scheduled boolean NOT NULL DEFAULT false,
  CONSTRAINT whole_when_done CHECK (status <> 'done' OR sha256 IS NOT NULL AND expires_at IS NOT NULL)
);
CREATE INDEX report_export_admin_organisation_id_idx ON report_export (admin_organisation_id) WHERE admin_organisation_id IS NOT NULL;
CREATE INDEX report_export_organisation_id_idx ON report_export (organisation_id);
CREATE INDEX report_export_over ON report_export (finished_at) WHERE status <> ALL (ARRAY['queued', 'running']);
CREATE INDEX report_export_report_id_idx ON report_export (report_id) WHERE report_id IS NOT NULL;
CREATE INDEX report_export_user_id_created_at_idx ON report_export (user_id, created_at DESC);
CREATE INDEX report_export_waiting ON report_export (attempt, scheduled, created_at, id) WHERE status IN ('queued', 'running');

-- A file is kept in pieces of equal length, the last one excepted, so that any part of it is read without the rest.
CREATE TABLE report_export_piece (
  export_id text REFERENCES report_export(id) ON DELETE CASCADE,
  "position" integer,
  content bytea NOT NULL,
  PRIMARY KEY (export_id, "position")
);

-- When a report is written and sent by itself.
CREATE TABLE report_schedule (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id integer NOT NULL REFERENCES app_user(id) ON DELETE CASCADE,
  organisation_id integer NOT NULL REFERENCES organisation(id) ON DELETE CASCADE,
  report_id integer NOT NULL REFERENCES saved_report(id) ON DELETE CASCADE,
  -- The place that its person had when they made it; in another one it ends.
  role text NOT NULL,
  department_id integer,
  admin_mode boolean NOT NULL,
  admin_organisation_id integer REFERENCES organisation(id) ON DELETE CASCADE,
  asked jsonb NOT NULL,
  format text NOT NULL CHECK (format IN ('csv', 'jsonl', 'xlsx')),
  cron text NOT NULL CHECK (length(cron) >= 9 AND length(cron) <= 100),
  zone text NOT NULL,
  by_mail boolean NOT NULL,
  by_webhook boolean NOT NULL,
  -- NULL: it is disabled, or there is no later time that it names.
  next_run_at timestamptz,
  disabled_because text CHECK (disabled_because IN ('person', 'no_access')),
  created_at timestamptz NOT NULL DEFAULT app_now()
);
CREATE INDEX report_schedule_admin_organisation_id_idx ON report_schedule (admin_organisation_id) WHERE admin_organisation_id IS NOT NULL;
CREATE INDEX report_schedule_due ON report_schedule (next_run_at) WHERE next_run_at IS NOT NULL;
CREATE INDEX report_schedule_organisation_id_idx ON report_schedule (organisation_id);
CREATE INDEX report_schedule_report_id_idx ON report_schedule (report_id);
CREATE INDEX report_schedule_user_id_idx ON report_schedule (user_id, id DESC);

-- One period of a schedule. There is one for each, whatever dies.
CREATE TABLE report_schedule_run (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  schedule_id integer NOT NULL REFERENCES report_schedule(id) ON DELETE CASCADE,
  period timestamptz NOT NULL,
  export_id text REFERENCES report_export(id) ON DELETE SET NULL,
  status text NOT NULL DEFAULT 'running' CHECK (status IN ('running', 'done', 'failed')),
  problem text,
  row_count integer NOT NULL DEFAULT 0,
  bytes bigint NOT NULL DEFAULT 0,
  duration_ms integer,
  webhook text NOT NULL DEFAULT 'none' CHECK (webhook IN ('none', 'waiting', 'sent', 'dead')),
  webhook_attempts integer NOT NULL DEFAULT 0,
  webhook_at timestamptz,
  reviewed_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT app_now(),
  finished_at timestamptz,
  UNIQUE (schedule_id, period)
);
CREATE INDEX report_schedule_run_created_at_idx ON report_schedule_run (created_at);
CREATE INDEX report_schedule_run_export_id_idx ON report_schedule_run (export_id) WHERE export_id IS NOT NULL;
CREATE INDEX report_schedule_run_running ON report_schedule_run (id) WHERE status = 'running';
CREATE INDEX report_schedule_run_webhook ON report_schedule_run (webhook_at) WHERE webhook = 'waiting';

-- A saved question about usage. Each reader gets an answer within their own rights.
CREATE TABLE saved_report (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id integer NOT NULL REFERENCES app_user(id) ON DELETE CASCADE,
  organisation_id integer NOT NULL REFERENCES organisation(id) ON DELETE CASCADE,
  -- The department it is shared with.
  department_id integer REFERENCES department(id) ON DELETE CASCADE,
  visibility text NOT NULL CHECK (visibility IN ('private', 'department', 'organisation')),
  name text NOT NULL CHECK (length(name) >= 1 AND length(name) <= 120),
  -- The parameters of the builder, as its address has them.
  question text NOT NULL CHECK (length(question) <= 2000),
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT app_now(),
  updated_at timestamptz NOT NULL DEFAULT app_now(),
  CONSTRAINT department_when_shared CHECK ((visibility = 'department') = (department_id IS NOT NULL))
);
CREATE INDEX saved_report_department ON saved_report (department_id) WHERE department_id IS NOT NULL;
CREATE UNIQUE INDEX saved_report_name ON saved_report (user_id, lower(name));
CREATE INDEX saved_report_shared ON saved_report (organisation_id, id) WHERE visibility <> 'private';
