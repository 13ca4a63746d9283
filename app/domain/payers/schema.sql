-- `npm run migrate -- picture` writes this file, and keeps its comments.

-- The wallet of one person pays for another person of the organisation: one of the two requests it, and it is in force
-- once the other accepts. Rows stay when they end, because finished requests show why their payer paid.
CREATE TABLE payer_delegation (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id integer NOT NULL REFERENCES app_user(id) ON DELETE CASCADE,
  payer_id integer NOT NULL REFERENCES app_user(id) ON DELETE CASCADE,
  asked_by_id integer NOT NULL,
  asked_at timestamptz NOT NULL DEFAULT app_now(),
  accepted_at timestamptz,
  ended_at timestamptz,
  CONSTRAINT payer_delegation_asked_by_one CHECK (asked_by_id = user_id OR asked_by_id = payer_id),
  CONSTRAINT payer_delegation_of_two CHECK (user_id <> payer_id)
);
-- One payer at a time, and one open request between two people.
CREATE UNIQUE INDEX payer_delegation_in_force ON payer_delegation (user_id) WHERE accepted_at IS NOT NULL AND ended_at IS NULL;
CREATE UNIQUE INDEX payer_delegation_open ON payer_delegation (user_id, payer_id) WHERE ended_at IS NULL;
CREATE INDEX payer_delegation_payer ON payer_delegation (payer_id);
CREATE INDEX payer_delegation_user ON payer_delegation (user_id, payer_id);
