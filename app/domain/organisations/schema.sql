-- `npm run migrate -- picture` writes this file, and keeps its comments.

CREATE TABLE department (
  id serial PRIMARY KEY,
  organisation_id integer NOT NULL REFERENCES organisation(id) ON UPDATE CASCADE ON DELETE RESTRICT,
  name text NOT NULL,
  created_at timestamptz(6) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE UNIQUE INDEX department_organisation_id_name_key ON department (organisation_id, name);
CREATE TRIGGER department_keep_reports BEFORE DELETE ON department FOR EACH ROW EXECUTE FUNCTION keep_reports_of_department();

-- An invitation by e-mail. Only the SHA-256 of the link's token is kept.
CREATE TABLE invite (
  id serial PRIMARY KEY,
  organisation_id integer NOT NULL REFERENCES organisation(id) ON UPDATE CASCADE ON DELETE RESTRICT,
  department_id integer REFERENCES department(id) ON UPDATE CASCADE ON DELETE SET NULL,
  email text NOT NULL,
  role text NOT NULL,
  token_hash bytea NOT NULL,
  invited_by_id integer,
  accepted_by_id integer,
  created_at timestamptz(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  expires_at timestamptz(6) NOT NULL,
  accepted_at timestamptz(6),
  revoked_at timestamptz(6),
  -- How the link goes out: by "mail", which proves the address, or passed on by the "operator", which does not.
  delivery text NOT NULL DEFAULT 'operator',
  CONSTRAINT invite_ended_once CHECK (accepted_at IS NULL OR revoked_at IS NULL),
  CONSTRAINT invite_role CHECK (role IN ('platform_admin', 'org_admin', 'department_admin', 'member', 'viewer'))
);
CREATE INDEX invite_email_idx ON invite (email);
CREATE INDEX invite_invited_by_id_idx ON invite (invited_by_id);
CREATE INDEX invite_organisation_id_idx ON invite (organisation_id);
CREATE UNIQUE INDEX invite_token_hash_key ON invite (token_hash);

-- A customer of this installation. Its wallet pays for its members unless `billing_exempt`.
CREATE TABLE organisation (
  id serial PRIMARY KEY,
  name text NOT NULL,
  slug text NOT NULL,
  billing_exempt boolean NOT NULL DEFAULT false,
  created_at timestamptz(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  accent_colour text,
  -- The member whose wallet pays for all members; null: the organisation's own.
  billing_user_id integer,
  brand_name text,
  -- The organisation into which this one was merged.
  merged_into_id integer,
  -- A reseller's own portal: its host name and branding.
  portal_domain text,
  -- The reseller above; null: a customer of the operator.
  reseller_id integer REFERENCES organisation(id) ON UPDATE CASCADE ON DELETE SET NULL,
  support_email text,
  -- When it was merged or deleted. It is hidden from then on; its ledger and usage stay.
  closed_at timestamptz(6),
  -- Maximum credit that the organisation's own admins may give in total, in nano-USD.
  credit_ceiling_nano_usd bigint NOT NULL DEFAULT 0,
  -- How `auto` chooses for its people and keys: "off" or an algorithm; null: as the installation does.
  autorouter text,
  -- The model that the autorouter is compared with; null: the candidate of highest quality.
  autorouter_default text,
  -- Whether the quality explorer may show statistics of its requests, and the minimum size of its groups.
  quality_opt_in boolean NOT NULL DEFAULT false,
  quality_minimum integer NOT NULL DEFAULT 20 CHECK (quality_minimum >= 5 AND quality_minimum <= 10000),
  -- Which parts of requests and answers are stored, and for how long; null: none.
  conversations jsonb,
  -- Rules for refusing, redacting or flagging requests and answers.
  guardrails jsonb NOT NULL DEFAULT '[]',
  -- Webhook that is called before a request is sent; its secret is sealed. Null: none.
  guardrail_webhook jsonb,
  CONSTRAINT organisation_credit_ceiling CHECK (credit_ceiling_nano_usd >= 0)
);
CREATE UNIQUE INDEX organisation_portal_domain_key ON organisation (portal_domain);
CREATE UNIQUE INDEX organisation_slug_key ON organisation (slug);
CREATE TRIGGER batches_follow_organisation AFTER UPDATE OF closed_at ON organisation FOR EACH ROW WHEN (new.closed_at IS NOT NULL AND old.closed_at IS NULL) EXECUTE FUNCTION batches_follow_organisation();
CREATE TRIGGER conversations_follow_organisation AFTER UPDATE OF conversations, closed_at ON organisation FOR EACH ROW WHEN (new.conversations IS NULL AND old.conversations IS NOT NULL OR new.closed_at IS NOT NULL AND old.closed_at IS NULL) EXECUTE FUNCTION conversations_follow_organisation();
CREATE TRIGGER stored_files_follow_organisation AFTER UPDATE OF closed_at ON organisation FOR EACH ROW WHEN (new.closed_at IS NOT NULL AND old.closed_at IS NULL) EXECUTE FUNCTION stored_files_follow_organisation();
CREATE TRIGGER stored_responses_follow_organisation AFTER UPDATE OF closed_at ON organisation FOR EACH ROW WHEN (new.closed_at IS NOT NULL AND old.closed_at IS NULL) EXECUTE FUNCTION stored_responses_follow_organisation();

-- A request to pay for all members of an organisation that is not answered yet.
CREATE TABLE payer_nomination (
  organisation_id integer PRIMARY KEY REFERENCES organisation(id) ON UPDATE CASCADE ON DELETE CASCADE,
  user_id integer NOT NULL REFERENCES app_user(id) ON UPDATE CASCADE ON DELETE CASCADE,
  nominated_by_id integer,
  nominated_at timestamptz(6) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE INDEX payer_nomination_user_id_idx ON payer_nomination (user_id);

CREATE TABLE project (
  id serial PRIMARY KEY,
  organisation_id integer NOT NULL REFERENCES organisation(id) ON UPDATE CASCADE ON DELETE RESTRICT,
  name text NOT NULL,
  created_at timestamptz(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  archived_at timestamptz(6),
  created_by_id integer,
  description text NOT NULL DEFAULT ''
);
CREATE UNIQUE INDEX project_organisation_id_name_key ON project (organisation_id, name);

CREATE TABLE project_member (
  project_id integer REFERENCES project(id) ON UPDATE CASCADE ON DELETE CASCADE,
  user_id integer REFERENCES app_user(id) ON UPDATE CASCADE ON DELETE CASCADE,
  added_at timestamptz(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  PRIMARY KEY (project_id, user_id)
);
CREATE INDEX project_member_user_id_idx ON project_member (user_id);
