-- `npm run migrate -- picture` writes this file, and keeps its comments.

-- A person who can sign in. Rank is `role` within `organisation_id`; owner and platform_admin reach every organisation.
CREATE TABLE app_user (
  id serial PRIMARY KEY,
  email text NOT NULL,
  name text NOT NULL DEFAULT '',
  organisation_id integer NOT NULL REFERENCES organisation(id) ON UPDATE CASCADE ON DELETE RESTRICT,
  department_id integer REFERENCES department(id) ON UPDATE CASCADE ON DELETE SET NULL,
  role text NOT NULL DEFAULT 'member',
  -- "active", "suspended", "archived", or "deleted": the row of a deleted person has a pseudonym.
  status text NOT NULL DEFAULT 'active',
  password_hash text,
  email_verified_at timestamptz(6),
  terms_version text,
  terms_accepted_at timestamptz(6),
  billing_exempt boolean NOT NULL DEFAULT false,
  created_at timestamptz(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  -- Which wallet pays: "inherit" (project, organisation's billing user, delegated payer, organisation) or "own"
  -- (project, delegated payer, the person's own wallet).
  billing_mode text NOT NULL DEFAULT 'inherit',
  language text,
  last_seen_at timestamptz(6),
  -- State of the get-started page: steps completed by hand, hidden, resumed.
  onboarding jsonb NOT NULL DEFAULT '{}',
  time_zone text,
  -- When a link that the operator had passed on opened the account, without proof of its address.
  vouched_at timestamptz(6),
  -- How `auto` chooses for the person's keys: "off" or an algorithm; null: as for the organisation.
  autorouter text,
  autorouter_default text,
  -- Explanations that the person has hidden, by name.
  hidden_help text[] NOT NULL DEFAULT '{}',
  -- The UTC day that `playground_nano_usd` counts.
  playground_day date,
  -- Playground budget that calls of that day have used or hold.
  playground_nano_usd bigint NOT NULL DEFAULT 0,
  CONSTRAINT app_user_billing_mode CHECK (billing_mode IN ('inherit', 'own')),
  CONSTRAINT app_user_role CHECK (role IN ('owner', 'platform_admin', 'org_admin', 'department_admin', 'member', 'viewer')),
  CONSTRAINT app_user_status CHECK (status IN ('active', 'suspended', 'archived', 'deleted'))
);
CREATE INDEX app_user_department_id_id_idx ON app_user (department_id, id DESC);
CREATE UNIQUE INDEX app_user_email_key ON app_user (email);
CREATE INDEX app_user_organisation_id_id_idx ON app_user (organisation_id, id DESC);
CREATE TRIGGER app_user_drop_report_exports AFTER UPDATE OF role, organisation_id, department_id, status ON app_user FOR EACH ROW WHEN (old.role IS DISTINCT FROM new.role OR old.organisation_id IS DISTINCT FROM new.organisation_id OR old.department_id IS DISTINCT FROM new.department_id OR old.status IS DISTINCT FROM new.status) EXECUTE FUNCTION drop_report_exports();
CREATE TRIGGER app_user_end_payer_delegations AFTER UPDATE OF status, organisation_id ON app_user FOR EACH ROW WHEN (old.status IS DISTINCT FROM new.status OR old.organisation_id IS DISTINCT FROM new.organisation_id) EXECUTE FUNCTION end_payer_delegations();
CREATE TRIGGER app_user_forget_alerts AFTER UPDATE OF status ON app_user FOR EACH ROW WHEN (new.status = 'deleted') EXECUTE FUNCTION forget_alert_setting();
CREATE TRIGGER app_user_forget_reports AFTER UPDATE OF status ON app_user FOR EACH ROW WHEN (new.status = 'deleted') EXECUTE FUNCTION forget_reports();
CREATE TRIGGER app_user_take_reports_along AFTER UPDATE OF organisation_id ON app_user FOR EACH ROW WHEN (old.organisation_id IS DISTINCT FROM new.organisation_id) EXECUTE FUNCTION take_reports_along();
CREATE TRIGGER batches_follow_user AFTER UPDATE OF status ON app_user FOR EACH ROW WHEN (new.status = 'deleted' AND old.status <> 'deleted') EXECUTE FUNCTION batches_follow_user();
CREATE TRIGGER conversations_follow_user AFTER UPDATE OF status ON app_user FOR EACH ROW WHEN (new.status = 'deleted' AND old.status <> 'deleted') EXECUTE FUNCTION conversations_follow_user();
CREATE TRIGGER stored_files_follow_user AFTER UPDATE OF status ON app_user FOR EACH ROW WHEN (new.status = 'deleted' AND old.status <> 'deleted') EXECUTE FUNCTION stored_files_follow_user();
CREATE TRIGGER stored_responses_follow_user AFTER UPDATE OF status ON app_user FOR EACH ROW WHEN (new.status = 'deleted' AND old.status <> 'deleted') EXECUTE FUNCTION stored_responses_follow_user();

-- An account at an identity provider that signs a person in. `provider` is "idp-a" or "idp-b".
CREATE TABLE external_identity (
  id serial PRIMARY KEY,
  user_id integer NOT NULL REFERENCES app_user(id) ON UPDATE CASCADE ON DELETE CASCADE,
  provider text NOT NULL,
  issuer text NOT NULL,
  subject text NOT NULL,
  email text NOT NULL DEFAULT '',
  created_at timestamptz(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  last_used_at timestamptz(6)
);
CREATE UNIQUE INDEX external_identity_issuer_subject_key ON external_identity (issuer, subject);
CREATE INDEX external_identity_user_id_idx ON external_identity (user_id);

-- Versions of legal documents that people have accepted, when, and from where. Rows are only added.
CREATE TABLE legal_acceptance (
  id serial PRIMARY KEY,
  user_id integer NOT NULL REFERENCES app_user(id) ON UPDATE CASCADE ON DELETE CASCADE,
  document text NOT NULL,
  version text NOT NULL,
  address text NOT NULL DEFAULT '',
  accepted_at timestamptz(6) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE UNIQUE INDEX legal_acceptance_user_id_document_version_key ON legal_acceptance (user_id, document, version);

-- A link that works once: set-up, password reset, verification, hand-off. Only the SHA-256 of the token is kept.
CREATE TABLE one_time_token (
  id serial PRIMARY KEY,
  purpose text NOT NULL,
  token_hash bytea NOT NULL,
  user_id integer REFERENCES app_user(id) ON UPDATE CASCADE ON DELETE CASCADE,
  expires_at timestamptz(6) NOT NULL,
  used_at timestamptz(6),
  created_at timestamptz(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  -- Data of the link besides the person, such as the address that it proves or the next page.
  payload jsonb
);
-- An unconfirmed sign-up exists only as its link, so its address is looked up here.
CREATE INDEX one_time_token_sign_up ON one_time_token ((payload ->> 'email'), id DESC) WHERE purpose = 'sign_up';
CREATE UNIQUE INDEX one_time_token_token_hash_key ON one_time_token (token_hash);
CREATE INDEX one_time_token_user_id_idx ON one_time_token (user_id);

-- A browser that is signed in. Only the SHA-256 of the cookie's token is kept.
CREATE TABLE session (
  id serial PRIMARY KEY,
  token_hash bytea NOT NULL,
  user_id integer NOT NULL REFERENCES app_user(id) ON UPDATE CASCADE ON DELETE CASCADE,
  -- The admin view: whether the person sees more than their own data, and of which organisation.
  admin_mode boolean NOT NULL DEFAULT false,
  admin_organisation_id integer,
  user_agent text NOT NULL DEFAULT '',
  address text NOT NULL DEFAULT '',
  created_at timestamptz(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  -- When the person last proved their identity: by signing in, or by confirming it.
  proved_at timestamptz(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  last_seen_at timestamptz(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  expires_at timestamptz(6) NOT NULL
);
CREATE INDEX session_expires_at_idx ON session (expires_at);
CREATE UNIQUE INDEX session_token_hash_key ON session (token_hash);
CREATE INDEX session_user_id_idx ON session (user_id);

-- Failed attempts by origin: a hash of the address, of the account, or of both.
CREATE TABLE sign_in_throttle (
  subject text PRIMARY KEY,
  failures integer NOT NULL DEFAULT 0,
  window_start timestamptz(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  locked_until timestamptz(6)
);
CREATE INDEX sign_in_throttle_window_start_idx ON sign_in_throttle (window_start);
