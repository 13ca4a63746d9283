-- `npm run migrate -- picture` writes this file, and keeps its comments.

-- Requests that a client wants answered within a day. Triggers delete it with its person and organisation.
CREATE TABLE batch (
  id text PRIMARY KEY,
  organisation_id integer NOT NULL REFERENCES organisation(id) ON DELETE CASCADE,
  user_id integer,
  -- The key whose limits and money its lines use.
  key_id integer NOT NULL,
  endpoint text NOT NULL,
  input_file_id text NOT NULL,
  output_file_id text,
  error_file_id text,
  -- validating, in_progress, finalizing, completed, failed, cancelling, cancelled or expired.
  state text NOT NULL DEFAULT 'validating' CHECK (state IN ('validating', 'in_progress', 'finalizing', 'completed', 'failed', 'cancelling', 'cancelled', 'expired')),
  -- Its final state, set when no more lines are started.
  outcome text CHECK (outcome IN ('completed', 'failed', 'cancelled', 'expired')),
  -- Errors in its file, or the reason why it was stopped.
  errors jsonb,
  metadata jsonb,
  -- Lifetime of its files in seconds; null: the installation's.
  output_seconds integer,
  total integer NOT NULL DEFAULT 0,
  completed integer NOT NULL DEFAULT 0,
  failed integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  begun_at timestamptz,
  finalizing_at timestamptz,
  cancelling_at timestamptz,
  ended_at timestamptz,
  CONSTRAINT batch_check CHECK ((completed + failed) <= total),
  CONSTRAINT batch_check1 CHECK ((ended_at IS NOT NULL) = (state IN ('completed', 'failed', 'cancelled', 'expired')))
);
CREATE INDEX batch_ended_at_idx ON batch (ended_at);
CREATE INDEX batch_open_idx ON batch (created_at) WHERE ended_at IS NULL;
CREATE INDEX batch_organisation_id_user_id_created_at_id_idx ON batch (organisation_id, user_id, created_at, id);
CREATE INDEX batch_user_id_idx ON batch (user_id);

-- A request of an open batch.
CREATE TABLE batch_line (
  batch_id text REFERENCES batch(id) ON DELETE CASCADE,
  "position" integer,
  -- Its position in the input file, in bytes.
  at bigint NOT NULL,
  bytes integer NOT NULL,
  tries integer NOT NULL DEFAULT 0,
  -- When it was started; from then on, a call may have been made for it.
  begun_at timestamptz,
  -- Earliest time of the next attempt.
  not_before timestamptz,
  -- Whether it failed; null: it has not ended.
  failed boolean,
  -- The line of the output or error file, encrypted.
  content text,
  -- The route whose supplier processes it in a batch; null: it is processed as a call.
  route_id integer,
  -- The supplier's batch that it is in; null: none yet.
  supplier_batch_id text REFERENCES supplier_batch(id),
  -- The call of its hold and its usage row; null: not in a supplier's batch.
  call_id uuid,
  -- Decisions of guardrail webhooks about it before it was sent.
  webhook_notes jsonb,
  PRIMARY KEY (batch_id, "position"),
  CONSTRAINT batch_line_check CHECK ((supplier_batch_id IS NULL) = (call_id IS NULL))
);
ALTER TABLE batch_line ALTER COLUMN content SET STORAGE EXTERNAL;
CREATE INDEX batch_line_call_id_idx ON batch_line (call_id);
CREATE INDEX batch_line_open_idx ON batch_line (batch_id, "position") WHERE failed IS NULL;
CREATE INDEX batch_line_supplier_batch_id_idx ON batch_line (supplier_batch_id, "position") WHERE supplier_batch_id IS NOT NULL;

-- Lines of a batch that are with a supplier, as a batch of the supplier's own.
CREATE TABLE supplier_batch (
  -- gw's own name, by which the supplier's batch is found again when the supplier's name was not stored.
  id text PRIMARY KEY,
  batch_id text NOT NULL REFERENCES batch(id) ON DELETE CASCADE,
  route_id integer NOT NULL,
  supplier text NOT NULL,
  -- The credential whose account has it; null: the supplier has none.
  credential text,
  -- Frozen price of its lines: a price version, and the factor for its prices, in millionths.
  price_version bigint NOT NULL,
  price_millionths integer NOT NULL,
  -- preparing, creating, running, ended or refused.
  state text NOT NULL DEFAULT 'preparing' CHECK (state IN ('preparing', 'creating', 'running', 'ended', 'refused')),
  upstream_id text,
  lines integer NOT NULL,
  -- Why it was refused.
  reason text,
  -- Earliest time of the next status request.
  not_before timestamptz,
  created_at timestamptz NOT NULL,
  creating_at timestamptz,
  cancelling_at timestamptz,
  ended_at timestamptz,
  CONSTRAINT supplier_batch_check CHECK (state <> 'running' OR upstream_id IS NOT NULL),
  CONSTRAINT supplier_batch_check1 CHECK ((ended_at IS NOT NULL) = (state IN ('ended', 'refused')))
);
CREATE INDEX supplier_batch_batch_id_idx ON supplier_batch (batch_id);
