-- Requests of the management API with an Idempotency-Key and what they were answered, written in the transaction of the work itself.
-- The answer is sealed. One row is one request of one admin key; rows go a day later.
CREATE TABLE managed_request (
  key_id          integer NOT NULL,
  idem_key        text COLLATE "C" NOT NULL CHECK (length(idem_key) BETWEEN 1 AND 255),
  organisation_id integer NOT NULL,
  request_hash    bytea NOT NULL,
  answer          text,
  answered_at     timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (key_id, idem_key)
);
CREATE INDEX managed_request_age ON managed_request (answered_at);
