-- Requests that clients want answered within a day.
CREATE TABLE batch (
  id              text PRIMARY KEY,
  organisation_id integer NOT NULL REFERENCES organisation (id) ON DELETE CASCADE,
  user_id         integer,
  -- The key whose limits and money its lines use.
  key_id          integer NOT NULL,
  endpoint        text NOT NULL,
  input_file_id   text NOT NULL,
  output_file_id  text,
  error_file_id   text,
  state           text NOT NULL DEFAULT 'validating'
    CHECK (state IN ('validating', 'in_progress', 'finalizing', 'completed', 'failed', 'cancelling', 'cancelled', 'expired')),
  -- The state that it ends in, once no more lines are begun.
  outcome         text CHECK (outcome IN ('completed', 'failed', 'cancelled', 'expired')),
  errors          jsonb,
  metadata        jsonb,
  output_seconds  integer,
  total           integer NOT NULL DEFAULT 0,
  completed       integer NOT NULL DEFAULT 0,
  failed          integer NOT NULL DEFAULT 0,
  created_at      timestamptz NOT NULL,
  expires_at      timestamptz NOT NULL,
  begun_at        timestamptz,
  finalizing_at   timestamptz,
  cancelling_at   timestamptz,
  ended_at        timestamptz,
  CHECK (completed + failed <= total),
  CHECK ((ended_at IS NOT NULL) = (state IN ('completed', 'failed', 'cancelled', 'expired')))
);
CREATE INDEX batch_organisation_id_user_id_created_at_id_idx ON batch (organisation_id, user_id, created_at, id);
CREATE INDEX batch_user_id_idx ON batch (user_id);
CREATE INDEX batch_open_idx ON batch (created_at) WHERE ended_at IS NULL;
CREATE INDEX batch_ended_at_idx ON batch (ended_at);

-- A request of a batch that is under way; it goes when the batch ends.
CREATE TABLE batch_line (
  batch_id   text NOT NULL REFERENCES batch (id) ON DELETE CASCADE,
  position   integer NOT NULL,
  -- Where it stands in the input file, in bytes.
  at         bigint NOT NULL,
  bytes      integer NOT NULL,
  tries      integer NOT NULL DEFAULT 0,
  begun_at   timestamptz,
  not_before timestamptz,
  -- How it ended; null: it has not.
  failed     boolean,
  content    text,
  PRIMARY KEY (batch_id, position)
);
ALTER TABLE batch_line ALTER COLUMN content SET STORAGE EXTERNAL;
CREATE INDEX batch_line_open_idx ON batch_line (batch_id, position) WHERE failed IS NULL;

-- Whoever deletes or closes does not have to know that there are batches.
CREATE FUNCTION batches_follow_user() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM batch WHERE user_id = NEW.id;
  RETURN NULL;
END $$;
CREATE TRIGGER batches_follow_user AFTER UPDATE OF status ON app_user
  FOR EACH ROW WHEN (NEW.status = 'deleted' AND OLD.status <> 'deleted') EXECUTE FUNCTION batches_follow_user();

CREATE FUNCTION batches_follow_organisation() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM batch WHERE organisation_id = NEW.id;
  RETURN NULL;
END $$;
CREATE TRIGGER batches_follow_organisation AFTER UPDATE OF closed_at ON organisation
  FOR EACH ROW WHEN (NEW.closed_at IS NOT NULL AND OLD.closed_at IS NULL) EXECUTE FUNCTION batches_follow_organisation();
