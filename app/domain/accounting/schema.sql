-- `npm run migrate -- picture` writes this file, and keeps its comments.
-- Amounts are whole nano-USD in bigint. Lists of words are domains, and few columns have checks of their own: the server reads every check
-- of a table again for each statement that writes to it, a domain only where a value is written. Rows of the hot tables have no foreign keys:
-- the rows that they refer to are never deleted, functions take the ids from locked rows, and the auditor looks for orphans.

CREATE DOMAIN account_kind AS text COLLATE "C" CHECK (VALUE IN ('wallet', 'receivable', 'processor_clearing', 'revenue', 'exempt_usage', 'promo_expense', 'absorbed', 'adjustment'));

CREATE DOMAIN budget_period AS text COLLATE "C" CHECK (VALUE IN ('daily', 'monthly', 'rolling'));

CREATE DOMAIN budget_scope AS text COLLATE "C" CHECK (VALUE IN ('key', 'user', 'department', 'project', 'organisation'));

CREATE DOMAIN call_outcome AS text COLLATE "C" CHECK (VALUE IN ('complete', 'client_abort', 'upstream_abort', 'error', 'recovered', 'not_executed'));

CREATE DOMAIN hold_state AS text COLLATE "C" CHECK (VALUE IN ('reserved', 'dispatched', 'review', 'settled', 'released'));

CREATE DOMAIN ledger_currency AS text COLLATE "C" CHECK (VALUE = 'USD');

CREATE DOMAIN payer_kind AS text COLLATE "C" CHECK (VALUE IN ('organisation', 'user', 'project'));

CREATE DOMAIN posting_key AS text COLLATE "C" CHECK (length(VALUE) >= 1 AND length(VALUE) <= 300);

CREATE DOMAIN token_count AS integer CHECK (VALUE >= 0);

CREATE DOMAIN token_source AS text COLLATE "C" CHECK (VALUE IN ('supplier', 'checkpoint', 'estimated'));

CREATE DOMAIN txn_kind AS text COLLATE "C" CHECK (VALUE IN ('topup', 'usage', 'refund', 'dispute', 'promo_grant', 'promo_expire', 'receivable_repay', 'adjustment', 'write_off', 'reversal', 'transfer'));

-- A call that asks to be held.
CREATE TYPE asked_call AS (
  id uuid,
  organisation_id integer,
  key_id integer,
  user_id integer,
  department_id integer,
  project_id integer,
  wallet_id bigint,
  exempt boolean,
  amount bigint,
  rpm integer,
  price_version bigint,
  spare boolean
);

CREATE TYPE budget_state AS (
  id bigint,
  limit_amt bigint,
  period text,
  period_start timestamptz,
  spent bigint,
  held bigint,
  want bigint,
  has boolean
);

-- The result of a finished call; `payer` and `forgiven` (exempt) as at its admission.
CREATE TYPE call_finding AS (
  code text,
  has_hold boolean,
  payer bigint,
  forgiven boolean,
  freed bigint,
  charge bigint,
  absorbed bigint
);

-- A budget that counts a call, by the position of the call in its batch.
CREATE TYPE call_leg AS (
  call integer,
  id uuid,
  letter text,
  budget_id bigint,
  period_start timestamptz,
  amount bigint
);

-- The result of a finished call in a lean turn.
CREATE TYPE done_call AS (
  id uuid,
  cost bigint,
  outcome text
);

-- The amount that a payer owes for calls that are posted together, and the ledger transaction of its entries.
CREATE TYPE due_charge AS (
  txn_id bigint,
  payer bigint,
  forgiven boolean,
  organisation_id integer,
  total bigint
);

CREATE TYPE ended_call AS (
  id uuid,
  wallet_id bigint,
  exempt boolean,
  freed bigint,
  charge bigint,
  absorbed bigint,
  outcome text,
  leg_budgets bigint[],
  leg_starts timestamptz[]
);

-- A finished call. `started` is in milliseconds since 1970.
CREATE TYPE finished_call AS (
  id uuid,
  organisation_id integer,
  key_id integer,
  user_id integer,
  department_id integer,
  project_id integer,
  wallet_id bigint,
  exempt boolean,
  held boolean,
  cost bigint,
  outcome text,
  price_version bigint,
  endpoint text,
  requested_model text,
  model text,
  supplier text,
  region text,
  stream boolean,
  session_id text,
  input_tokens integer,
  cached_input_tokens integer,
  cache_write_tokens integer,
  output_tokens integer,
  reasoning_tokens integer,
  token_source text,
  status smallint,
  error_code text,
  tries integer,
  started bigint,
  first_byte_ms integer,
  latency_ms integer,
  cache_write_long_tokens integer,
  audio_input_tokens integer,
  audio_output_tokens integer,
  milliseconds integer,
  characters integer,
  supplier_requests integer,
  tool_uses integer,
  counterfactual bigint,
  routing jsonb,
  refused_usage jsonb
);

CREATE TYPE turn_budget AS (
  id bigint,
  scope_kind text,
  scope_id integer,
  limit_amt bigint,
  period text,
  period_start timestamptz,
  active boolean
);

-- Locks of a turn: the keys with rate windows, and the budgets; null: none.
CREATE TYPE turn_locks AS (
  rated integer[],
  budgets bigint[]
);

CREATE TABLE budget (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  organisation_id integer NOT NULL,
  scope_kind budget_scope NOT NULL,
  scope_id integer NOT NULL,
  -- NULL: counted, not limited.
  limit_amt bigint CHECK (limit_amt >= 0),
  period budget_period NOT NULL,
  -- One period of a scope is in force; the rows of others keep their counters for calls still under way.
  active boolean NOT NULL DEFAULT true,
  created_at timestamptz NOT NULL DEFAULT app_now(),
  updated_at timestamptz NOT NULL DEFAULT app_now(),
  UNIQUE (scope_kind, scope_id, period)
) WITH (fillfactor=60);
CREATE UNIQUE INDEX budget_in_force ON budget (scope_kind, scope_id) WHERE active;
CREATE TRIGGER budget_no_delete BEFORE DELETE ON budget FOR EACH ROW EXECUTE FUNCTION forbid_change();

-- One row per budget and period: a day, a month, or for rolling budgets an hour. A new period is a new row.
CREATE TABLE budget_counter (
  budget_id bigint,
  period_start timestamptz,
  organisation_id integer NOT NULL,
  -- Spending of the scope in this period before the budget began to count; part of `spent`.
  opening bigint NOT NULL DEFAULT 0,
  spent bigint NOT NULL DEFAULT 0,
  held bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (budget_id, period_start),
  CONSTRAINT nothing_below_zero CHECK (LEAST(held, opening, spent - opening) >= 0)
) WITH (fillfactor=40);
CREATE TRIGGER budget_counter_no_delete BEFORE DELETE ON budget_counter FOR EACH ROW EXECUTE FUNCTION forbid_change();

-- Which counters carry a call, in the period of its admission.
CREATE TABLE budget_leg (
  call_id uuid,
  budget_id bigint,
  period_start timestamptz NOT NULL,
  PRIMARY KEY (call_id, budget_id)
);
CREATE TRIGGER budget_leg_append_only BEFORE DELETE OR UPDATE ON budget_leg FOR EACH ROW EXECUTE FUNCTION forbid_change();

-- The durable record of a call, committed before a supplier is called; its id is that of the call.
-- reserved -> dispatched | released; dispatched -> settled | released | review; review -> settled | released
CREATE TABLE hold (
  id uuid PRIMARY KEY,
  organisation_id integer NOT NULL,
  key_id integer NOT NULL,
  user_id integer,
  department_id integer,
  project_id integer,
  wallet_id bigint NOT NULL,
  -- The payer was exempt at admission: nothing of the hold is in the wallet's `held`.
  exempt boolean NOT NULL,
  state hold_state NOT NULL,
  amount bigint NOT NULL,
  captured bigint NOT NULL DEFAULT 0,
  -- Cost beyond the hold: the house bears it.
  absorbed bigint NOT NULL DEFAULT 0,
  price_version bigint NOT NULL,
  lease_owner text NOT NULL,
  lease_until timestamptz NOT NULL,
  created_at timestamptz NOT NULL,
  dispatched_at timestamptz,
  resolved_at timestamptz,
  -- How far the call had come at the last heartbeat, and the price of the lane that served it.
  ckpt_in token_count,
  ckpt_out token_count,
  ckpt_price bigint,
  ckpt_at timestamptz,
  reason text,
  -- The counters that carry the call: budgets and the starts of their periods, one for one. Null: in `budget_leg`.
  leg_budgets bigint[],
  leg_starts timestamptz[],
  -- The batch of a call in review whose result is unknown: its claim and line are deleted before a person decides.
  batch_id text,
  -- `captured` is not negative, so `amount` is not either.
  CONSTRAINT captured_within_hold CHECK (LEAST(captured, absorbed, amount - captured) >= 0)
) WITH (fillfactor=80);
CREATE INDEX hold_in_review ON hold (created_at) WHERE state::text = 'review';
CREATE INDEX hold_open_lease ON hold (lease_until) WHERE state::text IN ('reserved', 'dispatched');
CREATE TRIGGER hold_no_delete BEFORE DELETE ON hold FOR EACH ROW EXECUTE FUNCTION forbid_change();
CREATE TRIGGER hold_no_truncate BEFORE TRUNCATE ON hold FOR EACH STATEMENT EXECUTE FUNCTION forbid_change();
CREATE TRIGGER hold_transition BEFORE UPDATE ON hold FOR EACH ROW EXECUTE FUNCTION hold_transition();

CREATE TABLE ledger_account (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind account_kind NOT NULL,
  -- The payer; null for the accounts of the house.
  payer_kind payer_kind,
  payer_id integer,
  organisation_id integer,
  currency ledger_currency NOT NULL DEFAULT 'USD',
  -- House accounts that every call posts to are striped, so that no single row serialises the installation.
  shard smallint NOT NULL DEFAULT 0,
  -- An exempt payer is not charged: its usage goes to `exempt_usage`, and its wallet may fall below zero.
  exempt boolean NOT NULL DEFAULT false,
  posted bigint NOT NULL DEFAULT 0,
  held bigint NOT NULL DEFAULT 0,
  credit_limit bigint NOT NULL DEFAULT 0,
  -- How far below zero a wallet may be, which is never less than its limit; NULL for all other accounts.
  credit_floor bigint,
  last_seq bigint NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT app_now(),
  heir_id bigint REFERENCES ledger_account(id),
  -- How far below its own floor a wallet is held while calls are under way whose money was taken back; part of
  -- `credit_floor`.
  owed bigint NOT NULL DEFAULT 0 CHECK (owed >= 0),
  CONSTRAINT held_within_floor CHECK (held >= 0 AND credit_floor >= credit_limit),
  CONSTRAINT ledger_account_check CHECK (heir_id <> id),
  CONSTRAINT wallet_never_overdrawn CHECK (exempt OR (posted - held) >= (- credit_floor))
) WITH (fillfactor=40);
CREATE INDEX ledger_account_heir ON ledger_account (heir_id) WHERE heir_id IS NOT NULL;
CREATE UNIQUE INDEX ledger_account_house ON ledger_account (kind, currency, shard) WHERE payer_id IS NULL;
-- The credit that an organisation has granted is the sum over its wallets.
CREATE INDEX ledger_account_organisation ON ledger_account (organisation_id) WHERE kind::text = 'wallet';
CREATE INDEX ledger_account_owed ON ledger_account (id) WHERE owed > 0;
CREATE UNIQUE INDEX ledger_account_payer ON ledger_account (payer_kind, payer_id, kind, currency) WHERE payer_id IS NOT NULL;
CREATE INDEX ledger_account_receivable ON ledger_account (id) WHERE kind::text = 'receivable';
CREATE TRIGGER ledger_account_fixed BEFORE INSERT OR UPDATE OF kind, currency, shard, payer_kind, payer_id, organisation_id, exempt, credit_limit, credit_floor ON ledger_account FOR EACH ROW EXECUTE FUNCTION ledger_account_fixed();
CREATE TRIGGER ledger_account_guard BEFORE UPDATE OF posted, last_seq ON ledger_account FOR EACH ROW EXECUTE FUNCTION ledger_account_guard();
CREATE TRIGGER ledger_account_no_delete BEFORE DELETE ON ledger_account FOR EACH ROW EXECUTE FUNCTION forbid_change();
CREATE TRIGGER ledger_account_no_truncate BEFORE TRUNCATE ON ledger_account FOR EACH STATEMENT EXECUTE FUNCTION forbid_change();
INSERT INTO ledger_account (kind, shard) VALUES
  ('revenue', 0), ('revenue', 1), ('revenue', 2), ('revenue', 3), ('revenue', 4), ('revenue', 5),
  ('revenue', 6), ('revenue', 7), ('revenue', 8), ('revenue', 9), ('revenue', 10), ('revenue', 11),
  ('revenue', 12), ('revenue', 13), ('revenue', 14), ('revenue', 15), ('exempt_usage', 0), ('exempt_usage', 1),
  ('exempt_usage', 2), ('exempt_usage', 3), ('exempt_usage', 4), ('exempt_usage', 5), ('exempt_usage', 6),
  ('exempt_usage', 7), ('exempt_usage', 8), ('exempt_usage', 9), ('exempt_usage', 10), ('exempt_usage', 11),
  ('exempt_usage', 12), ('exempt_usage', 13), ('exempt_usage', 14), ('exempt_usage', 15), ('processor_clearing', 0),
  ('promo_expense', 0), ('absorbed', 0), ('adjustment', 0);

CREATE TABLE ledger_entry (
  txn_id bigint REFERENCES ledger_txn(id),
  account_id bigint REFERENCES ledger_account(id),
  organisation_id integer,
  amount bigint NOT NULL CHECK (amount <> 0),
  -- Both are filled in by the trigger: a gapless count per account, and its balance after this entry.
  account_seq bigint NOT NULL,
  balance_after bigint NOT NULL,
  PRIMARY KEY (txn_id, account_id),
  UNIQUE (account_id, account_seq)
);
CREATE TRIGGER ledger_entry_append_only BEFORE DELETE OR UPDATE ON ledger_entry FOR EACH ROW EXECUTE FUNCTION forbid_change();
CREATE CONSTRAINT TRIGGER ledger_entry_balanced AFTER INSERT ON ledger_entry DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION ledger_txn_balanced();
CREATE TRIGGER ledger_entry_no_truncate BEFORE TRUNCATE ON ledger_entry FOR EACH STATEMENT EXECUTE FUNCTION forbid_change();
CREATE TRIGGER ledger_entry_post BEFORE INSERT ON ledger_entry FOR EACH ROW EXECUTE FUNCTION ledger_entry_post();

CREATE TABLE ledger_txn (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind txn_kind NOT NULL,
  -- Makes a posting happen once, such as usage:<first call of the batch>, topup:<id>, refund:<charge>:<cumulative>.
  idem_key posting_key NOT NULL UNIQUE,
  reverses_txn bigint REFERENCES ledger_txn(id),
  organisation_id integer,
  actor text NOT NULL,
  memo text,
  created_at timestamptz NOT NULL DEFAULT app_now()
);
-- Entries that are no usage are few and looked for by kind; usage, which every call posts, stays out of this index.
CREATE INDEX ledger_txn_kind ON ledger_txn (kind, id) WHERE kind::text <> 'usage';
CREATE UNIQUE INDEX ledger_txn_reversal ON ledger_txn (reverses_txn) WHERE reverses_txn IS NOT NULL;
CREATE TRIGGER ledger_txn_append_only BEFORE DELETE OR UPDATE ON ledger_txn FOR EACH ROW EXECUTE FUNCTION forbid_change();
CREATE CONSTRAINT TRIGGER ledger_txn_balanced AFTER INSERT ON ledger_txn DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION ledger_txn_balanced();
CREATE TRIGGER ledger_txn_no_truncate BEFORE TRUNCATE ON ledger_txn FOR EACH STATEMENT EXECUTE FUNCTION forbid_change();

CREATE TABLE rate_stamp (
  key_id integer REFERENCES rate_window(key_id),
  at timestamptz,
  n integer NOT NULL CHECK (n > 0),
  PRIMARY KEY (key_id, at)
);

-- Requests of the last 60 seconds per key: `used` is the sum of the stamps.
CREATE TABLE rate_window (
  key_id integer PRIMARY KEY,
  used integer NOT NULL DEFAULT 0 CHECK (used >= 0)
) WITH (fillfactor=40);

-- Settled calls whose ledger transaction, usage rows and sums by the hour are still to be written: one row for each turn
-- of accounting that left them for later. Their holds have ended, their budgets count them, and their charge stays in
-- `held` of the wallet until the row goes, in the transaction that writes them. `calls` and `attempts` are the texts of
-- an array of finished_call and of JSON, as they came: they are read once, when they are posted.
CREATE TABLE unposted_turn (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  settled_at timestamptz NOT NULL,
  ids uuid[] NOT NULL,
  calls text NOT NULL,
  attempts text NOT NULL
) WITH (autovacuum_vacuum_threshold=500, autovacuum_vacuum_scale_factor=0, toast.autovacuum_vacuum_threshold=500, toast.autovacuum_vacuum_scale_factor=0);
ALTER TABLE unposted_turn ALTER COLUMN calls SET STORAGE EXTERNAL;
ALTER TABLE unposted_turn ALTER COLUMN attempts SET STORAGE EXTERNAL;

-- One row per finished call: the request log, and the calls of each ledger transaction of kind usage.
CREATE TABLE usage_event (
  request_id uuid PRIMARY KEY,
  id bigint GENERATED ALWAYS AS IDENTITY,
  organisation_id integer NOT NULL,
  key_id integer NOT NULL,
  user_id integer,
  department_id integer,
  project_id integer,
  wallet_id bigint NOT NULL,
  exempt boolean NOT NULL,
  held boolean NOT NULL,
  endpoint text NOT NULL,
  requested_model text NOT NULL,
  model text NOT NULL,
  supplier text NOT NULL,
  region text NOT NULL,
  stream boolean NOT NULL,
  session_id text,
  input_tokens integer NOT NULL,
  cached_input_tokens integer NOT NULL,
  -- Part of the input; `cache_write_long_tokens` of them for an hour instead of minutes.
  cache_write_tokens integer NOT NULL,
  output_tokens integer NOT NULL,
  reasoning_tokens integer NOT NULL,
  token_source token_source NOT NULL,
  outcome call_outcome NOT NULL,
  -- Cost of the call; `charged` of it is the customer's, the rest was absorbed.
  cost bigint NOT NULL,
  charged bigint NOT NULL,
  price_version bigint NOT NULL,
  txn_id bigint,
  -- The HTTP status that the client received; 0: unknown.
  status smallint NOT NULL,
  error_code text,
  attempts jsonb NOT NULL,
  started_at timestamptz NOT NULL,
  first_byte_ms integer,
  latency_ms integer NOT NULL,
  settled_at timestamptz NOT NULL,
  -- Other units; null: none.
  cache_write_long_tokens token_count,
  audio_input_tokens token_count,
  audio_output_tokens token_count,
  milliseconds token_count,
  characters token_count,
  supplier_requests token_count,
  tool_uses token_count,
  -- For `auto`: the cost of the same usage at the model that would serve it without the autorouter.
  counterfactual bigint,
  -- Why the call went where it went: candidates, scores, exclusions. NULL where there was one candidate and no choice.
  routing jsonb,
  -- Usage that the supplier reported and gw did not accept; the figures above are gw's own then.
  refused_usage jsonb,
  CONSTRAINT charged_iff_posted CHECK ((charged > 0) = (txn_id IS NOT NULL)),
  CONSTRAINT nothing_negative CHECK (LEAST(input_tokens::bigint, cached_input_tokens::bigint, cache_write_tokens::bigint, output_tokens::bigint, reasoning_tokens::bigint, charged, cost - charged) >= 0)
);
-- Expensive and slow calls are few; they are sorted when they are read.
CREATE INDEX usage_event_charged ON usage_event (organisation_id, charged);
CREATE INDEX usage_event_code ON usage_event (organisation_id, error_code, id) WHERE error_code IS NOT NULL;
-- Only calls with a note of a guardrail.
CREATE INDEX usage_event_guarded ON usage_event (organisation_id, id) WHERE (routing -> 'guardrails') IS NOT NULL;
CREATE INDEX usage_event_key ON usage_event (key_id, id);
CREATE INDEX usage_event_key_lane ON usage_event (key_id, usage_lane(model, supplier, region), id);
CREATE INDEX usage_event_lane ON usage_event (organisation_id, usage_lane(model, supplier, region), id);
CREATE INDEX usage_event_latency ON usage_event (organisation_id, latency_ms);
-- Charges of the calls of a batch. It contains only these calls, so others cost nothing.
CREATE INDEX usage_event_of_batch ON usage_event ((routing ->> 'batchId')) WHERE (routing ->> 'batchId') IS NOT NULL;
CREATE INDEX usage_event_organisation ON usage_event (organisation_id, id);
-- Few calls are the autorouter's, and its page reads nothing else.
CREATE INDEX usage_event_routed ON usage_event (organisation_id, id) WHERE counterfactual IS NOT NULL;
CREATE INDEX usage_event_routed_key ON usage_event (key_id, id) WHERE counterfactual IS NOT NULL;
CREATE INDEX usage_event_session ON usage_event (organisation_id, session_id, id) WHERE session_id IS NOT NULL;
-- Rows come nearly in the order of their start, so a summary of each stretch of the table finds a time.
CREATE INDEX usage_event_started ON usage_event USING brin (started_at, id) WITH (pages_per_range='32', autosummarize='on');
-- Filters of the request log that match few calls: each index contains only these, so others cost nothing.
CREATE INDEX usage_event_unfinished ON usage_event (organisation_id, id) WHERE outcome::text <> 'complete';
CREATE INDEX usage_event_unfinished_key ON usage_event (key_id, id) WHERE outcome::text <> 'complete';
CREATE TRIGGER usage_event_fixed BEFORE UPDATE OF request_id, organisation_id, key_id, wallet_id, exempt, held, outcome, cost, charged, price_version, txn_id, settled_at ON usage_event FOR EACH ROW EXECUTE FUNCTION usage_event_fixed();
CREATE TRIGGER usage_event_no_delete BEFORE DELETE ON usage_event FOR EACH ROW EXECUTE FUNCTION forbid_change();
CREATE TRIGGER usage_event_no_truncate BEFORE TRUNCATE ON usage_event FOR EACH STATEMENT EXECUTE FUNCTION forbid_change();

-- Sums of usage rows by the hour (UTC) in which calls started, written with them. 0 and '' stand for "none", so that the
-- key is one row. Dashboards read it; they read usage rows only for the partial hours at both ends.
CREATE TABLE usage_hour (
  organisation_id integer,
  hour timestamptz,
  key_id integer,
  user_id integer,
  department_id integer,
  project_id integer,
  model text COLLATE "C",
  supplier text COLLATE "C",
  region text COLLATE "C",
  requests integer NOT NULL,
  -- Of these: not answered well; answered by another than the first supplier; chosen by the autorouter.
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
  -- Savings of the customers of calls that the autorouter routed.
  saved bigint NOT NULL,
  latency_ms bigint NOT NULL,
  -- Over those that had a first byte.
  first_byte_ms bigint NOT NULL,
  first_bytes integer NOT NULL,
  PRIMARY KEY (organisation_id, hour, key_id, model, supplier, region, user_id, department_id, project_id)
) WITH (fillfactor=50);
-- Which keys a department or a project has used.
CREATE INDEX usage_hour_department_key ON usage_hour (department_id, key_id) WHERE department_id <> 0;
CREATE INDEX usage_hour_hour ON usage_hour (hour);
CREATE INDEX usage_hour_key ON usage_hour (key_id, hour);
CREATE INDEX usage_hour_project ON usage_hour (project_id, hour) WHERE project_id <> 0;
CREATE INDEX usage_hour_project_key ON usage_hour (project_id, key_id) WHERE project_id <> 0;
CREATE INDEX usage_hour_user ON usage_hour (user_id, hour) WHERE user_id <> 0;

-- Days of organisations in which a call was posted after they were closed. Until they are summed again, their hours are
-- read.
CREATE TABLE usage_late (
  organisation_id integer NOT NULL,
  day timestamptz NOT NULL
);
