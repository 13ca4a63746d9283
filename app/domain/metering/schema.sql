-- `npm run migrate -- picture` writes this file, and keeps its comments.

-- Requests of known keys that were refused before a supplier was called, shown to people who look for the reason.
-- Written in the background: a crash can lose the last second. Kept for seven days.
CREATE TABLE gateway_refusal (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at timestamptz NOT NULL,
  key_id integer NOT NULL,
  organisation_id integer NOT NULL,
  request_id uuid NOT NULL,
  endpoint text NOT NULL,
  model text NOT NULL,
  code text NOT NULL,
  status smallint NOT NULL,
  param text,
  human_message text NOT NULL,
  retry_after_seconds integer,
  -- Which budget or wallet a request was refused by; NULL where it was refused for something else.
  scope text,
  -- The figures of a refusal for lack of money, as its client received them; pages show them in the reader's language.
  details jsonb,
  -- Which wallet a request was refused for want of money in; NULL where it was refused for something else.
  wallet_id bigint,
  -- Refusals of one kind that follow one another are one row: the first of them, how many they are, and when the last
  -- was.
  times integer NOT NULL DEFAULT 1 CHECK (times > 0),
  -- Refusals of one kind that follow one another are one row: the first of them, how many they are, and when the last
  -- was.
  last_at timestamptz NOT NULL,
  CONSTRAINT gateway_refusal_check CHECK (last_at >= at)
);
CREATE INDEX gateway_refusal_at ON gateway_refusal (at);
CREATE INDEX gateway_refusal_key ON gateway_refusal (key_id, id);
CREATE INDEX gateway_refusal_request ON gateway_refusal (request_id);

-- Refusals by the day of UTC: `refusal_hour` in as many rows as there are days, written with it.
CREATE TABLE refusal_day (
  day timestamptz,
  key_id integer,
  code text,
  scope text,
  refusals bigint NOT NULL CHECK (refusals > 0),
  PRIMARY KEY (key_id, day, code, scope)
);
CREATE INDEX refusal_day_day ON refusal_day (day);

-- Requests of a key that were refused before a supplier was called, by the hour (UTC), by code and by the scope of the
-- limit: '' where there was none. Written in the background: a crash can lose the last second. Contains nothing that a
-- client writes, so that the number of rows has a bound. Kept for 400 days.
CREATE TABLE refusal_hour (
  hour timestamptz,
  key_id integer,
  code text,
  scope text,
  refusals bigint NOT NULL CHECK (refusals > 0),
  last_at timestamptz NOT NULL,
  PRIMARY KEY (key_id, hour, code, scope)
);
CREATE INDEX refusal_hour_hour ON refusal_hour (hour);
-- When a key was refused last, also of keys that never were.
CREATE INDEX refusal_hour_last ON refusal_hour (key_id, last_at);
CREATE TRIGGER refusal_hour_deleted AFTER DELETE ON refusal_hour REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION refusal_days_shrink();
CREATE TRIGGER refusal_hour_inserted AFTER INSERT ON refusal_hour REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION refusal_days_grow();
CREATE TRIGGER refusal_hour_updated AFTER UPDATE ON refusal_hour REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION refusal_days_change();

-- Usage by the day (UTC), of completed days: the sums of `usage_hour`, made in the background
-- (app/domain/metering/sql/days.sql).
CREATE TABLE usage_day (
  organisation_id integer,
  day timestamptz,
  key_id integer,
  user_id integer,
  department_id integer,
  project_id integer,
  model text COLLATE "C",
  supplier text COLLATE "C",
  region text COLLATE "C",
  requests integer NOT NULL,
  errors integer NOT NULL,
  failovers integer NOT NULL,
  routed integer NOT NULL,
  input_tokens bigint NOT NULL,
  cached_input_tokens bigint NOT NULL,
  cache_write_tokens bigint NOT NULL,
  output_tokens bigint NOT NULL,
  reasoning_tokens bigint NOT NULL,
  cost bigint NOT NULL,
  charged bigint NOT NULL,
  saved bigint NOT NULL,
  latency_ms bigint NOT NULL,
  first_byte_ms bigint NOT NULL,
  first_bytes integer NOT NULL,
  PRIMARY KEY (organisation_id, day, key_id, model, supplier, region, user_id, department_id, project_id)
);
CREATE INDEX usage_day_day ON usage_day (day);
CREATE INDEX usage_day_key ON usage_day (key_id, day);
CREATE INDEX usage_day_project ON usage_day (project_id, day) WHERE project_id <> 0;
CREATE INDEX usage_day_user ON usage_day (user_id, day) WHERE user_id <> 0;

-- One row. A call that began before `closed_before` is noted in `usage_late` when it is posted; days before
-- `complete_before` are complete.
CREATE TABLE usage_days (
  is_only boolean DEFAULT true PRIMARY KEY CHECK (is_only),
  closed_before timestamptz NOT NULL DEFAULT '-infinity',
  complete_before timestamptz NOT NULL DEFAULT '-infinity',
  -- Counts how often a day was summed: a process that remembers sums of complete days compares it.
  version integer NOT NULL DEFAULT 0,
  CONSTRAINT usage_days_check CHECK (complete_before <= closed_before)
);
INSERT INTO usage_days DEFAULT VALUES;

-- Usage by the day (UTC) without keys and people: the sums of `usage_day` (app/domain/metering/sql/days.sql).
CREATE TABLE usage_model_day (
  organisation_id integer,
  day timestamptz,
  model text COLLATE "C",
  supplier text COLLATE "C",
  region text COLLATE "C",
  requests integer NOT NULL,
  errors integer NOT NULL,
  failovers integer NOT NULL,
  routed integer NOT NULL,
  input_tokens bigint NOT NULL,
  cached_input_tokens bigint NOT NULL,
  cache_write_tokens bigint NOT NULL,
  output_tokens bigint NOT NULL,
  reasoning_tokens bigint NOT NULL,
  cost bigint NOT NULL,
  charged bigint NOT NULL,
  saved bigint NOT NULL,
  latency_ms bigint NOT NULL,
  first_byte_ms bigint NOT NULL,
  first_bytes integer NOT NULL,
  PRIMARY KEY (organisation_id, day, model, supplier, region)
);
CREATE INDEX usage_model_day_day ON usage_model_day (day);

-- The autorouter's choices, of the same days: the charge of each choice, and the cost at the default model.
CREATE TABLE usage_routed_day (
  organisation_id integer NOT NULL,
  day timestamptz NOT NULL,
  key_id integer NOT NULL,
  user_id integer NOT NULL,
  department_id integer NOT NULL,
  project_id integer NOT NULL,
  model text COLLATE "C" NOT NULL,
  supplier text COLLATE "C" NOT NULL,
  region text COLLATE "C" NOT NULL,
  algorithm text COLLATE "C" NOT NULL,
  default_model text COLLATE "C" NOT NULL,
  requests integer NOT NULL,
  charged bigint NOT NULL,
  counterfactual bigint NOT NULL
);
CREATE INDEX usage_routed_day_day ON usage_routed_day (day);
CREATE INDEX usage_routed_day_organisation ON usage_routed_day (organisation_id, day);
CREATE INDEX usage_routed_day_user ON usage_routed_day (user_id, day) WHERE user_id <> 0;
