-- Prices of what few suppliers bill beside tokens of text; NULL: nobody has said.
ALTER TABLE price
  ADD COLUMN cache_write_1h_per_mtok bigint,
  ADD COLUMN audio_input_per_mtok bigint,
  ADD COLUMN audio_output_per_mtok bigint,
  ADD COLUMN per_tool_use bigint;

-- Requests of known keys that were refused before a supplier was called, for the people who wonder why. Written in the
-- background, so a crash can lose the last second of them. Kept for seven days.
CREATE TABLE gateway_refusal (
  id                  bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at                  timestamptz NOT NULL,
  key_id              integer NOT NULL,
  organisation_id     integer NOT NULL,
  request_id          uuid NOT NULL,
  endpoint            text NOT NULL,
  model               text NOT NULL,
  code                text NOT NULL,
  status              smallint NOT NULL,
  param               text,
  human_message       text NOT NULL,
  retry_after_seconds integer
);
CREATE INDEX gateway_refusal_key ON gateway_refusal (key_id, id);
CREATE INDEX gateway_refusal_at ON gateway_refusal (at);

-- Requests with an Idempotency-Key: claimed before anything is held, and with the answer once there is one. The answer is
-- sealed; `settlement` is what is booked for it, so that whoever replays the answer can also finish the booking. One row is
-- one request of one API key; rows go a day after their answer.
CREATE TABLE idempotent_call (
  key_id          integer NOT NULL,
  idem_key        text COLLATE "C" NOT NULL CHECK (length(idem_key) BETWEEN 1 AND 255),
  organisation_id integer NOT NULL,
  request_hash    bytea NOT NULL,
  -- The call that works on it, or did; also the id of its hold.
  call_id         uuid NOT NULL,
  claimed_at      timestamptz NOT NULL DEFAULT now(),
  answered_at     timestamptz,
  answer          text,
  settlement      text,
  PRIMARY KEY (key_id, idem_key),
  CHECK ((answered_at IS NULL) = (answer IS NULL))
);
CREATE INDEX idempotent_call_age ON idempotent_call (coalesce(answered_at, claimed_at));
CREATE INDEX idempotent_call_call ON idempotent_call (call_id);
