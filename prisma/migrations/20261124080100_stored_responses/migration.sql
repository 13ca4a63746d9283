-- Responses that clients want to go on with or to read again, encrypted.
CREATE TABLE stored_response (
  organisation_id integer NOT NULL REFERENCES organisation (id) ON DELETE CASCADE,
  id              text NOT NULL,
  user_id         integer,
  -- The ids of its output's items, by which clients refer to them.
  item_ids        text[] NOT NULL,
  at              timestamptz NOT NULL,
  expires_at      timestamptz NOT NULL,
  content         text NOT NULL,
  PRIMARY KEY (organisation_id, id)
);
CREATE INDEX stored_response_user_id_idx ON stored_response (user_id);
CREATE INDEX stored_response_expires_at_idx ON stored_response (expires_at);
CREATE INDEX stored_response_item_ids_idx ON stored_response USING gin (item_ids);

-- Whoever deletes or closes does not have to know that there are stored responses.
CREATE FUNCTION stored_responses_follow_user() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM stored_response WHERE user_id = NEW.id;
  RETURN NULL;
END $$;
CREATE TRIGGER stored_responses_follow_user AFTER UPDATE OF status ON app_user
  FOR EACH ROW WHEN (NEW.status = 'deleted' AND OLD.status <> 'deleted') EXECUTE FUNCTION stored_responses_follow_user();

CREATE FUNCTION stored_responses_follow_organisation() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM stored_response WHERE organisation_id = NEW.id;
  RETURN NULL;
END $$;
CREATE TRIGGER stored_responses_follow_organisation AFTER UPDATE OF closed_at ON organisation
  FOR EACH ROW WHEN (NEW.closed_at IS NOT NULL AND OLD.closed_at IS NULL) EXECUTE FUNCTION stored_responses_follow_organisation();
