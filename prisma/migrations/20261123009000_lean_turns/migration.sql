-- Which counters carry a call, on its hold: budgets and the starts of their periods, one for one. NULL: in `budget_leg`.
ALTER TABLE hold ADD COLUMN leg_budgets bigint[], ADD COLUMN leg_starts timestamptz[];

-- A finished call as a lean turn sees it, what becomes of it, and a budget as it stands.
CREATE TYPE done_call AS (id uuid, cost bigint, outcome text);
CREATE TYPE ended_call AS (
  id uuid, wallet_id bigint, exempt boolean, freed bigint, charge bigint, absorbed bigint, outcome text, leg_budgets bigint[], leg_starts timestamptz[]);
CREATE TYPE turn_budget AS (
  id bigint, scope_kind text, scope_id integer, limit_amt bigint, period text, period_start timestamptz, active boolean);

-- Settled calls whose ledger transaction, usage rows and sums by the hour are still to be written: one row for each turn of
-- accounting that left them for later. Their holds have ended, their budgets count them, and their charge stays in `held` of
-- the wallet until the row goes, in the transaction that writes them. `calls` and `attempts` are the texts of an array of
-- finished_call and of JSON, as they came: they are read once, when they are posted.
CREATE TABLE unposted_turn (
  id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  settled_at timestamptz NOT NULL,
  ids        uuid[] NOT NULL,
  calls      text NOT NULL,
  attempts   text NOT NULL
) WITH (autovacuum_vacuum_threshold = 500, autovacuum_vacuum_scale_factor = 0, toast.autovacuum_vacuum_threshold = 500, toast.autovacuum_vacuum_scale_factor = 0);
-- Rows live for a tenth of a second: packing them costs more than it saves.
ALTER TABLE unposted_turn ALTER calls SET STORAGE EXTERNAL, ALTER attempts SET STORAGE EXTERNAL;
