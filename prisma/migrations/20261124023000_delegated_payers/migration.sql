-- Somebody's wallet pays for another person of the organisation: one of the two asks, and it is in force once the other accepts.
-- Rows stay when they end, because finished requests show why their payer paid.
CREATE TABLE payer_delegation (
  id          integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id     integer NOT NULL REFERENCES app_user (id) ON DELETE CASCADE,
  payer_id    integer NOT NULL REFERENCES app_user (id) ON DELETE CASCADE,
  asked_by_id integer NOT NULL,
  asked_at    timestamptz NOT NULL DEFAULT app_now(),
  accepted_at timestamptz,
  ended_at    timestamptz,
  CONSTRAINT payer_delegation_of_two CHECK (user_id <> payer_id),
  CONSTRAINT payer_delegation_asked_by_one CHECK (asked_by_id IN (user_id, payer_id))
);
-- One payer at a time, and one question between two people.
CREATE UNIQUE INDEX payer_delegation_in_force ON payer_delegation (user_id) WHERE accepted_at IS NOT NULL AND ended_at IS NULL;
CREATE UNIQUE INDEX payer_delegation_open ON payer_delegation (user_id, payer_id) WHERE ended_at IS NULL;
CREATE INDEX payer_delegation_user ON payer_delegation (user_id, payer_id);
CREATE INDEX payer_delegation_payer ON payer_delegation (payer_id);

-- It ends when one of the two is archived or deleted, or when they are no longer in one organisation; whole organisations that
-- merge take it along.
CREATE FUNCTION end_payer_delegations() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE payer_delegation d SET ended_at = app_now()
   WHERE NEW.id IN (d.user_id, d.payer_id) AND d.ended_at IS NULL
     AND (NEW.status IN ('archived', 'deleted')
          OR EXISTS (SELECT FROM app_user o
                      WHERE o.id IN (d.user_id, d.payer_id) AND o.organisation_id <> NEW.organisation_id));
  RETURN NULL;
END $$;

CREATE TRIGGER app_user_end_payer_delegations AFTER UPDATE OF status, organisation_id ON app_user
  FOR EACH ROW WHEN (OLD.status IS DISTINCT FROM NEW.status OR OLD.organisation_id IS DISTINCT FROM NEW.organisation_id)
  EXECUTE FUNCTION end_payer_delegations();
