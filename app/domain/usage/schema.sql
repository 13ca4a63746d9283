-- `npm run migrate -- picture` writes this file, and keeps its comments.

-- Usage by the day (UTC), of completed days: the sums of `usage_hour`, made in the background
-- (app/domain/usage/sql/days.sql).
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

-- Usage by the day (UTC) without keys and people: the sums of `usage_day` (app/domain/usage/sql/days.sql).
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
