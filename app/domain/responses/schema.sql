-- `npm run migrate -- picture` writes this file, and keeps its comments.

-- A response that its client wants to go on with or to read again, encrypted. Triggers delete it with its person and
-- organisation.
CREATE TABLE stored_response (
  organisation_id integer REFERENCES organisation(id) ON DELETE CASCADE,
  id text,
  user_id integer,
  -- The ids of its output's items, by which clients refer to them.
  item_ids text[] NOT NULL,
  at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  content text NOT NULL,
  PRIMARY KEY (organisation_id, id)
);
CREATE INDEX stored_response_expires_at_idx ON stored_response (expires_at);
CREATE INDEX stored_response_item_ids_idx ON stored_response USING gin (item_ids);
CREATE INDEX stored_response_user_id_idx ON stored_response (user_id);
