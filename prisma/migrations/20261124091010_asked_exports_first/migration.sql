-- However many schedules are due at once, what a person waits for is written first.
ALTER TABLE report_export ADD COLUMN scheduled boolean NOT NULL DEFAULT false;
UPDATE report_export e SET scheduled = true FROM report_schedule_run n WHERE n.export_id = e.id;
DROP INDEX report_export_waiting;
CREATE INDEX report_export_waiting ON report_export (attempt, scheduled, created_at, id) WHERE status IN ('queued', 'running');
