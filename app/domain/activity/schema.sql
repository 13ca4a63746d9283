-- `npm run migrate -- picture` writes this file, and keeps its comments.

-- The audit log: changes made in the portal or with an admin key, with the values before and after. Triggers refuse
-- updates and deletes, and add each row to `audit_chain`.
CREATE TABLE act (
  id bigserial PRIMARY KEY,
  at timestamptz(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  -- The person who made the change; null: an admin key, a job, or the operator at the terminal, named by `actor_label`.
  actor_id integer,
  actor_label text NOT NULL,
  -- The organisation, department and person that the change concerns; they decide who may read the row.
  organisation_id integer,
  department_id integer,
  subject_user_id integer,
  -- The kind of change, such as "key.rotate" or "user.role".
  action text NOT NULL,
  target_kind text NOT NULL,
  target_id text NOT NULL,
  target_label text NOT NULL DEFAULT '',
  before jsonb,
  after jsonb,
  address text NOT NULL DEFAULT '',
  -- Salt of the digest of the columns that a redaction may change; `audit_chain` has the digest.
  salt uuid NOT NULL DEFAULT gen_random_uuid()
);
CREATE INDEX act_actor_id_id_idx ON act (actor_id, id DESC);
CREATE INDEX act_organisation_id_id_idx ON act (organisation_id, id DESC);
CREATE INDEX act_subject_user_id_id_idx ON act (subject_user_id, id DESC);
CREATE INDEX act_target_kind_target_id_idx ON act (target_kind, target_id);
-- The audit log is append-only.
CREATE TRIGGER act_append_only BEFORE DELETE OR UPDATE ON act FOR EACH ROW EXECUTE FUNCTION act_fixed();
CREATE CONSTRAINT TRIGGER act_chained AFTER INSERT OR UPDATE ON act DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION audit_chain_append();
CREATE TRIGGER act_no_truncate BEFORE TRUNCATE ON act FOR EACH STATEMENT EXECUTE FUNCTION forbid_change();

CREATE TABLE audit_chain (
  "position" bigint PRIMARY KEY,
  -- The event; its second entry and every later one is a redaction.
  act_id bigint NOT NULL,
  fixed_digest bytea NOT NULL,
  redactable_digest bytea NOT NULL,
  -- sha256(hash of the entry before || position || fixed_digest || redactable_digest)
  hash bytea NOT NULL
);
CREATE INDEX audit_chain_act ON audit_chain (act_id, "position");
CREATE TRIGGER audit_chain_append_only BEFORE DELETE OR UPDATE ON audit_chain FOR EACH ROW EXECUTE FUNCTION forbid_change();
CREATE TRIGGER audit_chain_guard BEFORE INSERT ON audit_chain FOR EACH ROW EXECUTE FUNCTION audit_chain_guard();
CREATE TRIGGER audit_chain_no_truncate BEFORE TRUNCATE ON audit_chain FOR EACH STATEMENT EXECUTE FUNCTION forbid_change();
