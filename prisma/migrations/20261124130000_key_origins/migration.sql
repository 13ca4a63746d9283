-- Sites whose pages may call with a key from a browser; none: no page can.
ALTER TABLE api_key ADD COLUMN allowed_origins text[] NOT NULL DEFAULT '{}';
