-- `npm run migrate -- picture` writes this file, and keeps its comments.

-- A credential for a supplier: an API key, or an OAuth token that is renewed. Secrets are sealed; `source` is "config"
-- or "portal".
CREATE TABLE supplier_credential (
  id serial PRIMARY KEY,
  supplier_id integer NOT NULL REFERENCES supplier(id) ON UPDATE CASCADE ON DELETE CASCADE,
  name text NOT NULL,
  -- "api_key" or "oauth".
  kind text NOT NULL CHECK (kind IN ('api_key', 'oauth')),
  source text NOT NULL DEFAULT 'config' CHECK (source IN ('config', 'portal')),
  "position" integer NOT NULL DEFAULT 0,
  active boolean NOT NULL DEFAULT true,
  -- The API key or the access token; null: an OAuth credential without its first token.
  sealed_token text,
  sealed_refresh_token text,
  token_url text,
  client_id text,
  -- SHA-256 of the refresh token in the catalogue file, to detect a new one.
  file_digest text,
  expires_at timestamptz(6),
  refreshed_at timestamptz(6),
  -- Number of tokens that this credential has had.
  generation integer NOT NULL DEFAULT 0,
  -- "usable", or "revoked" after the token endpoint has rejected the refresh token.
  state text NOT NULL DEFAULT 'usable' CHECK (state IN ('usable', 'revoked')),
  failures integer NOT NULL DEFAULT 0,
  retry_at timestamptz(6),
  -- The process that renews it, and the end of its lease.
  lease_owner text,
  lease_until timestamptz(6),
  created_at timestamptz(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  -- Rejects secrets in plain text: sealed texts have a prefix.
  CONSTRAINT supplier_credential_is_sealed CHECK ((sealed_token IS NULL OR sealed_token ~~ 'gw1.%') AND (sealed_refresh_token IS NULL OR sealed_refresh_token ~~ 'gw1.%')),
  CONSTRAINT supplier_credential_is_whole CHECK (
CASE kind
    WHEN 'api_key' THEN sealed_token IS NOT NULL AND sealed_refresh_token IS NULL
    ELSE sealed_refresh_token IS NOT NULL AND token_url IS NOT NULL AND client_id IS NOT NULL
END)
);
CREATE UNIQUE INDEX supplier_credential_supplier_id_name_key ON supplier_credential (supplier_id, name);

-- Events of a supplier's credential. `count`: occurrences within about one second. Never contains a secret.
CREATE TABLE token_event (
  id bigserial PRIMARY KEY,
  at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  provider text NOT NULL,
  key_name text NOT NULL,
  kind text NOT NULL,
  -- Origin of the event: "refresh", "traffic", "config" or "portal".
  source text NOT NULL,
  error_kind text,
  detail text,
  count integer NOT NULL DEFAULT 1
);
CREATE INDEX token_event_at_idx ON token_event (at);
CREATE INDEX token_event_provider_key_name_at_idx ON token_event (provider, key_name, at);
