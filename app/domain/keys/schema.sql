-- `npm run migrate -- picture` writes this file, and keeps its comments.

-- A gateway key. `kind` is "inference" or "admin"; only the HMAC of the secret is stored. The key's budget lives in the
-- accounting tables as the budget of scope ("key", id).
CREATE TABLE api_key (
  id serial PRIMARY KEY,
  public_id text NOT NULL,
  organisation_id integer NOT NULL REFERENCES organisation(id) ON UPDATE CASCADE ON DELETE RESTRICT,
  user_id integer REFERENCES app_user(id) ON UPDATE CASCADE ON DELETE SET NULL,
  department_id integer REFERENCES department(id) ON UPDATE CASCADE ON DELETE SET NULL,
  project_id integer REFERENCES project(id) ON UPDATE CASCADE ON DELETE SET NULL,
  kind text NOT NULL DEFAULT 'inference',
  name text NOT NULL,
  secret_hmac bytea NOT NULL,
  secret_prefix text NOT NULL,
  secret_last4 text NOT NULL,
  previous_hmac bytea,
  previous_valid_until timestamptz(6),
  allowed_models text[],
  allowed_regions text[],
  rate_limit_rpm integer,
  metadata jsonb NOT NULL DEFAULT '{}',
  -- "active", "suspended" or "revoked"; "expired" is derived from expiresAt.
  status text NOT NULL DEFAULT 'active',
  expires_at timestamptz(6),
  rotated_at timestamptz(6),
  revoked_at timestamptz(6),
  created_at timestamptz(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  -- The person who created it; null: the operator, or an admin key.
  created_by_id integer,
  -- The person who received the current secret, at creation or the last rotation. Null: the operator at the terminal.
  issued_to_id integer,
  -- The admin key that requested it; `issued_to_id` is then the person who holds the secret of that key.
  issued_to_key_id integer,
  -- The person who received the previous secret, which works until `previous_valid_until`.
  previous_issued_to_id integer,
  -- Rules for refusing, redacting or flagging, in addition to those of the organisation.
  guardrails jsonb NOT NULL DEFAULT '[]',
  -- Webhook that is called before a request is sent, after that of the organisation; its secret is sealed. Null: none.
  guardrail_webhook jsonb,
  -- Sites whose pages may call with it; empty: none.
  allowed_origins text[] NOT NULL DEFAULT '{}'
);
CREATE INDEX api_key_issued_to_id_idx ON api_key (issued_to_id);
CREATE INDEX api_key_issued_to_key_id_idx ON api_key (issued_to_key_id);
CREATE INDEX api_key_organisation_id_id_idx ON api_key (organisation_id, id);
CREATE UNIQUE INDEX api_key_previous_hmac_key ON api_key (previous_hmac);
CREATE UNIQUE INDEX api_key_public_id_key ON api_key (public_id);
CREATE UNIQUE INDEX api_key_secret_hmac_key ON api_key (secret_hmac);
-- A person's keys, newest first.
CREATE INDEX api_key_user_id_id_idx ON api_key (user_id, id);
