-- `npm run migrate -- picture` writes this file, and keeps its comments.

-- A file of a client or for one, encrypted in pieces. Triggers delete it with its person and organisation.
CREATE TABLE stored_file (
  id text PRIMARY KEY,
  organisation_id integer NOT NULL REFERENCES organisation(id) ON DELETE CASCADE,
  user_id integer,
  purpose text NOT NULL,
  filename text NOT NULL,
  bytes bigint NOT NULL,
  -- Complete; until then it is hidden.
  ready boolean NOT NULL DEFAULT false,
  -- The key of its pieces, sealed.
  data_key text NOT NULL,
  at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX stored_file_expires_at_idx ON stored_file (expires_at);
CREATE INDEX stored_file_organisation_id_user_id_at_id_idx ON stored_file (organisation_id, user_id, at, id);
CREATE INDEX stored_file_user_id_idx ON stored_file (user_id);

-- A part of a file, encrypted; all but the last are of one length.
CREATE TABLE stored_file_piece (
  file_id text REFERENCES stored_file(id) ON DELETE CASCADE,
  "position" integer,
  content bytea NOT NULL,
  PRIMARY KEY (file_id, "position")
);
ALTER TABLE stored_file_piece ALTER COLUMN content SET STORAGE EXTERNAL;
