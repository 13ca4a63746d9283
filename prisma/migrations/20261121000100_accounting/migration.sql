-- The accounting room: a double-entry ledger, budgets, holds, usage rows and rate windows.
-- Amounts are whole nano-USD (1e-9 US dollar) in BIGINT. Lock order everywhere: rate windows by key, budgets by id,
-- wallets by id, holds by id, house accounts by id.

-- The room's clock: the database's, plus an offset that tests set for their own sessions.
CREATE FUNCTION app_now() RETURNS timestamptz LANGUAGE sql VOLATILE AS $$
  SELECT clock_timestamp() + coalesce(nullif(current_setting('gw.clock_offset', true), ''), '0')::interval
$$;

CREATE FUNCTION forbid_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only: % refused', TG_TABLE_NAME, TG_OP USING ERRCODE = '23514';
END $$;

-- Rows of the hot tables name others by plain ids: those others are never deleted, the functions below take the ids from rows
-- that they have locked, and the auditor looks for orphans.
-- Lists of allowed words are domains, and what a row's columns must have in common is said in few checks: the server
-- reads every check of a table again for every statement that writes to it, domains only where a value is written.

CREATE DOMAIN token_count AS integer CHECK (VALUE >= 0);

-- Ledger ------------------------------------------------------------------------------------------------------------

CREATE DOMAIN account_kind AS text COLLATE "C" CHECK (VALUE IN ('wallet', 'receivable', 'processor_clearing', 'revenue',
  'exempt_usage', 'promo_expense', 'absorbed', 'adjustment'));
CREATE DOMAIN payer_kind AS text COLLATE "C" CHECK (VALUE IN ('organisation', 'user', 'project'));
CREATE DOMAIN ledger_currency AS text COLLATE "C" CHECK (VALUE = 'USD');
CREATE DOMAIN txn_kind AS text COLLATE "C" CHECK (VALUE IN ('topup', 'usage', 'refund', 'dispute', 'promo_grant', 'promo_expire',
  'receivable_repay', 'adjustment', 'write_off', 'reversal'));

CREATE DOMAIN posting_key AS text COLLATE "C" CHECK (length(VALUE) BETWEEN 1 AND 300);

CREATE TABLE ledger_account (
  id              bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind            account_kind NOT NULL,
  -- Who pays: NULL for the accounts of the house.
  payer_kind      payer_kind,
  payer_id        integer,
  organisation_id integer,
  currency        ledger_currency NOT NULL DEFAULT 'USD',
  -- House accounts that every call posts to are striped, so that no single row serialises the installation.
  shard           smallint NOT NULL DEFAULT 0,
  -- An exempt payer is not charged: its usage goes to `exempt_usage`, and its wallet may fall below zero.
  exempt          boolean NOT NULL DEFAULT false,
  posted          bigint NOT NULL DEFAULT 0,
  held            bigint NOT NULL DEFAULT 0,
  credit_limit    bigint NOT NULL DEFAULT 0,
  -- How far below zero a wallet may be, which is never less than its limit; NULL for all other accounts.
  credit_floor    bigint,
  last_seq        bigint NOT NULL DEFAULT 0,
  created_at      timestamptz NOT NULL DEFAULT app_now(),
  CONSTRAINT wallet_never_overdrawn CHECK (exempt OR posted - held >= -credit_floor),
  CONSTRAINT held_within_floor CHECK (held >= 0 AND credit_floor >= credit_limit)
) WITH (fillfactor = 40);
CREATE UNIQUE INDEX ledger_account_payer ON ledger_account (payer_kind, payer_id, kind, currency) WHERE payer_id IS NOT NULL;
CREATE UNIQUE INDEX ledger_account_house ON ledger_account (kind, currency, shard) WHERE payer_id IS NULL;

CREATE TABLE ledger_txn (
  id              bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind            txn_kind NOT NULL,
  -- What makes a posting happen once, such as usage:<first call of the batch>, topup:<id>, refund:<charge>:<cumulative>.
  idem_key        posting_key NOT NULL UNIQUE,
  reverses_txn    bigint REFERENCES ledger_txn (id),
  organisation_id integer,
  actor           text NOT NULL,
  memo            text,
  created_at      timestamptz NOT NULL DEFAULT app_now()
);

CREATE UNIQUE INDEX ledger_txn_reversal ON ledger_txn (reverses_txn) WHERE reverses_txn IS NOT NULL;

CREATE TABLE ledger_entry (
  txn_id          bigint NOT NULL REFERENCES ledger_txn (id),
  account_id      bigint NOT NULL REFERENCES ledger_account (id),
  organisation_id integer,
  amount          bigint NOT NULL CHECK (amount <> 0),
  -- Both are filled in by the trigger: a gapless count per account, and its balance after this entry.
  account_seq     bigint NOT NULL,
  balance_after   bigint NOT NULL,
  PRIMARY KEY (txn_id, account_id),
  UNIQUE (account_id, account_seq)
);

CREATE TRIGGER ledger_txn_append_only BEFORE UPDATE OR DELETE ON ledger_txn FOR EACH ROW EXECUTE FUNCTION forbid_change();
CREATE TRIGGER ledger_txn_no_truncate BEFORE TRUNCATE ON ledger_txn FOR EACH STATEMENT EXECUTE FUNCTION forbid_change();
CREATE TRIGGER ledger_entry_append_only BEFORE UPDATE OR DELETE ON ledger_entry FOR EACH ROW EXECUTE FUNCTION forbid_change();
CREATE TRIGGER ledger_entry_no_truncate BEFORE TRUNCATE ON ledger_entry FOR EACH STATEMENT EXECUTE FUNCTION forbid_change();
CREATE TRIGGER ledger_account_no_delete BEFORE DELETE ON ledger_account FOR EACH ROW EXECUTE FUNCTION forbid_change();
CREATE TRIGGER ledger_account_no_truncate BEFORE TRUNCATE ON ledger_account FOR EACH STATEMENT EXECUTE FUNCTION forbid_change();

-- The only writer of `posted` and `last_seq`.
CREATE FUNCTION ledger_entry_post() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE ledger_account SET posted = posted + NEW.amount, last_seq = last_seq + 1
   WHERE id = NEW.account_id
   RETURNING last_seq, posted INTO NEW.account_seq, NEW.balance_after;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'no ledger account %', NEW.account_id USING ERRCODE = '23503';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER ledger_entry_post BEFORE INSERT ON ledger_entry FOR EACH ROW EXECUTE FUNCTION ledger_entry_post();

-- A balance that changes outside an entry's trigger is refused.
CREATE FUNCTION ledger_account_guard() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (NEW.posted <> OLD.posted OR NEW.last_seq <> OLD.last_seq) AND pg_trigger_depth() < 2 THEN
    RAISE EXCEPTION 'balance of account % changes only through ledger_entry', OLD.id USING ERRCODE = '23514';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER ledger_account_guard BEFORE UPDATE OF posted, last_seq ON ledger_account
  FOR EACH ROW EXECUTE FUNCTION ledger_account_guard();
-- What an account is: a customer's has a payer and an organisation, one of the house has neither.
CREATE FUNCTION ledger_account_fixed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND (NEW.kind <> OLD.kind OR NEW.currency <> OLD.currency OR NEW.shard <> OLD.shard) THEN
    RAISE EXCEPTION 'account % keeps its kind, currency and shard', OLD.id USING ERRCODE = '23514';
  END IF;
  IF TG_OP = 'INSERT' AND (NEW.posted <> 0 OR NEW.last_seq <> 0 OR NEW.held <> 0) THEN
    RAISE EXCEPTION 'an account opens empty' USING ERRCODE = '23514';
  END IF;
  IF TG_OP = 'INSERT' AND NEW.kind = 'wallet' THEN
    NEW.credit_floor := coalesce(NEW.credit_floor, NEW.credit_limit);
  END IF;
  IF NEW.shard NOT BETWEEN 0 AND 15 OR NEW.credit_limit < 0 OR (NEW.kind = 'wallet') <> (NEW.credit_floor IS NOT NULL)
     OR (NEW.kind <> 'wallet' AND NEW.exempt) OR (NEW.kind IN ('wallet', 'receivable')) <> (NEW.payer_id IS NOT NULL)
     OR (NEW.payer_id IS NULL) <> (NEW.payer_kind IS NULL) OR (NEW.payer_id IS NULL) <> (NEW.organisation_id IS NULL) THEN
    RAISE EXCEPTION 'an account of kind % has no such payer, credit or shard', NEW.kind USING ERRCODE = '23514';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER ledger_account_fixed
  BEFORE INSERT OR UPDATE OF kind, currency, shard, payer_kind, payer_id, organisation_id, exempt, credit_limit, credit_floor
  ON ledger_account FOR EACH ROW EXECUTE FUNCTION ledger_account_fixed();

-- Every transaction has at least two legs that sum to zero, looked at when it commits; the second trigger closes the
-- hole of a leg appended to an old transaction.
CREATE FUNCTION ledger_txn_balanced() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  v_txn bigint;
  v_sum numeric;
  v_legs integer;
BEGIN
  IF TG_TABLE_NAME = 'ledger_txn' THEN v_txn := NEW.id; ELSE v_txn := NEW.txn_id; END IF;
  SELECT coalesce(sum(amount), 0), count(*) INTO v_sum, v_legs FROM ledger_entry WHERE txn_id = v_txn;
  IF v_sum <> 0 OR v_legs < 2 THEN
    RAISE EXCEPTION 'transaction % is unbalanced: % legs sum to %', v_txn, v_legs, v_sum USING ERRCODE = '23514';
  END IF;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER ledger_txn_balanced AFTER INSERT ON ledger_txn
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION ledger_txn_balanced();
CREATE CONSTRAINT TRIGGER ledger_entry_balanced AFTER INSERT ON ledger_entry
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION ledger_txn_balanced();

INSERT INTO ledger_account (kind, shard)
  SELECT k, s FROM unnest(ARRAY['revenue', 'exempt_usage']) k, generate_series(0, 15) s
  UNION ALL SELECT unnest(ARRAY['processor_clearing', 'promo_expense', 'absorbed', 'adjustment']), 0;

-- Budgets -----------------------------------------------------------------------------------------------------------

CREATE DOMAIN budget_scope AS text COLLATE "C" CHECK (VALUE IN ('key', 'user', 'department', 'project', 'organisation'));
CREATE DOMAIN budget_period AS text COLLATE "C" CHECK (VALUE IN ('daily', 'monthly', 'rolling'));

CREATE TABLE budget (
  id              bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  organisation_id integer NOT NULL,
  scope_kind      budget_scope NOT NULL,
  scope_id        integer NOT NULL,
  -- NULL: counted, not limited.
  limit_amt       bigint CHECK (limit_amt >= 0),
  period          budget_period NOT NULL,
  -- One period of a scope is in force; the rows of others keep their counters for calls still under way.
  active          boolean NOT NULL DEFAULT true,
  created_at      timestamptz NOT NULL DEFAULT app_now(),
  updated_at      timestamptz NOT NULL DEFAULT app_now(),
  UNIQUE (scope_kind, scope_id, period)
) WITH (fillfactor = 60);
CREATE UNIQUE INDEX budget_in_force ON budget (scope_kind, scope_id) WHERE active;

-- One row per budget and period: a day, a month, or for rolling budgets an hour. A new period is a new row.
CREATE TABLE budget_counter (
  budget_id       bigint NOT NULL,
  period_start    timestamptz NOT NULL,
  organisation_id integer NOT NULL,
  -- What the scope had spent in this period before the budget began to count; part of `spent`.
  opening         bigint NOT NULL DEFAULT 0,
  spent           bigint NOT NULL DEFAULT 0,
  held            bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (budget_id, period_start),
  CONSTRAINT nothing_below_zero CHECK (least(held, opening, spent - opening) >= 0)
) WITH (fillfactor = 40);
CREATE TRIGGER budget_no_delete BEFORE DELETE ON budget FOR EACH ROW EXECUTE FUNCTION forbid_change();
CREATE TRIGGER budget_counter_no_delete BEFORE DELETE ON budget_counter FOR EACH ROW EXECUTE FUNCTION forbid_change();

-- Holds -------------------------------------------------------------------------------------------------------------

-- The durable record of a call, written before any supplier works on it; its id is the call's.
--   reserved -> dispatched | released;  dispatched -> settled | released | review;  review -> settled | released
CREATE DOMAIN hold_state AS text COLLATE "C" CHECK (VALUE IN ('reserved', 'dispatched', 'review', 'settled', 'released'));

CREATE TABLE hold (
  id              uuid PRIMARY KEY,
  organisation_id integer NOT NULL,
  key_id          integer NOT NULL,
  user_id         integer,
  department_id   integer,
  project_id      integer,
  wallet_id       bigint NOT NULL,
  -- The payer was exempt at admission: nothing of the hold is in the wallet's `held`.
  exempt          boolean NOT NULL,
  state           hold_state NOT NULL,
  amount          bigint NOT NULL,
  captured        bigint NOT NULL DEFAULT 0,
  -- Cost beyond the hold: the house bears it.
  absorbed        bigint NOT NULL DEFAULT 0,
  price_version   bigint NOT NULL,
  lease_owner     text NOT NULL,
  lease_until     timestamptz NOT NULL,
  created_at      timestamptz NOT NULL,
  dispatched_at   timestamptz,
  resolved_at     timestamptz,
  -- How far the call had come at the last heartbeat, and the price of the lane that served it.
  ckpt_in         token_count,
  ckpt_out        token_count,
  ckpt_price      bigint,
  ckpt_at         timestamptz,
  reason          text,
  -- `amount` is not negative, because what is captured of it is not.
  CONSTRAINT captured_within_hold CHECK (least(captured, absorbed, amount - captured) >= 0)
) WITH (fillfactor = 80);
CREATE INDEX hold_open_lease ON hold (lease_until) WHERE state IN ('reserved', 'dispatched');
CREATE INDEX hold_in_review ON hold (created_at) WHERE state = 'review';

CREATE FUNCTION hold_transition() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.resolved_at IS NOT NULL THEN
    RAISE EXCEPTION 'hold % is final', OLD.id USING ERRCODE = '23514';
  END IF;
  IF NEW.state <> OLD.state AND NOT (
       (OLD.state = 'reserved'   AND NEW.state IN ('dispatched', 'released'))
    OR (OLD.state = 'dispatched' AND NEW.state IN ('settled', 'released', 'review'))
    OR (OLD.state = 'review'     AND NEW.state IN ('settled', 'released'))) THEN
    RAISE EXCEPTION 'hold % cannot go from % to %', OLD.id, OLD.state, NEW.state USING ERRCODE = '23514';
  END IF;
  IF (NEW.state IN ('settled', 'released')) <> (NEW.resolved_at IS NOT NULL) OR (NEW.dispatched_at IS NULL AND NEW.state NOT IN ('reserved', 'released'))
     OR (NEW.state <> 'settled' AND (NEW.captured > 0 OR NEW.absorbed > 0)) THEN
    RAISE EXCEPTION 'hold %: a hold that is % has other times and amounts', OLD.id, NEW.state USING ERRCODE = '23514';
  END IF;
  IF NEW.id <> OLD.id OR NEW.amount <> OLD.amount OR NEW.wallet_id <> OLD.wallet_id OR NEW.exempt <> OLD.exempt
     OR NEW.price_version <> OLD.price_version OR NEW.key_id <> OLD.key_id OR NEW.created_at <> OLD.created_at THEN
    RAISE EXCEPTION 'hold %: amount, wallet, price and party are fixed', OLD.id USING ERRCODE = '23514';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER hold_transition BEFORE UPDATE ON hold FOR EACH ROW EXECUTE FUNCTION hold_transition();
CREATE TRIGGER hold_no_delete BEFORE DELETE ON hold FOR EACH ROW EXECUTE FUNCTION forbid_change();
CREATE TRIGGER hold_no_truncate BEFORE TRUNCATE ON hold FOR EACH STATEMENT EXECUTE FUNCTION forbid_change();

-- Which counters carry a call, in the period of its admission.
CREATE TABLE budget_leg (
  call_id         uuid NOT NULL,
  budget_id       bigint NOT NULL,
  period_start    timestamptz NOT NULL,
  PRIMARY KEY (call_id, budget_id)
);
CREATE TRIGGER budget_leg_append_only BEFORE UPDATE OR DELETE ON budget_leg FOR EACH ROW EXECUTE FUNCTION forbid_change();

-- Usage -------------------------------------------------------------------------------------------------------------

CREATE DOMAIN token_source AS text COLLATE "C" CHECK (VALUE IN ('supplier', 'checkpoint', 'estimated'));
CREATE DOMAIN call_outcome AS text COLLATE "C" CHECK (VALUE IN ('complete', 'client_abort', 'upstream_abort', 'error', 'recovered', 'not_executed'));

-- One row per finished call: the request log, the audit log, and what each ledger transaction of kind usage stands for.
CREATE TABLE usage_event (
  request_id          uuid PRIMARY KEY,
  id                  bigint GENERATED ALWAYS AS IDENTITY,
  organisation_id     integer NOT NULL,
  key_id              integer NOT NULL,
  user_id             integer,
  department_id       integer,
  project_id          integer,
  wallet_id           bigint NOT NULL,
  exempt              boolean NOT NULL,
  held                boolean NOT NULL,
  endpoint            text NOT NULL,
  requested_model     text NOT NULL,
  model               text NOT NULL,
  supplier            text NOT NULL,
  region              text NOT NULL,
  stream              boolean NOT NULL,
  session_id          text,
  input_tokens        integer NOT NULL,
  cached_input_tokens integer NOT NULL,
  -- Part of the input; `cache_write_long_tokens` of them for an hour instead of minutes.
  cache_write_tokens  integer NOT NULL,
  output_tokens       integer NOT NULL,
  reasoning_tokens    integer NOT NULL,
  token_source        token_source NOT NULL,
  outcome             call_outcome NOT NULL,
  -- What the call cost; `charged` of it is the customer's, the rest was absorbed.
  cost                bigint NOT NULL,
  charged             bigint NOT NULL,
  price_version       bigint NOT NULL,
  txn_id              bigint,
  -- The HTTP status the client got; 0 when nobody knows.
  status              smallint NOT NULL,
  error_code          text,
  attempts            jsonb NOT NULL,
  started_at          timestamptz NOT NULL,
  first_byte_ms       integer,
  latency_ms          integer NOT NULL,
  settled_at          timestamptz NOT NULL,
  -- What else was used; NULL: nothing of it.
  cache_write_long_tokens token_count,
  audio_input_tokens      token_count,
  audio_output_tokens     token_count,
  milliseconds            token_count,
  characters              token_count,
  supplier_requests       token_count,
  tool_uses               token_count,
  -- For `auto`: what the call's usage would have cost at the model that would serve it without the autorouter.
  counterfactual          bigint,
  -- Why the call went where it went: candidates, scores, exclusions. NULL where there was one candidate and no choice.
  routing                 jsonb,
  -- What the supplier claimed and nobody believed; the figures above are gw's own then.
  refused_usage           jsonb,
  CONSTRAINT nothing_negative CHECK (
    least(input_tokens, cached_input_tokens, cache_write_tokens, output_tokens, reasoning_tokens, charged, cost - charged) >= 0),
  CONSTRAINT charged_iff_posted CHECK ((charged > 0) = (txn_id IS NOT NULL))
);
CREATE INDEX usage_event_organisation ON usage_event (organisation_id, id);
CREATE INDEX usage_event_key ON usage_event (key_id, id);
-- Rows come nearly in the order of their start, so a summary of each stretch of the table finds a time.
CREATE INDEX usage_event_started ON usage_event USING brin (started_at) WITH (pages_per_range = 32, autosummarize = on);
CREATE FUNCTION usage_event_fixed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the money of usage row % is fixed', OLD.request_id USING ERRCODE = '23514';
END $$;
CREATE TRIGGER usage_event_fixed
  BEFORE UPDATE OF request_id, organisation_id, key_id, wallet_id, exempt, held, outcome, cost, charged, price_version, txn_id, settled_at
  ON usage_event FOR EACH ROW EXECUTE FUNCTION usage_event_fixed();
CREATE TRIGGER usage_event_no_delete BEFORE DELETE ON usage_event FOR EACH ROW EXECUTE FUNCTION forbid_change();
CREATE TRIGGER usage_event_no_truncate BEFORE TRUNCATE ON usage_event FOR EACH STATEMENT EXECUTE FUNCTION forbid_change();

-- Sums of usage rows by the hour (UTC) in which calls started, written with them. 0 and '' stand for "none", so that the key
-- is one row. Dashboards read it; usage rows themselves only for the parts of hours at the edges of what they ask for.
CREATE TABLE usage_hour (
  organisation_id     integer NOT NULL,
  hour                timestamptz NOT NULL,
  key_id              integer NOT NULL,
  user_id             integer NOT NULL,
  department_id       integer NOT NULL,
  project_id          integer NOT NULL,
  model               text COLLATE "C" NOT NULL,
  supplier            text COLLATE "C" NOT NULL,
  region              text COLLATE "C" NOT NULL,
  requests            integer NOT NULL,
  -- Of these: not answered well; answered by another than the first supplier; chosen by the autorouter.
  errors              integer NOT NULL,
  failovers           integer NOT NULL,
  routed              integer NOT NULL,
  input_tokens        bigint NOT NULL,
  cached_input_tokens bigint NOT NULL,
  cache_write_tokens  bigint NOT NULL,
  output_tokens       bigint NOT NULL,
  reasoning_tokens    bigint NOT NULL,
  cost                bigint NOT NULL,
  charged             bigint NOT NULL,
  -- What the customers of those that the autorouter chose would have paid more without it.
  saved               bigint NOT NULL,
  latency_ms          bigint NOT NULL,
  -- Over those that had a first byte.
  first_byte_ms       bigint NOT NULL,
  first_bytes         integer NOT NULL,
  PRIMARY KEY (organisation_id, hour, key_id, model, supplier, region, user_id, department_id, project_id)
) WITH (fillfactor = 50);
CREATE INDEX usage_hour_key ON usage_hour (key_id, hour);
CREATE INDEX usage_hour_user ON usage_hour (user_id, hour) WHERE user_id <> 0;
CREATE INDEX usage_hour_project ON usage_hour (project_id, hour) WHERE project_id <> 0;
CREATE INDEX usage_hour_hour ON usage_hour (hour);

-- Rate windows ------------------------------------------------------------------------------------------------------

-- Requests of the last 60 seconds per key: `used` is the sum of the stamps.
CREATE TABLE rate_window (
  key_id integer PRIMARY KEY,
  used   integer NOT NULL DEFAULT 0 CHECK (used >= 0)
) WITH (fillfactor = 40);
CREATE TABLE rate_stamp (
  key_id integer NOT NULL REFERENCES rate_window (key_id),
  at     timestamptz NOT NULL,
  n      integer NOT NULL CHECK (n > 0),
  PRIMARY KEY (key_id, at)
);

-- Periods -----------------------------------------------------------------------------------------------------------

-- The start of the counter that holds a moment: the UTC day or month, or the hour for rolling budgets.
CREATE FUNCTION budget_period_start(p_period text, p_at timestamptz) RETURNS timestamptz LANGUAGE sql STABLE AS $$
  SELECT date_trunc(CASE p_period WHEN 'daily' THEN 'day' WHEN 'monthly' THEN 'month' ELSE 'hour' END, p_at, 'UTC')
$$;
-- The oldest counter that still counts: 720 hours for rolling budgets, else the one of the moment.
CREATE FUNCTION budget_window_start(p_period text, p_start timestamptz) RETURNS timestamptz LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN p_period = 'rolling' THEN p_start - interval '719 hours' ELSE p_start END
$$;
-- When a daily or monthly period is over.
CREATE FUNCTION budget_period_end(p_period text, p_start timestamptz) RETURNS timestamptz LANGUAGE sql STABLE AS $$
  SELECT CASE p_period
    WHEN 'daily' THEN p_start + interval '24 hours'
    WHEN 'monthly' THEN ((p_start AT TIME ZONE 'UTC') + interval '1 month') AT TIME ZONE 'UTC'
    ELSE p_start + interval '720 hours' END
$$;

-- Whole seconds until a refused amount can fit: the reset, or for rolling budgets the hour whose leaving frees enough.
CREATE FUNCTION budget_retry_seconds(p_budget bigint, p_period text, p_limit bigint, p_amount bigint, p_now timestamptz)
RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  v_start timestamptz := budget_period_start(p_period, p_now);
  v_at timestamptz;
BEGIN
  IF p_period = 'rolling' THEN
    SELECT x.period_start + interval '720 hours' INTO v_at
      FROM (SELECT c.period_start, sum(c.spent) OVER (ORDER BY c.period_start DESC) - c.spent AS younger
              FROM budget_counter c
             WHERE c.budget_id = p_budget AND c.period_start BETWEEN v_start - interval '719 hours' AND v_start) x
     WHERE x.younger + p_amount <= p_limit ORDER BY x.period_start LIMIT 1;
  END IF;
  v_at := coalesce(v_at, budget_period_end(p_period, v_start));
  RETURN greatest(1, ceil(extract(epoch FROM v_at - p_now)))::integer;
END $$;

-- Holds that end without a supplier's work ----------------------------------------------------------------------------

-- Frees open holds in one of the given states. Only for calls that certainly were not executed.
CREATE FUNCTION accounting_release(p_ids uuid[], p_states text[], p_reason text) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  v_ids uuid[];
BEGIN
  PERFORM FROM budget WHERE id IN (SELECT budget_id FROM budget_leg WHERE call_id = ANY (p_ids)) ORDER BY id FOR NO KEY UPDATE;
  PERFORM FROM ledger_account WHERE id IN (SELECT wallet_id FROM hold WHERE id = ANY (p_ids)) ORDER BY id FOR NO KEY UPDATE;
  SELECT array_agg(x.id) INTO v_ids
    FROM (SELECT id FROM hold WHERE id = ANY (p_ids) AND state = ANY (p_states) ORDER BY id FOR NO KEY UPDATE) x;
  UPDATE budget_counter c SET held = c.held - x.freed
    FROM (SELECT l.budget_id, l.period_start, sum(h.amount)::bigint AS freed
            FROM hold h JOIN budget_leg l ON l.call_id = h.id WHERE h.id = ANY (v_ids) GROUP BY 1, 2) x
   WHERE c.budget_id = x.budget_id AND c.period_start = x.period_start;
  UPDATE ledger_account a SET held = a.held - x.freed
    FROM (SELECT wallet_id, sum(amount)::bigint AS freed FROM hold WHERE id = ANY (v_ids) AND NOT exempt GROUP BY 1) x
   WHERE a.id = x.wallet_id;
  UPDATE hold SET state = 'released', resolved_at = app_now(), reason = p_reason WHERE id = ANY (v_ids);
  RETURN coalesce(cardinality(v_ids), 0);
END $$;

-- Extends the leases of calls under way and records how far they have come. A hold in review stays there.
CREATE FUNCTION accounting_touch(p_ids uuid[], p_input integer[], p_output integer[], p_prices bigint[], p_owner text, p_lease interval)
RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  v_now CONSTANT timestamptz := app_now();
  v_count integer;
BEGIN
  PERFORM FROM hold WHERE id = ANY (p_ids) ORDER BY id FOR NO KEY UPDATE;
  UPDATE hold h SET lease_until = v_now + p_lease, lease_owner = p_owner, ckpt_in = coalesce(u.input, h.ckpt_in),
                    ckpt_out = coalesce(u.output, h.ckpt_out), ckpt_price = coalesce(u.price, h.ckpt_price), ckpt_at = v_now
    FROM unnest(p_ids, p_input, p_output, p_prices) u(id, input, output, price)
   WHERE h.id = u.id AND h.state IN ('dispatched', 'review');
  GET DIAGNOSTICS v_count = ROW_COUNT;
  RETURN v_count;
END $$;

-- Holds whose lease has run out: reserved ones are released, dispatched ones go to review. No timer frees money that a
-- supplier may have earned. Answers <released>,<reviewed>.
CREATE FUNCTION accounting_sweep(p_limit integer) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  v_now CONSTANT timestamptz := app_now();
  v_reserved uuid[];
  v_released integer := 0;
  v_reviewed integer;
BEGIN
  SELECT array_agg(x.id) INTO v_reserved
    FROM (SELECT id FROM hold WHERE state = 'reserved' AND lease_until < v_now ORDER BY lease_until LIMIT p_limit) x;
  IF v_reserved IS NOT NULL THEN
    v_released := accounting_release(v_reserved, ARRAY['reserved'], 'lease_expired');
  END IF;
  UPDATE hold h SET state = 'review', reason = 'lease_expired'
    FROM (SELECT id FROM hold WHERE state = 'dispatched' AND lease_until < v_now ORDER BY id LIMIT p_limit FOR NO KEY UPDATE SKIP LOCKED) x
   WHERE h.id = x.id;
  GET DIAGNOSTICS v_reviewed = ROW_COUNT;
  RETURN v_released || ',' || v_reviewed;
END $$;

-- Postings by people and processors -----------------------------------------------------------------------------------

-- Posts one transaction, once per idem_key: a repetition with the same legs answers the first transaction, one with
-- other legs is refused. Legs are posted wallets first, by account.
CREATE FUNCTION ledger_post(p_kind text, p_idem_key text, p_actor text, p_memo text, p_accounts bigint[], p_amounts bigint[])
RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  v_txn bigint;
BEGIN
  PERFORM FROM ledger_account WHERE id = ANY (p_accounts) ORDER BY payer_id IS NULL, id FOR NO KEY UPDATE;
  INSERT INTO ledger_txn (kind, idem_key, organisation_id, actor, memo)
    VALUES (p_kind, p_idem_key, (SELECT min(organisation_id) FROM ledger_account WHERE id = ANY (p_accounts)), p_actor, p_memo)
    ON CONFLICT (idem_key) DO NOTHING RETURNING id INTO v_txn;
  IF v_txn IS NULL THEN
    SELECT id INTO v_txn FROM ledger_txn WHERE idem_key = p_idem_key AND kind = p_kind;
    IF v_txn IS NULL OR EXISTS (
        (SELECT a, m FROM unnest(p_accounts, p_amounts) x(a, m) EXCEPT SELECT account_id, amount FROM ledger_entry WHERE txn_id = v_txn)
        UNION ALL
        (SELECT account_id, amount FROM ledger_entry WHERE txn_id = v_txn EXCEPT SELECT a, m FROM unnest(p_accounts, p_amounts) x(a, m))) THEN
      RAISE EXCEPTION 'posting % exists with other legs', p_idem_key USING ERRCODE = 'GW001';
    END IF;
    RETURN v_txn;
  END IF;
  INSERT INTO ledger_entry (txn_id, account_id, organisation_id, amount)
    SELECT v_txn, a.id, a.organisation_id, x.m FROM unnest(p_accounts, p_amounts) x(a, m) JOIN ledger_account a ON a.id = x.a
     ORDER BY a.payer_id IS NULL, a.id;
  IF (SELECT count(*) FROM ledger_entry WHERE txn_id = v_txn) <> cardinality(p_accounts) THEN
    RAISE EXCEPTION 'posting % names an account that does not exist', p_idem_key USING ERRCODE = '23503';
  END IF;
  RETURN v_txn;
END $$;

-- The wallet of a payer, opened when it has none yet.
CREATE FUNCTION wallet_open(p_payer_kind text, p_payer integer, p_organisation integer, p_exempt boolean) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  v_id bigint;
BEGIN
  INSERT INTO ledger_account (kind, payer_kind, payer_id, organisation_id, exempt) VALUES ('wallet', p_payer_kind, p_payer, p_organisation, p_exempt)
    ON CONFLICT (payer_kind, payer_id, kind, currency) WHERE payer_id IS NOT NULL DO NOTHING RETURNING id INTO v_id;
  IF v_id IS NULL THEN
    SELECT id INTO v_id FROM ledger_account WHERE kind = 'wallet' AND payer_kind = p_payer_kind AND payer_id = p_payer AND currency = 'USD';
  END IF;
  RETURN v_id;
END $$;

-- Moves money between a wallet and an account of the house; positive amounts fill the wallet.
CREATE FUNCTION wallet_post(p_wallet bigint, p_house text, p_amount bigint, p_kind text, p_idem_key text, p_actor text, p_memo text)
RETURNS bigint LANGUAGE sql AS $$
  SELECT ledger_post(p_kind, p_idem_key, p_actor, p_memo, ARRAY[p_wallet, h.id], ARRAY[p_amount, -p_amount])
    FROM ledger_account h WHERE h.kind = p_house AND h.payer_id IS NULL AND h.currency = 'USD' AND h.shard = 0
$$;

-- The floor never cuts into what is used already: it sinks with later payments, on the next change of the limit.
CREATE FUNCTION wallet_set_credit_limit(p_wallet bigint, p_limit bigint) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  UPDATE ledger_account SET credit_limit = p_limit, credit_floor = greatest(p_limit, held - posted) WHERE id = p_wallet AND kind = 'wallet';
  RETURN FOUND;
END $$;

-- A payer that stops being exempt owes nothing for the time before: its exempt usage is written off by the house.
CREATE FUNCTION wallet_mark_exempt(p_wallet bigint, p_exempt boolean, p_actor text) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  v ledger_account;
  v_used bigint;
BEGIN
  SELECT * INTO v FROM ledger_account WHERE id = p_wallet AND kind = 'wallet' FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RETURN NULL;
  END IF;
  IF v.exempt = p_exempt THEN
    RETURN false;
  END IF;
  IF NOT p_exempt THEN
    SELECT coalesce(-sum(e.amount), 0) INTO v_used
      FROM ledger_entry e JOIN ledger_txn t ON t.id = e.txn_id
     WHERE e.account_id = p_wallet AND (t.kind = 'write_off' OR (t.kind = 'usage' AND EXISTS (
             SELECT FROM ledger_entry x JOIN ledger_account a ON a.id = x.account_id WHERE x.txn_id = t.id AND a.kind = 'exempt_usage')));
    -- At least so much that the wallet covers its holds again.
    v_used := greatest(v_used, v.held - v.credit_limit - v.posted);
    IF v_used > 0 THEN
      PERFORM wallet_post(p_wallet, 'exempt_usage', v_used, 'write_off', 'write_off:' || p_wallet || ':' || v.last_seq, p_actor,
                          'usage before the payer was charged');
    END IF;
  END IF;
  UPDATE ledger_account SET exempt = p_exempt WHERE id = p_wallet;
  RETURN true;
END $$;

-- Budgets as people set and read them ---------------------------------------------------------------------------------

-- Puts a scope's budget in force. A budget that begins to count in the middle of a period opens with what the scope has
-- spent in it so far; calls under way at that moment are not counted.
CREATE FUNCTION budget_set(p_organisation integer, p_kind text, p_scope integer, p_limit bigint, p_period text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  v_id bigint;
  v_start timestamptz;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('budget:' || p_kind), p_scope);
  UPDATE budget SET limit_amt = p_limit, updated_at = app_now()
   WHERE scope_kind = p_kind AND scope_id = p_scope AND period = p_period AND active RETURNING id INTO v_id;
  IF FOUND THEN
    RETURN v_id;
  END IF;
  PERFORM FROM budget WHERE scope_kind = p_kind AND scope_id = p_scope ORDER BY id FOR NO KEY UPDATE;
  UPDATE budget SET active = false, updated_at = app_now() WHERE scope_kind = p_kind AND scope_id = p_scope AND active;
  INSERT INTO budget (organisation_id, scope_kind, scope_id, limit_amt, period) VALUES (p_organisation, p_kind, p_scope, p_limit, p_period)
    ON CONFLICT (scope_kind, scope_id, period) DO UPDATE SET limit_amt = excluded.limit_amt, active = true, updated_at = app_now()
    RETURNING id INTO v_id;
  v_start := budget_window_start(p_period, budget_period_start(p_period, app_now()));
  INSERT INTO budget_counter (budget_id, period_start, organisation_id, opening, spent)
    SELECT v_id, x.period_start, p_organisation, x.spent, x.spent
      FROM (SELECT budget_period_start(p_period, e.started_at) AS period_start, sum(e.charged)::bigint AS spent
              FROM usage_event e
             WHERE e.started_at >= v_start AND e.charged > 0 AND e.organisation_id = p_organisation
               AND p_scope = CASE p_kind WHEN 'key' THEN e.key_id WHEN 'user' THEN e.user_id WHEN 'department' THEN e.department_id
                                         WHEN 'project' THEN e.project_id ELSE e.organisation_id END
             GROUP BY 1) x
    ON CONFLICT (budget_id, period_start) DO UPDATE
      SET opening = greatest(excluded.spent, budget_counter.spent) - (budget_counter.spent - budget_counter.opening),
          spent = greatest(excluded.spent, budget_counter.spent);
  RETURN v_id;
END $$;

-- Budgets in force of some scopes of one kind, as they stand now.
CREATE FUNCTION budget_read(p_kind text, p_scopes integer[])
RETURNS TABLE (scope_id integer, limit_amt bigint, period text, spent bigint, held bigint, resets_at timestamptz) LANGUAGE sql STABLE AS $$
  SELECT b.scope_id, b.limit_amt, b.period, coalesce(c.spent, 0), coalesce(c.held, 0),
         CASE WHEN b.period = 'rolling' THEN coalesce(c.oldest, s.start) + interval '720 hours' ELSE budget_period_end(b.period, s.start) END
    FROM (SELECT app_now() AS at) now
    CROSS JOIN budget b
    CROSS JOIN LATERAL (SELECT budget_period_start(b.period, now.at) AS start) s
    LEFT JOIN LATERAL (
      SELECT sum(x.spent)::bigint AS spent, sum(x.held)::bigint AS held, min(x.period_start) FILTER (WHERE x.spent > 0) AS oldest
        FROM budget_counter x WHERE x.budget_id = b.id AND x.period_start BETWEEN budget_window_start(b.period, s.start) AND s.start) c ON true
   WHERE b.scope_kind = p_kind AND b.scope_id = ANY (p_scopes) AND b.active
$$;

-- The auditor -----------------------------------------------------------------------------------------------------------

-- Every row is a defect. Empty on a sound database at any moment, also with calls under way. Five passes over the large
-- tables: entries in the order of their accounts, transactions with their entries and usage, calls, budget legs, and the
-- usage rows of the last days, which their sums by the hour have to match.
CREATE VIEW ledger_audit AS
WITH account_entries AS MATERIALIZED (
  SELECT account_id, sum(amount) AS total, count(*) AS n, max(account_seq) AS last_seq,
         min(account_seq) FILTER (WHERE balance_after <> balance_before + amount) AS broken_at
    FROM (SELECT account_id, account_seq, amount, balance_after,
                 lag(balance_after, 1, 0::bigint) OVER (PARTITION BY account_id ORDER BY account_seq) AS balance_before
            FROM ledger_entry) x
   GROUP BY account_id
), txn_entries AS (
  SELECT txn_id, sum(amount) AS total, count(*) AS legs, -sum(amount) FILTER (WHERE amount < 0) AS paid,
         min(account_id) FILTER (WHERE amount < 0) AS payer, max(account_id) FILTER (WHERE amount < 0) AS other_payer
    FROM ledger_entry GROUP BY txn_id
), txn_usage AS (
  SELECT txn_id, sum(charged) AS charged, min(wallet_id) AS wallet_id, max(wallet_id) AS other_wallet
    FROM usage_event WHERE txn_id IS NOT NULL GROUP BY txn_id
), txn_defect AS (
  SELECT coalesce(t.id, e.txn_id, u.txn_id) AS txn_id, t.kind, e.legs, e.total, e.paid, u.charged, u.wallet_id, e.payer,
         CASE
           WHEN t.id IS NULL AND e.txn_id IS NOT NULL THEN 'orphan_entry'
           WHEN t.id IS NULL OR (u.txn_id IS NOT NULL AND (t.kind <> 'usage' OR u.wallet_id <> u.other_wallet)) THEN 'usage_txn'
           WHEN e.txn_id IS NULL OR e.total <> 0 OR e.legs < 2 THEN 'unbalanced'
           WHEN t.kind = 'usage' AND e.paid IS DISTINCT FROM u.charged THEN 'usage_sum'
           WHEN t.kind = 'usage' AND (e.payer <> e.other_payer OR e.payer <> u.wallet_id)
                AND NOT EXISTS (SELECT FROM ledger_account a WHERE a.id = e.payer AND a.kind = 'adjustment') THEN 'usage_wallet'
         END AS defect
    FROM ledger_txn t FULL JOIN txn_entries e ON e.txn_id = t.id FULL JOIN txn_usage u ON u.txn_id = coalesce(t.id, e.txn_id)
), call_defect AS (
  SELECT coalesce(h.id, e.request_id) AS call_id, h.state, h.amount, h.captured, h.absorbed, h.wallet_id, e.charged, e.cost, e.txn_id,
         CASE
           WHEN e.charged > 0 AND e.txn_id IS NULL THEN 'usage_unposted'
           WHEN h.state = 'settled' AND e.request_id IS NULL THEN 'settled_without_usage'
           WHEN e.held AND (h.id IS NULL OR h.captured <> e.charged OR h.captured + h.absorbed <> e.cost OR h.wallet_id <> e.wallet_id
                            OR h.state <> CASE WHEN e.outcome = 'not_executed' THEN 'released' ELSE 'settled' END) THEN 'usage_against_hold'
           WHEN NOT e.held AND (h.id IS NOT NULL OR e.charged <> e.cost OR (e.charged > 0 AND NOT e.exempt)) THEN 'usage_against_hold'
           WHEN h.captured NOT BETWEEN 0 AND h.amount OR h.absorbed < 0 OR (h.state <> 'settled' AND (h.captured <> 0 OR h.absorbed <> 0))
                OR (h.state IN ('settled', 'released')) <> (h.resolved_at IS NOT NULL) THEN 'hold_state'
           WHEN h.id IS NOT NULL AND NOT EXISTS (SELECT FROM ledger_account a WHERE a.id = h.wallet_id AND a.kind = 'wallet') THEN 'orphan_hold'
         END AS defect
    FROM hold h FULL JOIN usage_event e ON e.request_id = h.id
), leg_sum AS MATERIALIZED (
  SELECT l.budget_id, l.period_start,
         coalesce(sum(h.amount) FILTER (WHERE h.state IN ('reserved', 'dispatched', 'review')), 0) AS held,
         coalesce(sum(e.charged), 0) AS spent,
         count(*) FILTER (WHERE h.id IS NULL AND e.request_id IS NULL) AS orphans
    FROM budget_leg l LEFT JOIN hold h ON h.id = l.call_id LEFT JOIN usage_event e ON e.request_id = l.call_id
   GROUP BY l.budget_id, l.period_start
), hour_usage AS (
  SELECT organisation_id, key_id, count(*) AS requests, sum(cost) AS cost, sum(charged) AS charged, sum(input_tokens) AS input_tokens,
         sum(output_tokens) AS output_tokens
    FROM usage_event WHERE started_at >= date_trunc('hour', app_now(), 'UTC') - interval '48 hours' GROUP BY 1, 2
), hour_sum AS (
  SELECT organisation_id, key_id, sum(requests) AS requests, sum(cost) AS cost, sum(charged) AS charged, sum(input_tokens) AS input_tokens,
         sum(output_tokens) AS output_tokens
    FROM usage_hour WHERE hour >= date_trunc('hour', app_now(), 'UTC') - interval '48 hours' GROUP BY 1, 2
), open_hold AS (
  SELECT wallet_id, sum(amount) AS total FROM hold WHERE state IN ('reserved', 'dispatched', 'review') AND NOT exempt GROUP BY wallet_id
)
-- Accounts: balances, gapless sequences, running balances, floors, held money.
SELECT 'posted_drift' AS defect, 'account ' || a.id AS subject, a.posted || ' posted, entries sum to ' || coalesce(e.total, 0) AS detail
  FROM ledger_account a LEFT JOIN account_entries e ON e.account_id = a.id WHERE a.posted <> coalesce(e.total, 0)
UNION ALL
SELECT 'sequence_gap', 'account ' || a.id, 'last_seq ' || a.last_seq || ', ' || coalesce(e.n, 0) || ' entries up to ' || coalesce(e.last_seq, 0)
  FROM ledger_account a LEFT JOIN account_entries e ON e.account_id = a.id
 WHERE a.last_seq <> coalesce(e.n, 0) OR a.last_seq <> coalesce(e.last_seq, 0)
UNION ALL
SELECT 'running_balance', 'account ' || account_id, 'entry ' || broken_at || ' does not continue the one before it'
  FROM account_entries WHERE broken_at IS NOT NULL
UNION ALL
SELECT 'orphan_entry', 'account ' || e.account_id, e.n || ' entries without an account'
  FROM account_entries e WHERE NOT EXISTS (SELECT FROM ledger_account a WHERE a.id = e.account_id)
UNION ALL
SELECT 'wallet_overdrawn', 'account ' || a.id, (a.posted - a.held) || ' is below the floor of ' || -a.credit_floor
  FROM ledger_account a WHERE a.kind = 'wallet' AND NOT a.exempt AND a.posted - a.held < -a.credit_floor
UNION ALL
SELECT 'wallet_held_drift', 'account ' || a.id, a.held || ' held, open holds sum to ' || coalesce(h.total, 0)
  FROM ledger_account a LEFT JOIN open_hold h ON h.wallet_id = a.id WHERE a.held <> coalesce(h.total, 0)
-- Transactions: two legs or more that sum to zero; one of kind usage is the sum of the usage rows that name it.
UNION ALL
SELECT defect, 'transaction ' || txn_id,
       coalesce(kind, 'no transaction') || ': ' || coalesce(legs, 0) || ' legs sum to ' || coalesce(total, 0) || ', '
       || coalesce('account ' || payer, 'nobody') || ' pays ' || coalesce(paid, 0) || ', usage rows charge '
       || coalesce('wallet ' || wallet_id, 'nobody') || ' ' || coalesce(charged, 0)
  FROM txn_defect WHERE defect IS NOT NULL
-- Calls: settled and one usage row are the same thing, at the same amounts.
UNION ALL
SELECT defect, 'call ' || call_id,
       'hold ' || coalesce(state || ' ' || captured || ' and ' || absorbed || ' of ' || amount || ' in wallet ' || wallet_id, 'missing')
       || ', usage ' || coalesce(charged || ' of ' || cost || ' in transaction ' || coalesce(txn_id::text, 'none'), 'missing')
  FROM call_defect WHERE defect IS NOT NULL
-- Budgets: counters are the sums of their legs.
UNION ALL
SELECT 'budget_held_drift', 'budget ' || c.budget_id || ' of ' || c.period_start, c.held || ' held, open holds sum to ' || coalesce(s.held, 0)
  FROM budget_counter c LEFT JOIN leg_sum s USING (budget_id, period_start) WHERE c.held <> coalesce(s.held, 0)
UNION ALL
SELECT 'budget_spent_drift', 'budget ' || c.budget_id || ' of ' || c.period_start, c.spent || ' spent, opening and usage rows sum to ' || c.opening + coalesce(s.spent, 0)
  FROM budget_counter c LEFT JOIN leg_sum s USING (budget_id, period_start) WHERE c.spent <> c.opening + coalesce(s.spent, 0)
UNION ALL
SELECT 'orphan_leg', 'budget ' || s.budget_id || ' of ' || s.period_start, s.orphans || ' legs without a call; the counter is ' || CASE WHEN c.budget_id IS NULL THEN 'missing' ELSE 'there' END
  FROM leg_sum s LEFT JOIN budget_counter c USING (budget_id, period_start) WHERE s.orphans > 0 OR c.budget_id IS NULL
-- Rate windows.
UNION ALL
SELECT 'rate_drift', 'key ' || coalesce(w.key_id, s.key_id), coalesce(w.used, 0) || ' used, stamps sum to ' || coalesce(s.total, 0)
  FROM rate_window w FULL JOIN (SELECT key_id, sum(n) AS total FROM rate_stamp GROUP BY key_id) s ON s.key_id = w.key_id
 WHERE coalesce(w.used, 0) <> coalesce(s.total, 0)
UNION ALL
SELECT 'usage_hour_drift', 'key ' || key_id || ' of organisation ' || organisation_id,
       'the last 48 hours say ' || coalesce(s.requests, 0) || ' calls charged ' || coalesce(s.charged, 0) || ', usage rows say ' || coalesce(u.requests, 0)
       || ' and ' || coalesce(u.charged, 0)
  FROM hour_sum s FULL JOIN hour_usage u USING (organisation_id, key_id)
 WHERE (s.requests, s.cost, s.charged, s.input_tokens, s.output_tokens) IS DISTINCT FROM (u.requests, u.cost, u.charged, u.input_tokens, u.output_tokens);

-- The same as JSON, with memory enough that a large ledger is looked at without temporary files.
CREATE FUNCTION ledger_defects() RETURNS text LANGUAGE sql
SET work_mem = '96MB' SET jit = off
AS $$
  SELECT coalesce(json_agg(x ORDER BY x.defect, x.subject), '[]')::text
    FROM (SELECT defect, subject, detail FROM ledger_audit LIMIT 1000) x
$$;
