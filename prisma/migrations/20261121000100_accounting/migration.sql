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

-- Ledger ------------------------------------------------------------------------------------------------------------

CREATE TABLE ledger_account (
  id              bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind            text NOT NULL CHECK (kind IN ('wallet', 'receivable', 'processor_clearing', 'revenue', 'exempt_usage',
                                                'promo_expense', 'absorbed', 'adjustment')),
  -- Who pays: NULL for the accounts of the house.
  payer_kind      text CHECK (payer_kind IN ('organisation', 'user', 'project')),
  payer_id        integer,
  organisation_id integer,
  currency        char(3) NOT NULL DEFAULT 'USD' CHECK (currency = 'USD'),
  -- House accounts that every call posts to are striped, so that no single row serialises the installation.
  shard           smallint NOT NULL DEFAULT 0 CHECK (shard BETWEEN 0 AND 15),
  -- An exempt payer is not charged: its usage goes to `exempt_usage`, and its wallet may fall below zero.
  exempt          boolean NOT NULL DEFAULT false,
  posted          bigint NOT NULL DEFAULT 0,
  held            bigint NOT NULL DEFAULT 0 CHECK (held >= 0),
  credit_limit    bigint NOT NULL DEFAULT 0 CHECK (credit_limit >= 0),
  credit_floor    bigint NOT NULL DEFAULT 0,
  last_seq        bigint NOT NULL DEFAULT 0,
  created_at      timestamptz NOT NULL DEFAULT app_now(),
  CONSTRAINT floor_covers_limit CHECK (credit_floor >= credit_limit),
  CONSTRAINT only_wallets_hold CHECK (kind = 'wallet' OR (held = 0 AND credit_floor = 0 AND NOT exempt)),
  CONSTRAINT wallet_never_overdrawn CHECK (kind <> 'wallet' OR exempt OR posted - held >= -credit_floor),
  CONSTRAINT payer_iff_customer CHECK (
    (kind IN ('wallet', 'receivable')) = (payer_id IS NOT NULL)
    AND (payer_id IS NULL) = (payer_kind IS NULL) AND (payer_id IS NULL) = (organisation_id IS NULL))
) WITH (fillfactor = 40);
CREATE UNIQUE INDEX ledger_account_payer ON ledger_account (payer_kind, payer_id, kind, currency) WHERE payer_id IS NOT NULL;
CREATE UNIQUE INDEX ledger_account_house ON ledger_account (kind, currency, shard) WHERE payer_id IS NULL;

CREATE TABLE ledger_txn (
  id              bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind            text NOT NULL CHECK (kind IN ('topup', 'usage', 'refund', 'dispute', 'promo_grant', 'promo_expire',
                                                'receivable_repay', 'adjustment', 'write_off', 'reversal')),
  -- What makes a posting happen once, such as usage:<first call of the batch>, topup:<id>, refund:<charge>:<cumulative>.
  idem_key        text NOT NULL UNIQUE CHECK (length(idem_key) BETWEEN 1 AND 300),
  reverses_txn    bigint UNIQUE REFERENCES ledger_txn (id),
  organisation_id integer,
  actor           text NOT NULL,
  memo            text,
  created_at      timestamptz NOT NULL DEFAULT app_now()
);

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
CREATE FUNCTION ledger_account_fixed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.kind <> OLD.kind OR NEW.currency <> OLD.currency OR NEW.shard <> OLD.shard THEN
    RAISE EXCEPTION 'account % keeps its kind, currency and shard', OLD.id USING ERRCODE = '23514';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER ledger_account_fixed BEFORE UPDATE OF kind, currency, shard ON ledger_account
  FOR EACH ROW EXECUTE FUNCTION ledger_account_fixed();
-- A new account starts at zero.
CREATE FUNCTION ledger_account_opens_empty() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.posted <> 0 OR NEW.last_seq <> 0 OR NEW.held <> 0 THEN
    RAISE EXCEPTION 'an account opens empty' USING ERRCODE = '23514';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER ledger_account_opens_empty BEFORE INSERT ON ledger_account
  FOR EACH ROW EXECUTE FUNCTION ledger_account_opens_empty();

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

CREATE TABLE budget (
  id              bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  organisation_id integer NOT NULL,
  scope_kind      text NOT NULL CHECK (scope_kind IN ('key', 'user', 'department', 'project', 'organisation')),
  scope_id        integer NOT NULL,
  -- NULL: counted, not limited.
  limit_amt       bigint CHECK (limit_amt >= 0),
  period          text NOT NULL CHECK (period IN ('daily', 'monthly', 'rolling')),
  -- One period of a scope is in force; the rows of others keep their counters for calls still under way.
  active          boolean NOT NULL DEFAULT true,
  created_at      timestamptz NOT NULL DEFAULT app_now(),
  updated_at      timestamptz NOT NULL DEFAULT app_now(),
  UNIQUE (scope_kind, scope_id, period)
) WITH (fillfactor = 60);
CREATE UNIQUE INDEX budget_in_force ON budget (scope_kind, scope_id) WHERE active;

-- One row per budget and period: a day, a month, or for rolling budgets an hour. A new period is a new row.
CREATE TABLE budget_counter (
  budget_id       bigint NOT NULL REFERENCES budget (id),
  period_start    timestamptz NOT NULL,
  organisation_id integer NOT NULL,
  -- What the scope had spent in this period before the budget began to count; part of `spent`.
  opening         bigint NOT NULL DEFAULT 0 CHECK (opening >= 0),
  spent           bigint NOT NULL DEFAULT 0,
  held            bigint NOT NULL DEFAULT 0 CHECK (held >= 0),
  PRIMARY KEY (budget_id, period_start),
  CONSTRAINT spent_covers_opening CHECK (spent >= opening)
) WITH (fillfactor = 40);
CREATE TRIGGER budget_no_delete BEFORE DELETE ON budget FOR EACH ROW EXECUTE FUNCTION forbid_change();
CREATE TRIGGER budget_counter_no_delete BEFORE DELETE ON budget_counter FOR EACH ROW EXECUTE FUNCTION forbid_change();

-- Holds -------------------------------------------------------------------------------------------------------------

-- The durable record of a call, written before any supplier works on it; its id is the call's.
--   reserved -> dispatched | released;  dispatched -> settled | released | review;  review -> settled | released
CREATE TABLE hold (
  id              uuid PRIMARY KEY,
  organisation_id integer NOT NULL,
  key_id          integer NOT NULL,
  user_id         integer,
  department_id   integer,
  project_id      integer,
  wallet_id       bigint NOT NULL REFERENCES ledger_account (id),
  -- The payer was exempt at admission: nothing of the hold is in the wallet's `held`.
  exempt          boolean NOT NULL,
  state           text NOT NULL CHECK (state IN ('reserved', 'dispatched', 'review', 'settled', 'released')),
  amount          bigint NOT NULL CHECK (amount >= 0),
  captured        bigint NOT NULL DEFAULT 0,
  -- Cost beyond the hold: the house bears it.
  absorbed        bigint NOT NULL DEFAULT 0 CHECK (absorbed >= 0),
  price_version   bigint NOT NULL,
  lease_owner     text NOT NULL,
  lease_until     timestamptz NOT NULL,
  created_at      timestamptz NOT NULL,
  dispatched_at   timestamptz,
  resolved_at     timestamptz,
  -- How far the call had come at the last heartbeat, and the price of the lane that served it.
  ckpt_in         integer CHECK (ckpt_in >= 0),
  ckpt_out        integer CHECK (ckpt_out >= 0),
  ckpt_price      bigint,
  ckpt_at         timestamptz,
  reason          text,
  CONSTRAINT captured_within_hold CHECK (captured BETWEEN 0 AND amount),
  CONSTRAINT only_settled_captures CHECK (state = 'settled' OR (captured = 0 AND absorbed = 0)),
  CONSTRAINT resolved_iff_final CHECK ((state IN ('settled', 'released')) = (resolved_at IS NOT NULL)),
  CONSTRAINT dispatched_has_time CHECK (state IN ('reserved', 'released') OR dispatched_at IS NOT NULL)
) WITH (fillfactor = 80);
CREATE INDEX hold_open_lease ON hold (lease_until) WHERE state IN ('reserved', 'dispatched');
CREATE INDEX hold_in_review ON hold (created_at) WHERE state = 'review';

CREATE FUNCTION hold_transition() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.state IN ('settled', 'released') THEN
    RAISE EXCEPTION 'hold % is final', OLD.id USING ERRCODE = '23514';
  END IF;
  IF NEW.state <> OLD.state AND NOT (
       (OLD.state = 'reserved'   AND NEW.state IN ('dispatched', 'released'))
    OR (OLD.state = 'dispatched' AND NEW.state IN ('settled', 'released', 'review'))
    OR (OLD.state = 'review'     AND NEW.state IN ('settled', 'released'))) THEN
    RAISE EXCEPTION 'hold % cannot go from % to %', OLD.id, OLD.state, NEW.state USING ERRCODE = '23514';
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
  PRIMARY KEY (call_id, budget_id),
  FOREIGN KEY (budget_id, period_start) REFERENCES budget_counter (budget_id, period_start)
);
CREATE TRIGGER budget_leg_append_only BEFORE UPDATE OR DELETE ON budget_leg FOR EACH ROW EXECUTE FUNCTION forbid_change();

-- Usage -------------------------------------------------------------------------------------------------------------

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
  input_tokens        integer NOT NULL CHECK (input_tokens >= 0),
  cached_input_tokens integer NOT NULL CHECK (cached_input_tokens >= 0),
  cache_write_tokens  integer NOT NULL CHECK (cache_write_tokens >= 0),
  output_tokens       integer NOT NULL CHECK (output_tokens >= 0),
  reasoning_tokens    integer NOT NULL CHECK (reasoning_tokens >= 0),
  token_source        text NOT NULL CHECK (token_source IN ('supplier', 'checkpoint', 'estimated')),
  outcome             text NOT NULL CHECK (outcome IN ('complete', 'client_abort', 'upstream_abort', 'error', 'recovered', 'not_executed')),
  -- What the call cost; `charged` of it is the customer's, the rest was absorbed.
  cost                bigint NOT NULL CHECK (cost >= 0),
  charged             bigint NOT NULL CHECK (charged BETWEEN 0 AND cost),
  price_version       bigint NOT NULL,
  txn_id              bigint REFERENCES ledger_txn (id),
  -- The HTTP status the client got; 0 when nobody knows.
  status              integer NOT NULL CHECK (status = 0 OR status BETWEEN 100 AND 599),
  error_code          text,
  attempts            jsonb NOT NULL,
  started_at          timestamptz NOT NULL,
  first_byte_ms       integer,
  latency_ms          integer NOT NULL,
  settled_at          timestamptz NOT NULL,
  CONSTRAINT charged_iff_posted CHECK ((charged > 0) = (txn_id IS NOT NULL)),
  CONSTRAINT not_executed_is_free CHECK (outcome <> 'not_executed' OR cost = 0)
);
CREATE UNIQUE INDEX usage_event_organisation ON usage_event (organisation_id, id);
CREATE INDEX usage_event_key ON usage_event (key_id, id);
CREATE FUNCTION usage_event_fixed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the money of usage row % is fixed', OLD.request_id USING ERRCODE = '23514';
END $$;
CREATE TRIGGER usage_event_fixed
  BEFORE UPDATE OF request_id, organisation_id, key_id, wallet_id, exempt, held, outcome, cost, charged, price_version, txn_id, settled_at
  ON usage_event FOR EACH ROW EXECUTE FUNCTION usage_event_fixed();
CREATE TRIGGER usage_event_no_delete BEFORE DELETE ON usage_event FOR EACH ROW EXECUTE FUNCTION forbid_change();
CREATE TRIGGER usage_event_no_truncate BEFORE TRUNCATE ON usage_event FOR EACH STATEMENT EXECUTE FUNCTION forbid_change();

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

-- Admission ---------------------------------------------------------------------------------------------------------

-- Admits a batch of calls, each of them in all its scopes or in none: the key's rate window, the budgets of key, user,
-- department, project and organisation, the wallet. Arrays have one element per call, in order of arrival.
-- Answers '' when every call is held, else one verdict per call, comma-separated:
--   h            held, as dispatched
--   r<seconds>   the rate window is full
--   x<s><secs>   scope s (k, u, d, p, o) has spent its budget; xw: the wallet cannot pay
--   b<s>         scope s is full only because of calls under way; worth another try when one of them ends
--   e            no such wallet
CREATE FUNCTION accounting_admit(
  p_ids uuid[], p_organisations integer[], p_keys integer[], p_users integer[], p_departments integer[], p_projects integer[],
  p_wallets bigint[], p_exempt boolean[], p_amounts bigint[], p_rpm integer[], p_prices bigint[],
  p_owner text, p_lease interval
) RETURNS text LANGUAGE plpgsql
-- Plans of the two hot functions are made once, often while the tables are still empty: only index look-ups are allowed.
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off
SET enable_bitmapscan = off SET jit = off
AS $$
DECLARE
  v_calls CONSTANT integer := cardinality(p_ids);
  v_now timestamptz;
  v_fits boolean := true;
  v_ok boolean[];
  v_verdict text;
  v_verdicts text := '';
  -- Rate windows of the batch, by key.
  r_keys integer[]; r_rpm integer[]; r_want integer[]; r_used integer[];
  -- Budgets of the batch, by id; legs join calls (by position) to budgets (by position), in scope order.
  b_ids bigint[]; b_limit bigint[]; b_period text[]; b_start timestamptz[]; b_spent bigint[]; b_held bigint[]; b_want bigint[];
  b_has boolean[];
  l_call integer[]; l_scope text[]; l_budget bigint[]; l_pos integer[];
  -- Wallets of the batch that are charged, by id.
  w_ids bigint[]; w_funds bigint[]; w_held bigint[]; w_want bigint[];
  j integer; l integer := 1; l_from integer; v_amount bigint;
BEGIN
  -- 1. Rate windows: lock by key, let expired stamps go. Each stamp is written once and deleted once.
  SELECT array_agg(k ORDER BY k), array_agg(rpm ORDER BY k), array_agg(want ORDER BY k) INTO r_keys, r_rpm, r_want
    FROM (SELECT u.k, min(u.rpm) AS rpm, count(*)::integer AS want
            FROM unnest(p_keys, p_rpm) u(k, rpm) WHERE u.rpm IS NOT NULL GROUP BY u.k) x;
  IF r_keys IS NOT NULL THEN
    SELECT array_agg(x.used) INTO r_used
      FROM (SELECT used FROM rate_window WHERE key_id = ANY (r_keys) ORDER BY key_id FOR NO KEY UPDATE) x;
    IF coalesce(cardinality(r_used), 0) < cardinality(r_keys) THEN
      INSERT INTO rate_window (key_id) SELECT k FROM unnest(r_keys) k ORDER BY k ON CONFLICT DO NOTHING;
      SELECT array_agg(x.used) INTO r_used
        FROM (SELECT used FROM rate_window WHERE key_id = ANY (r_keys) ORDER BY key_id FOR NO KEY UPDATE) x;
    END IF;
    v_now := app_now();
    -- A stamp from the future is left over from a clock that was set back.
    WITH gone AS (
      DELETE FROM rate_stamp
       WHERE key_id = ANY (r_keys) AND (at <= v_now - interval '60 seconds' OR at > v_now + interval '1 second')
      RETURNING rate_stamp.key_id, rate_stamp.n)
    SELECT array_agg(u.used - coalesce(g.n, 0) ORDER BY u.k) INTO r_used
      FROM unnest(r_keys, r_used) u(k, used)
      LEFT JOIN (SELECT key_id, sum(gone.n)::integer AS n FROM gone GROUP BY key_id) g ON g.key_id = u.k;
    SELECT bool_and(u.used + u.want <= u.rpm) INTO v_fits FROM unnest(r_used, r_want, r_rpm) u(used, want, rpm);
  ELSE
    v_now := app_now();
  END IF;

  -- 2. Budgets: find those of the batch, lock them by id, read limits and counters as they are now.
  SELECT array_agg(c.ord::integer ORDER BY c.ord, s.rank), array_agg(s.letter ORDER BY c.ord, s.rank), array_agg(b.id ORDER BY c.ord, s.rank)
    INTO l_call, l_scope, l_budget
    FROM unnest(p_keys, p_users, p_departments, p_projects, p_organisations) WITH ORDINALITY c(k, u, d, p, o, ord)
    CROSS JOIN LATERAL (VALUES (1, 'key', 'k', c.k), (2, 'user', 'u', c.u), (3, 'department', 'd', c.d),
                               (4, 'project', 'p', c.p), (5, 'organisation', 'o', c.o)) s(rank, kind, letter, id)
    JOIN budget b ON b.scope_kind = s.kind AND b.scope_id = s.id AND b.active;
  IF l_budget IS NOT NULL THEN
    SELECT array_agg(x.id), array_agg(x.limit_amt), array_agg(x.period), array_agg(budget_period_start(x.period, v_now))
      INTO b_ids, b_limit, b_period, b_start
      FROM (SELECT id, limit_amt, period FROM budget WHERE id = ANY (l_budget) ORDER BY id FOR NO KEY UPDATE) x;
    SELECT array_agg(coalesce(c.spent, 0) ORDER BY u.ord), array_agg(coalesce(c.held, 0) ORDER BY u.ord), array_agg(coalesce(c.has, false) ORDER BY u.ord)
      INTO b_spent, b_held, b_has
      FROM unnest(b_ids, b_period, b_start) WITH ORDINALITY u(id, period, start, ord)
      LEFT JOIN LATERAL (
        SELECT sum(spent)::bigint AS spent, sum(held)::bigint AS held, bool_or(period_start = u.start) AS has
          FROM budget_counter
         WHERE budget_id = u.id AND period_start BETWEEN budget_window_start(u.period, u.start) AND u.start) c ON true;
    IF NOT (true = ALL (b_has)) THEN
      INSERT INTO budget_counter (budget_id, period_start, organisation_id)
        SELECT b.id, u.start, b.organisation_id FROM unnest(b_ids, b_start, b_has) u(id, start, has) JOIN budget b ON b.id = u.id
         WHERE NOT u.has ON CONFLICT DO NOTHING;
    END IF;
    SELECT array_agg(array_position(b_ids, u.budget) ORDER BY u.ord) INTO l_pos FROM unnest(l_budget) WITH ORDINALITY u(budget, ord);
    SELECT array_agg(x.want ORDER BY x.pos), v_fits AND bool_and(b_limit[x.pos] IS NULL OR b_spent[x.pos] + b_held[x.pos] + x.want <= b_limit[x.pos])
      INTO b_want, v_fits
      FROM (SELECT u.pos, sum(p_amounts[u.call])::bigint AS want FROM unnest(l_pos, l_call) u(pos, call) GROUP BY u.pos) x;
  END IF;

  -- 3. Wallets of payers that are charged: lock by id. Exempt payers hold nothing in theirs.
  SELECT array_agg(x.w ORDER BY x.w), array_agg(x.want ORDER BY x.w) INTO w_ids, w_want
    FROM (SELECT u.w, sum(u.amount)::bigint AS want FROM unnest(p_wallets, p_exempt, p_amounts) u(w, exempt, amount)
           WHERE NOT u.exempt GROUP BY u.w) x;
  IF w_ids IS NOT NULL THEN
    SELECT array_agg(x.id), array_agg(x.posted + x.credit_limit), array_agg(x.held) INTO w_ids, w_funds, w_held
      FROM (SELECT id, posted, credit_limit, held FROM ledger_account
             WHERE id = ANY (w_ids) AND kind = 'wallet' ORDER BY id FOR NO KEY UPDATE) x;
    IF cardinality(w_ids) IS DISTINCT FROM cardinality(w_want) THEN
      v_fits := false;
    ELSE
      SELECT v_fits AND bool_and(u.held + u.want <= u.funds) INTO v_fits FROM unnest(w_funds, w_held, w_want) u(funds, held, want);
    END IF;
  END IF;

  -- 4. Does not all fit: decide call by call, in order of arrival. Hard refusals, narrowest scope first, come before
  --    refusals that only wait for calls under way.
  IF NOT v_fits THEN
    v_ok := array_fill(false, ARRAY[v_calls]);
    r_want := array_fill(0, ARRAY[coalesce(cardinality(r_keys), 0)]);
    b_want := array_fill(0::bigint, ARRAY[coalesce(cardinality(b_ids), 0)]);
    w_want := array_fill(0::bigint, ARRAY[coalesce(cardinality(w_ids), 0)]);
    FOR i IN 1..v_calls LOOP
      v_verdict := NULL;
      v_amount := p_amounts[i];
      l_from := l;
      WHILE l_call[l] = i LOOP l := l + 1; END LOOP;
      IF p_rpm[i] IS NOT NULL THEN
        j := array_position(r_keys, p_keys[i]);
        IF r_used[j] + r_want[j] >= p_rpm[i] THEN
          -- The stamp whose leaving makes room for one more; stamps of this batch are a minute away.
          SELECT 'r' || greatest(1, ceil(extract(epoch FROM coalesce(min(x.at), v_now) + interval '60 seconds' - v_now)))::integer INTO v_verdict
            FROM (SELECT at, sum(s.n) OVER (ORDER BY at) AS leaving FROM rate_stamp s WHERE key_id = p_keys[i]) x
           WHERE r_used[j] + r_want[j] - x.leaving < p_rpm[i];
        END IF;
      END IF;
      IF v_verdict IS NULL THEN
        FOR k IN l_from..l - 1 LOOP
          j := l_pos[k];
          IF v_amount > b_limit[j] - b_spent[j] THEN
            v_verdict := 'x' || l_scope[k] || budget_retry_seconds(b_ids[j], b_period[j], b_limit[j], v_amount, v_now);
            EXIT;
          ELSIF v_verdict IS NULL AND v_amount > b_limit[j] - b_spent[j] - b_held[j] - b_want[j] THEN
            v_verdict := 'b' || l_scope[k];
          END IF;
        END LOOP;
        IF NOT p_exempt[i] AND (v_verdict IS NULL OR v_verdict LIKE 'b%') THEN
          j := array_position(w_ids, p_wallets[i]);
          IF j IS NULL THEN
            v_verdict := 'e';
          ELSIF v_amount > w_funds[j] THEN
            v_verdict := 'xw';
          ELSIF v_verdict IS NULL AND v_amount > w_funds[j] - w_held[j] - w_want[j] THEN
            v_verdict := 'bw';
          END IF;
        END IF;
      END IF;
      IF v_verdict IS NULL THEN
        v_verdict := 'h';
        v_ok[i] := true;
        IF p_rpm[i] IS NOT NULL THEN
          j := array_position(r_keys, p_keys[i]);
          r_want[j] := r_want[j] + 1;
        END IF;
        FOR k IN l_from..l - 1 LOOP
          j := l_pos[k];
          b_want[j] := b_want[j] + v_amount;
        END LOOP;
        IF NOT p_exempt[i] THEN
          j := array_position(w_ids, p_wallets[i]);
          w_want[j] := w_want[j] + v_amount;
        END IF;
      END IF;
      v_verdicts := v_verdicts || ',' || v_verdict;
    END LOOP;
    v_verdicts := substr(v_verdicts, 2);
  END IF;

  -- 5. Write what was admitted; `want` now is what each row takes.
  IF r_keys IS NOT NULL THEN
    UPDATE rate_window w SET used = u.used + u.want
      FROM unnest(r_keys, r_used, r_want) u(k, used, want) WHERE w.key_id = u.k AND w.used <> u.used + u.want;
    INSERT INTO rate_stamp (key_id, at, n) SELECT u.k, v_now, u.want FROM unnest(r_keys, r_want) u(k, want) WHERE u.want > 0
      ON CONFLICT (key_id, at) DO UPDATE SET n = rate_stamp.n + excluded.n;
  END IF;
  IF b_ids IS NOT NULL THEN
    UPDATE budget_counter c SET held = c.held + u.want
      FROM unnest(b_ids, b_start, b_want) u(id, start, want)
     WHERE c.budget_id = u.id AND c.period_start = u.start AND u.want > 0;
  END IF;
  IF w_ids IS NOT NULL THEN
    UPDATE ledger_account a SET held = a.held + u.want FROM unnest(w_ids, w_want) u(id, want) WHERE a.id = u.id AND u.want > 0;
  END IF;
  INSERT INTO hold (id, organisation_id, key_id, user_id, department_id, project_id, wallet_id, exempt, state, amount,
                    price_version, lease_owner, lease_until, created_at, dispatched_at)
    SELECT u.id, u.o, u.k, u.u, u.d, u.p, u.w, u.exempt, 'dispatched', u.amount, u.price, p_owner, v_now + p_lease, v_now, v_now
      FROM unnest(p_ids, p_organisations, p_keys, p_users, p_departments, p_projects, p_wallets, p_exempt, p_amounts, p_prices, v_ok)
           u(id, o, k, u, d, p, w, exempt, amount, price, ok)
     WHERE v_fits OR u.ok;
  IF b_ids IS NOT NULL THEN
    INSERT INTO budget_leg (call_id, budget_id, period_start)
      SELECT p_ids[u.call], u.budget, b_start[u.pos] FROM unnest(l_call, l_budget, l_pos) u(call, budget, pos)
       WHERE v_fits OR v_ok[u.call];
  END IF;
  RETURN v_verdicts;
END $$;

-- Settlement --------------------------------------------------------------------------------------------------------

-- Books a batch of finished calls: frees their holds, moves counters from held to spent, posts one usage transaction per
-- wallet, writes the usage rows. Arrays have one element per call; a call is named at most once in a batch.
-- Answers '' when every call was booked at exactly its cost, else the exceptions, comma-separated, by position (from 1):
--   <i>R<charge>   had been booked before, at this charge
--   <i>C<charge>   booked now; the customer pays less than the cost
--   <i>E<problem>  not booked: unknown (a hold was spoken of, none exists), unheld (a cost, no hold, payer not exempt),
--                  wallet (no such wallet), not_dispatched (the hold was only reserved)
CREATE FUNCTION accounting_settle(
  p_ids uuid[], p_held boolean[], p_organisations integer[], p_keys integer[], p_users integer[], p_departments integer[],
  p_projects integer[], p_wallets bigint[], p_exempt boolean[], p_costs bigint[], p_outcomes text[], p_prices bigint[],
  p_endpoints text[], p_requested text[], p_models text[], p_suppliers text[], p_regions text[], p_streams boolean[],
  p_sessions text[], p_input integer[], p_cached integer[], p_cache_write integer[], p_output integer[], p_reasoning integer[],
  p_sources text[], p_statuses integer[], p_errors text[], p_attempts jsonb, p_started bigint[], p_first_byte integer[],
  p_latency integer[], p_actor text
) RETURNS text LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off
SET enable_bitmapscan = off SET jit = off
AS $$
DECLARE
  v_now timestamptz;
  v_codes text[];
  v_unheld boolean;
  v_wallet bigint[];      -- the hold's, else the settlement's
  v_has boolean[];        -- a hold exists
  v_exempt boolean[];     -- frozen at admission where a hold exists
  v_amount bigint[];      -- frees so much
  v_charge bigint[]; v_absorbed bigint[];
  b_ids bigint[];
  u_call integer[]; u_budget bigint[]; u_start timestamptz[];
  w_ids bigint[]; w_exempt boolean[];
  g_wallet bigint[]; g_exempt boolean[]; g_txn bigint[];
  v_exceptions text;
BEGIN
  -- 1. Which budgets and wallets: a call's legs and wallet never change once its hold exists.
  SELECT array_agg(DISTINCT budget_id) INTO b_ids FROM budget_leg WHERE call_id = ANY (p_ids);
  SELECT array_agg(coalesce(h.wallet_id, r.wallet) ORDER BY r.ord), bool_or(h.id IS NULL) INTO v_wallet, v_unheld
    FROM unnest(p_ids, p_wallets) WITH ORDINALITY r(id, wallet, ord) LEFT JOIN hold h ON h.id = r.id;
  IF v_unheld THEN
    -- Calls without a hold count against the budgets in force now, in the period in which they started.
    SELECT array_agg(c.ord::integer), array_agg(b.id), array_agg(budget_period_start(b.period, least(to_timestamp(c.started / 1000.0), app_now())))
      INTO u_call, u_budget, u_start
      FROM unnest(p_ids, p_costs, p_outcomes, p_started, p_keys, p_users, p_departments, p_projects, p_organisations) WITH ORDINALITY
           c(id, cost, outcome, started, k, u, d, p, o, ord)
      CROSS JOIN LATERAL (VALUES ('key', c.k), ('user', c.u), ('department', c.d), ('project', c.p), ('organisation', c.o)) s(kind, id)
      JOIN budget b ON b.scope_kind = s.kind AND b.scope_id = s.id AND b.active
     WHERE c.cost > 0 AND c.outcome <> 'not_executed' AND NOT EXISTS (SELECT FROM hold h WHERE h.id = c.id);
    b_ids := b_ids || u_budget;
  END IF;

  -- 2. Lock: budgets, wallets, holds, each by id. What is read below is current because of these locks.
  IF b_ids IS NOT NULL THEN
    PERFORM FROM budget WHERE id = ANY (b_ids) ORDER BY id FOR NO KEY UPDATE;
  END IF;
  SELECT array_agg(x.id), array_agg(x.exempt) INTO w_ids, w_exempt
    FROM (SELECT id, exempt FROM ledger_account WHERE id = ANY (v_wallet) AND kind = 'wallet' ORDER BY id FOR NO KEY UPDATE) x;
  PERFORM FROM hold WHERE id = ANY (p_ids) ORDER BY id FOR NO KEY UPDATE;
  v_now := app_now();

  -- 3. What becomes of each call.
  SELECT array_agg(x.code ORDER BY x.ord), array_agg(x.has ORDER BY x.ord), array_agg(x.exempt ORDER BY x.ord),
         array_agg(x.amount ORDER BY x.ord), array_agg(x.charge ORDER BY x.ord), array_agg(x.cost - x.charge ORDER BY x.ord)
    INTO v_codes, v_has, v_exempt, v_amount, v_charge, v_absorbed
    FROM (
      SELECT r.ord, h.id IS NOT NULL AS has, coalesce(h.exempt, r.exempt) AS exempt, coalesce(h.amount, 0) AS amount,
             CASE WHEN r.outcome = 'not_executed' THEN 0 ELSE r.cost END AS cost,
             CASE WHEN r.outcome = 'not_executed' THEN 0 ELSE least(r.cost, coalesce(h.amount, r.cost)) END AS charge,
             CASE
               WHEN h.state IN ('settled', 'released') THEN 'R' || h.captured
               WHEN h.state = 'reserved' AND r.outcome <> 'not_executed' THEN 'Enot_dispatched'
               WHEN h.id IS NOT NULL THEN ''
               WHEN e.request_id IS NOT NULL THEN 'R' || e.charged
               WHEN r.held THEN 'Eunknown'
               WHEN array_position(w_ids, r.wallet) IS NULL THEN 'Ewallet'
               WHEN r.cost > 0 AND r.outcome <> 'not_executed' AND NOT r.exempt THEN 'Eunheld'
               ELSE '' END AS code
        FROM unnest(p_ids, p_held, p_wallets, p_exempt, p_costs, p_outcomes) WITH ORDINALITY r(id, held, wallet, exempt, cost, outcome, ord)
        LEFT JOIN hold h ON h.id = r.id
        LEFT JOIN usage_event e ON v_unheld AND e.request_id = r.id) x;

  -- 4. Budgets: held becomes spent, in the period of admission.
  IF u_budget IS NOT NULL THEN
    INSERT INTO budget_counter (budget_id, period_start, organisation_id)
      SELECT DISTINCT b.id, u.start, b.organisation_id FROM unnest(u_call, u_budget, u_start) u(call, budget, start) JOIN budget b ON b.id = u.budget
       WHERE v_codes[u.call] = '' ORDER BY 1, 2 ON CONFLICT DO NOTHING;
    INSERT INTO budget_leg (call_id, budget_id, period_start)
      SELECT p_ids[u.call], u.budget, u.start FROM unnest(u_call, u_budget, u_start) u(call, budget, start) WHERE v_codes[u.call] = '';
  END IF;
  IF b_ids IS NOT NULL THEN
    UPDATE budget_counter c SET held = c.held - x.freed, spent = c.spent + x.charged
      FROM (SELECT l.budget_id, l.period_start, sum(r.amount)::bigint AS freed, sum(r.charge)::bigint AS charged
              FROM unnest(p_ids, v_codes, v_amount, v_charge) r(id, code, amount, charge) JOIN budget_leg l ON l.call_id = r.id
             WHERE r.code = '' GROUP BY l.budget_id, l.period_start) x
     WHERE c.budget_id = x.budget_id AND c.period_start = x.period_start;
  END IF;

  -- 5. Wallets: free what was held, then post. A payer that has stopped being exempt since admission is not charged
  --    for it: the house's adjustment account pays in its place.
  UPDATE ledger_account a SET held = a.held - x.freed
    FROM (SELECT r.wallet, sum(r.amount)::bigint AS freed FROM unnest(v_wallet, v_codes, v_has, v_exempt, v_amount) r(wallet, code, has, exempt, amount)
           WHERE r.code = '' AND r.has AND NOT r.exempt AND r.amount > 0 GROUP BY r.wallet) x
   WHERE a.id = x.wallet;
  WITH due AS MATERIALIZED (
    SELECT r.wallet, r.exempt, min(r.o) AS organisation_id, 'usage:' || min(r.id::text) AS idem_key, sum(r.charge)::bigint AS total,
           CASE WHEN r.exempt AND NOT w_exempt[array_position(w_ids, r.wallet)]
                THEN (SELECT id FROM ledger_account WHERE kind = 'adjustment' AND payer_id IS NULL AND currency = 'USD' AND shard = 0)
                ELSE r.wallet END AS payer
      FROM unnest(p_ids, p_organisations, v_wallet, v_codes, v_exempt, v_charge) r(id, o, wallet, code, exempt, charge)
     WHERE r.code = '' AND r.charge > 0 GROUP BY r.wallet, r.exempt
  ), txn AS (
    INSERT INTO ledger_txn (kind, idem_key, organisation_id, actor, created_at)
      SELECT 'usage', idem_key, organisation_id, p_actor, v_now FROM due ORDER BY idem_key RETURNING id, idem_key
  ), entry AS (
    INSERT INTO ledger_entry (txn_id, account_id, organisation_id, amount)
      SELECT txn.id, x.account, due.organisation_id, x.amount
        FROM due JOIN txn USING (idem_key)
        JOIN ledger_account house ON house.kind = CASE WHEN due.exempt THEN 'exempt_usage' ELSE 'revenue' END
             AND house.currency = 'USD' AND house.shard = due.wallet % 16 AND house.payer_id IS NULL
        CROSS JOIN LATERAL (VALUES (due.payer, -due.total, due.payer <> due.wallet), (house.id, due.total, true)) x(account, amount, is_house)
       ORDER BY x.is_house, x.account
  )
  SELECT array_agg(due.wallet), array_agg(due.exempt), array_agg(txn.id) INTO g_wallet, g_exempt, g_txn FROM due JOIN txn USING (idem_key);

  -- 6. Holds end; usage rows say what was paid for, and by which transaction.
  UPDATE hold h SET state = CASE WHEN r.outcome = 'not_executed' THEN 'released' ELSE 'settled' END,
                    captured = r.charge, absorbed = r.absorbed, resolved_at = v_now,
                    reason = CASE WHEN p_actor = 'gateway' THEN r.outcome ELSE p_actor END
    FROM unnest(p_ids, v_codes, v_has, v_charge, v_absorbed, p_outcomes) r(id, code, has, charge, absorbed, outcome)
   WHERE h.id = r.id AND r.code = '' AND r.has;
  INSERT INTO usage_event (
      request_id, organisation_id, key_id, user_id, department_id, project_id, wallet_id, exempt, held, endpoint, requested_model,
      model, supplier, region, stream, session_id, input_tokens, cached_input_tokens, cache_write_tokens, output_tokens,
      reasoning_tokens, token_source, outcome, cost, charged, price_version, txn_id, status, error_code, attempts, started_at,
      first_byte_ms, latency_ms, settled_at)
    SELECT r.id, r.o, r.k, r.u, r.d, r.p, r.wallet, r.exempt, r.has, r.endpoint, r.requested,
           r.model, r.supplier, r.region, r.stream, r.session, r.input, r.cached, r.cache_write, r.output,
           r.reasoning, r.source, r.outcome, r.charge + r.absorbed, r.charge, r.price, g.txn, r.status, r.error,
           p_attempts -> (r.ord::integer - 1), to_timestamp(r.started / 1000.0), r.first_byte, r.latency, v_now
      FROM unnest(p_ids, v_codes, v_has, p_organisations, p_keys, p_users, p_departments, p_projects, v_wallet, v_exempt, v_charge,
                  v_absorbed, p_outcomes, p_prices, p_endpoints, p_requested, p_models, p_suppliers, p_regions, p_streams, p_sessions,
                  p_input, p_cached, p_cache_write, p_output, p_reasoning, p_sources, p_statuses, p_errors, p_started, p_first_byte, p_latency)
           WITH ORDINALITY r(id, code, has, o, k, u, d, p, wallet, exempt, charge, absorbed, outcome, price, endpoint, requested, model,
                  supplier, region, stream, session, input, cached, cache_write, output, reasoning, source, status, error, started,
                  first_byte, latency, ord)
      LEFT JOIN unnest(g_wallet, g_exempt, g_txn) g(wallet, exempt, txn) ON r.charge > 0 AND g.wallet = r.wallet AND g.exempt = r.exempt
     WHERE r.code = '';

  SELECT string_agg(r.ord || CASE WHEN r.code <> '' THEN r.code ELSE 'C' || r.charge END, ',' ORDER BY r.ord) INTO v_exceptions
    FROM unnest(v_codes, v_charge, v_absorbed) WITH ORDINALITY r(code, charge, absorbed, ord) WHERE r.code <> '' OR r.absorbed > 0;
  RETURN coalesce(v_exceptions, '');
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

-- Every row is a defect. Empty on a sound database at any moment, also with calls under way.
CREATE VIEW ledger_audit AS
WITH entry_by_account AS MATERIALIZED (
  SELECT account_id, sum(amount) AS total, count(*) AS n, max(account_seq) AS last_seq FROM ledger_entry GROUP BY account_id
), entry_by_txn AS MATERIALIZED (
  SELECT txn_id, sum(amount) AS total, count(*) AS legs, -sum(amount) FILTER (WHERE amount < 0) AS paid FROM ledger_entry GROUP BY txn_id
), usage_by_txn AS MATERIALIZED (
  SELECT txn_id, sum(charged) AS charged, min(wallet_id) AS wallet_id, max(wallet_id) AS other_wallet
    FROM usage_event WHERE txn_id IS NOT NULL GROUP BY txn_id
), leg_sum AS MATERIALIZED (
  SELECT l.budget_id, l.period_start,
         coalesce(sum(h.amount) FILTER (WHERE h.state IN ('reserved', 'dispatched', 'review')), 0) AS held,
         coalesce(sum(e.charged), 0) AS spent
    FROM budget_leg l LEFT JOIN hold h ON h.id = l.call_id LEFT JOIN usage_event e ON e.request_id = l.call_id
   GROUP BY l.budget_id, l.period_start
)
-- Ledger: balances, sequences, running balances, transactions.
SELECT 'posted_drift' AS defect, 'account ' || a.id AS subject, a.posted || ' posted, entries sum to ' || coalesce(e.total, 0) AS detail
  FROM ledger_account a LEFT JOIN entry_by_account e ON e.account_id = a.id WHERE a.posted <> coalesce(e.total, 0)
UNION ALL
SELECT 'sequence_gap', 'account ' || a.id, 'last_seq ' || a.last_seq || ', ' || coalesce(e.n, 0) || ' entries up to ' || coalesce(e.last_seq, 0)
  FROM ledger_account a LEFT JOIN entry_by_account e ON e.account_id = a.id
 WHERE a.last_seq <> coalesce(e.n, 0) OR a.last_seq <> coalesce(e.last_seq, 0)
UNION ALL
SELECT 'running_balance', 'account ' || x.account_id, 'entry ' || x.account_seq || ' does not continue the one before it'
  FROM (SELECT account_id, account_seq, amount, balance_after,
               lag(balance_after, 1, 0::bigint) OVER (PARTITION BY account_id ORDER BY account_seq) AS balance_before FROM ledger_entry) x
 WHERE x.balance_after <> x.balance_before + x.amount
UNION ALL
SELECT 'orphan_entry', 'transaction ' || e.txn_id, e.legs || ' legs without a transaction'
  FROM entry_by_txn e WHERE NOT EXISTS (SELECT FROM ledger_txn t WHERE t.id = e.txn_id)
UNION ALL
SELECT 'orphan_entry', 'account ' || e.account_id, e.n || ' entries without an account'
  FROM entry_by_account e WHERE NOT EXISTS (SELECT FROM ledger_account a WHERE a.id = e.account_id)
UNION ALL
SELECT 'unbalanced', 'transaction ' || t.id, coalesce(e.legs, 0) || ' legs sum to ' || coalesce(e.total, 0)
  FROM ledger_txn t LEFT JOIN entry_by_txn e ON e.txn_id = t.id WHERE coalesce(e.total, 0) <> 0 OR coalesce(e.legs, 0) < 2
UNION ALL
SELECT 'wallet_overdrawn', 'account ' || a.id, (a.posted - a.held) || ' below the floor of ' || -a.credit_floor
  FROM ledger_account a WHERE a.kind = 'wallet' AND NOT a.exempt AND a.posted - a.held < -a.credit_floor
-- Usage: each transaction of kind usage is the sum of the usage rows that name it, and of nothing else.
UNION ALL
SELECT 'usage_sum', 'transaction ' || t.id, 'posted ' || coalesce(e.paid, 0) || ', usage rows say ' || coalesce(u.charged, 0)
  FROM ledger_txn t LEFT JOIN entry_by_txn e ON e.txn_id = t.id LEFT JOIN usage_by_txn u ON u.txn_id = t.id
 WHERE t.kind = 'usage' AND coalesce(e.paid, 0) <> coalesce(u.charged, 0)
UNION ALL
SELECT 'usage_txn', 'transaction ' || u.txn_id, 'named by usage rows, but not a transaction of kind usage for one wallet'
  FROM usage_by_txn u LEFT JOIN ledger_txn t ON t.id = u.txn_id
 WHERE t.id IS NULL OR t.kind <> 'usage' OR u.wallet_id <> u.other_wallet
UNION ALL
SELECT 'usage_wallet', 'transaction ' || u.txn_id, 'charges account ' || l.account_id || ', usage rows name wallet ' || u.wallet_id
  FROM usage_by_txn u JOIN ledger_entry l ON l.txn_id = u.txn_id AND l.amount < 0 JOIN ledger_account a ON a.id = l.account_id
 WHERE l.account_id <> u.wallet_id AND a.kind <> 'adjustment'
UNION ALL
SELECT 'usage_unposted', 'call ' || e.request_id, 'charged ' || e.charged || ' without a transaction'
  FROM usage_event e WHERE e.charged > 0 AND e.txn_id IS NULL
-- Holds and usage rows: settled and one usage row are the same thing, at the same amount.
UNION ALL
SELECT 'settled_without_usage', 'call ' || h.id, 'captured ' || h.captured
  FROM hold h WHERE h.state = 'settled' AND NOT EXISTS (SELECT FROM usage_event e WHERE e.request_id = h.id)
UNION ALL
SELECT 'usage_against_hold', 'call ' || e.request_id,
       'usage ' || e.charged || ' of ' || e.cost || ', hold ' || coalesce(h.state || ' ' || h.captured || ' and ' || h.absorbed, 'missing')
  FROM usage_event e LEFT JOIN hold h ON h.id = e.request_id
 WHERE CASE
         WHEN e.held THEN h.id IS NULL OR h.captured <> e.charged OR h.captured + h.absorbed <> e.cost OR h.wallet_id <> e.wallet_id
                          OR h.state <> CASE WHEN e.outcome = 'not_executed' THEN 'released' ELSE 'settled' END
         ELSE h.id IS NOT NULL OR e.charged <> e.cost OR (e.charged > 0 AND NOT e.exempt) END
UNION ALL
SELECT 'hold_state', 'call ' || h.id, h.state || ', captured ' || h.captured || ' of ' || h.amount
  FROM hold h
 WHERE h.captured NOT BETWEEN 0 AND h.amount OR h.absorbed < 0 OR (h.state <> 'settled' AND (h.captured <> 0 OR h.absorbed <> 0))
    OR (h.state IN ('settled', 'released')) <> (h.resolved_at IS NOT NULL)
UNION ALL
SELECT 'wallet_held_drift', 'account ' || a.id, a.held || ' held, open holds sum to ' || coalesce(h.total, 0)
  FROM ledger_account a
  LEFT JOIN (SELECT wallet_id, sum(amount) AS total FROM hold WHERE state IN ('reserved', 'dispatched', 'review') AND NOT exempt GROUP BY wallet_id) h
    ON h.wallet_id = a.id
 WHERE a.held <> coalesce(h.total, 0)
UNION ALL
SELECT 'orphan_hold', 'call ' || h.id, 'wallet ' || h.wallet_id || ' does not exist'
  FROM hold h WHERE NOT EXISTS (SELECT FROM ledger_account a WHERE a.id = h.wallet_id AND a.kind = 'wallet')
-- Budgets: counters are the sums of their legs.
UNION ALL
SELECT 'budget_held_drift', 'budget ' || c.budget_id || ' of ' || c.period_start, c.held || ' held, open holds sum to ' || coalesce(s.held, 0)
  FROM budget_counter c LEFT JOIN leg_sum s USING (budget_id, period_start) WHERE c.held <> coalesce(s.held, 0)
UNION ALL
SELECT 'budget_spent_drift', 'budget ' || c.budget_id || ' of ' || c.period_start, c.spent || ' spent, usage rows and opening sum to ' || c.opening + coalesce(s.spent, 0)
  FROM budget_counter c LEFT JOIN leg_sum s USING (budget_id, period_start) WHERE c.spent <> c.opening + coalesce(s.spent, 0)
UNION ALL
SELECT 'orphan_leg', 'budget ' || s.budget_id || ' of ' || s.period_start, 'no such counter'
  FROM leg_sum s WHERE NOT EXISTS (SELECT FROM budget_counter c WHERE c.budget_id = s.budget_id AND c.period_start = s.period_start)
UNION ALL
SELECT 'orphan_leg', 'call ' || l.call_id, 'counted by budget ' || l.budget_id || ', but neither hold nor usage row exists'
  FROM budget_leg l
 WHERE NOT EXISTS (SELECT FROM hold h WHERE h.id = l.call_id) AND NOT EXISTS (SELECT FROM usage_event e WHERE e.request_id = l.call_id)
-- Rate windows.
UNION ALL
SELECT 'rate_drift', 'key ' || coalesce(w.key_id, s.key_id), coalesce(w.used, 0) || ' used, stamps sum to ' || coalesce(s.total, 0)
  FROM rate_window w FULL JOIN (SELECT key_id, sum(n) AS total FROM rate_stamp GROUP BY key_id) s ON s.key_id = w.key_id
 WHERE coalesce(w.used, 0) <> coalesce(s.total, 0);
