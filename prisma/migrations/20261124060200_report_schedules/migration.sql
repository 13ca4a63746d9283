-- When a report is written and sent by itself.
CREATE TABLE report_schedule (
  id              integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id         integer NOT NULL REFERENCES app_user (id) ON DELETE CASCADE,
  organisation_id integer NOT NULL REFERENCES organisation (id) ON DELETE CASCADE,
  report_id       integer NOT NULL REFERENCES saved_report (id) ON DELETE CASCADE,
  -- The place that its person had when they made it; in another one it ends.
  role            text NOT NULL,
  department_id   integer,
  admin_mode      boolean NOT NULL,
  admin_organisation_id integer REFERENCES organisation (id) ON DELETE CASCADE,
  asked           jsonb NOT NULL,
  format          text NOT NULL CHECK (format IN ('csv', 'jsonl', 'xlsx')),
  cron            text NOT NULL CHECK (length(cron) BETWEEN 9 AND 100),
  zone            text NOT NULL,
  by_mail         boolean NOT NULL,
  by_webhook      boolean NOT NULL,
  -- NULL: it is disabled, or there is no later time that it names.
  next_run_at     timestamptz,
  disabled_because text CHECK (disabled_because IN ('person', 'no_access')),
  created_at      timestamptz NOT NULL DEFAULT app_now()
);
CREATE INDEX report_schedule_due ON report_schedule (next_run_at) WHERE next_run_at IS NOT NULL;
CREATE INDEX report_schedule_user_id_idx ON report_schedule (user_id, id DESC);
CREATE INDEX report_schedule_report_id_idx ON report_schedule (report_id);
CREATE INDEX report_schedule_organisation_id_idx ON report_schedule (organisation_id);
CREATE INDEX report_schedule_admin_organisation_id_idx ON report_schedule (admin_organisation_id) WHERE admin_organisation_id IS NOT NULL;

-- One period of a schedule. There is one for each, whatever dies.
CREATE TABLE report_schedule_run (
  id              integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  schedule_id     integer NOT NULL REFERENCES report_schedule (id) ON DELETE CASCADE,
  period          timestamptz NOT NULL,
  export_id       text REFERENCES report_export (id) ON DELETE SET NULL,
  status          text NOT NULL DEFAULT 'running' CHECK (status IN ('running', 'done', 'failed')),
  problem         text,
  row_count       integer NOT NULL DEFAULT 0,
  bytes           bigint NOT NULL DEFAULT 0,
  duration_ms     integer,
  webhook         text NOT NULL DEFAULT 'none' CHECK (webhook IN ('none', 'waiting', 'sent', 'dead')),
  webhook_attempts integer NOT NULL DEFAULT 0,
  webhook_at      timestamptz,
  reviewed_at     timestamptz,
  created_at      timestamptz NOT NULL DEFAULT app_now(),
  finished_at     timestamptz,
  UNIQUE (schedule_id, period)
);
CREATE INDEX report_schedule_run_running ON report_schedule_run (id) WHERE status = 'running';
CREATE INDEX report_schedule_run_webhook ON report_schedule_run (webhook_at) WHERE webhook = 'waiting';
CREATE INDEX report_schedule_run_export_id_idx ON report_schedule_run (export_id) WHERE export_id IS NOT NULL;
CREATE INDEX report_schedule_run_created_at_idx ON report_schedule_run (created_at);
