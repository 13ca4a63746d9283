-- Usage by the day of UTC, of days that are over: what `usage_hour` says, added up in the background (app/domain/metering/sql/days.sql).
CREATE TABLE usage_day (LIKE usage_hour);
ALTER TABLE usage_day RENAME COLUMN hour TO day;
ALTER TABLE usage_day ADD PRIMARY KEY (organisation_id, day, key_id, model, supplier, region, user_id, department_id, project_id);
CREATE INDEX usage_day_day ON usage_day (day);
CREATE INDEX usage_day_key ON usage_day (key_id, day);
CREATE INDEX usage_day_user ON usage_day (user_id, day) WHERE user_id <> 0;
CREATE INDEX usage_day_project ON usage_day (project_id, day) WHERE project_id <> 0;

-- What the autorouter chose, of the same days: what each choice was charged, and what the default model would have cost.
CREATE TABLE usage_routed_day (
  organisation_id integer NOT NULL,
  day             timestamptz NOT NULL,
  key_id          integer NOT NULL,
  user_id         integer NOT NULL,
  department_id   integer NOT NULL,
  project_id      integer NOT NULL,
  model           text COLLATE "C" NOT NULL,
  supplier        text COLLATE "C" NOT NULL,
  region          text COLLATE "C" NOT NULL,
  algorithm       text COLLATE "C" NOT NULL,
  default_model   text COLLATE "C" NOT NULL,
  requests        integer NOT NULL,
  charged         bigint NOT NULL,
  counterfactual  bigint NOT NULL
);
CREATE INDEX usage_routed_day_organisation ON usage_routed_day (organisation_id, day);
CREATE INDEX usage_routed_day_day ON usage_routed_day (day);
CREATE INDEX usage_routed_day_user ON usage_routed_day (user_id, day) WHERE user_id <> 0;

-- Days of organisations in which a call was posted after they had been closed. Readers take their hours until they are added up again.
CREATE TABLE usage_late (
  organisation_id integer NOT NULL,
  day             timestamptz NOT NULL
);

-- One row. Whoever posts a call that began before `closed_before` says so in `usage_late`; days before `complete_before` are added up.
CREATE TABLE usage_days (
  is_only         boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  closed_before   timestamptz NOT NULL DEFAULT '-infinity',
  complete_before timestamptz NOT NULL DEFAULT '-infinity' CHECK (complete_before <= closed_before)
);
INSERT INTO usage_days DEFAULT VALUES;

-- The list of what the autorouter chose goes by number; its sums of a span are those of days now.
DROP INDEX usage_event_routed;
CREATE INDEX usage_event_routed ON usage_event (organisation_id, id) WHERE counterfactual IS NOT NULL;
CREATE INDEX usage_event_routed_key ON usage_event (key_id, id) WHERE counterfactual IS NOT NULL;
