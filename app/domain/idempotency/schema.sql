-- `npm run migrate -- picture` writes this file, and keeps its comments.

-- Requests with an Idempotency-Key: claimed before a hold is placed, later with the answer, which is sealed.
-- `settlement` is the charge for it, so that a replay of the answer can also finish the settlement. One row is one
-- request of one API key; rows are deleted a day after their answer.
CREATE TABLE idempotent_call (
  key_id integer,
  idem_key text COLLATE "C" CHECK (length(idem_key) >= 1 AND length(idem_key) <= 255),
  organisation_id integer NOT NULL,
  request_hash bytea NOT NULL,
  -- The call that works on it, or did; also the id of its hold.
  call_id uuid NOT NULL,
  claimed_at timestamptz NOT NULL DEFAULT now(),
  answered_at timestamptz,
  answer text,
  settlement text,
  PRIMARY KEY (key_id, idem_key),
  CONSTRAINT idempotent_call_check CHECK ((answered_at IS NULL) = (answer IS NULL))
);
CREATE INDEX idempotent_call_age ON idempotent_call (COALESCE(answered_at, claimed_at));
CREATE INDEX idempotent_call_call ON idempotent_call (call_id);

-- Requests of the management API with an Idempotency-Key and their answers, written in the transaction of the work
-- itself. The answer is sealed. One row is one request of one admin key; rows are deleted after a day.
CREATE TABLE managed_request (
  key_id integer,
  idem_key text COLLATE "C" CHECK (length(idem_key) >= 1 AND length(idem_key) <= 255),
  organisation_id integer NOT NULL,
  request_hash bytea NOT NULL,
  answer text,
  answered_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (key_id, idem_key)
);
CREATE INDEX managed_request_age ON managed_request (answered_at);
