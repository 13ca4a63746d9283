-- Files of clients and for them, encrypted in pieces.
CREATE TABLE stored_file (
  id              text PRIMARY KEY,
  organisation_id integer NOT NULL REFERENCES organisation (id) ON DELETE CASCADE,
  user_id         integer,
  purpose         text NOT NULL,
  filename        text NOT NULL,
  bytes           bigint NOT NULL,
  -- Whole: until then nobody sees it.
  ready           boolean NOT NULL DEFAULT false,
  -- The key of its pieces, sealed.
  data_key        text NOT NULL,
  at              timestamptz NOT NULL,
  expires_at      timestamptz NOT NULL
);
CREATE INDEX stored_file_organisation_id_user_id_at_id_idx ON stored_file (organisation_id, user_id, at, id);
CREATE INDEX stored_file_user_id_idx ON stored_file (user_id);
CREATE INDEX stored_file_expires_at_idx ON stored_file (expires_at);

CREATE TABLE stored_file_piece (
  file_id  text NOT NULL REFERENCES stored_file (id) ON DELETE CASCADE,
  position integer NOT NULL,
  content  bytea NOT NULL,
  PRIMARY KEY (file_id, position)
);
-- What is encrypted does not get smaller by compression.
ALTER TABLE stored_file_piece ALTER COLUMN content SET STORAGE EXTERNAL;

-- Whoever deletes or closes does not have to know that there are files.
CREATE FUNCTION stored_files_follow_user() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM stored_file WHERE user_id = NEW.id;
  RETURN NULL;
END $$;
CREATE TRIGGER stored_files_follow_user AFTER UPDATE OF status ON app_user
  FOR EACH ROW WHEN (NEW.status = 'deleted' AND OLD.status <> 'deleted') EXECUTE FUNCTION stored_files_follow_user();

CREATE FUNCTION stored_files_follow_organisation() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM stored_file WHERE organisation_id = NEW.id;
  RETURN NULL;
END $$;
CREATE TRIGGER stored_files_follow_organisation AFTER UPDATE OF closed_at ON organisation
  FOR EACH ROW WHEN (NEW.closed_at IS NOT NULL AND OLD.closed_at IS NULL) EXECUTE FUNCTION stored_files_follow_organisation();
