-- The auditor.

-- Settled calls that are not posted yet, in the form of their future usage rows.
CREATE OR REPLACE VIEW unposted_call AS
  SELECT c.id, c.organisation_id, c.key_id, c.user_id, c.department_id, c.project_id, h.wallet_id, h.exempt, c.outcome,
         CASE WHEN c.outcome = 'not_executed' THEN 0 ELSE least(c.cost, h.amount) END AS charged,
         CASE WHEN c.outcome = 'not_executed' THEN 0 ELSE c.cost END AS cost, to_timestamp(c.started / 1000.0) AS started_at
    FROM unposted_turn t CROSS JOIN LATERAL unnest(t.calls::finished_call[]) c LEFT JOIN hold h ON h.id = c.id;

-- Every row is a defect. The view is empty on a sound database at any moment, also with calls in flight. It makes five passes over
-- large tables: entries by account, transactions with their entries and usage, calls, budget legs, and the usage rows of the last
-- days, which must match their hourly sums.
CREATE OR REPLACE VIEW ledger_audit AS
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
), call_usage AS MATERIALIZED (
  SELECT request_id, held, exempt, wallet_id, outcome, charged, cost, txn_id, true AS posted FROM usage_event
  UNION ALL
  SELECT id, true, exempt, wallet_id, outcome, charged, cost, NULL, false FROM unposted_call
), call_defect AS (
  SELECT coalesce(h.id, e.request_id) AS call_id, h.state, h.amount, h.captured, h.absorbed, h.wallet_id, e.charged, e.cost, e.txn_id,
         CASE
           WHEN e.posted AND e.charged > 0 AND e.txn_id IS NULL THEN 'usage_unposted'
           WHEN h.state = 'settled' AND e.request_id IS NULL THEN 'settled_without_usage'
           WHEN e.held AND (h.id IS NULL OR h.captured <> e.charged OR h.captured + h.absorbed <> e.cost OR h.wallet_id <> e.wallet_id
                            OR h.state <> CASE WHEN e.outcome = 'not_executed' THEN 'released' ELSE 'settled' END) THEN 'usage_against_hold'
           WHEN NOT e.held AND (h.id IS NOT NULL OR e.charged <> e.cost OR (e.charged > 0 AND NOT e.exempt)) THEN 'usage_against_hold'
           WHEN h.captured NOT BETWEEN 0 AND h.amount OR h.absorbed < 0 OR (h.state <> 'settled' AND (h.captured <> 0 OR h.absorbed <> 0))
                OR (h.state IN ('settled', 'released')) <> (h.resolved_at IS NOT NULL) THEN 'hold_state'
           WHEN h.id IS NOT NULL AND NOT EXISTS (SELECT FROM ledger_account a WHERE a.id = h.wallet_id AND a.kind = 'wallet') THEN 'orphan_hold'
         END AS defect
    FROM hold h FULL JOIN call_usage e ON e.request_id = h.id
), leg_total AS (
  -- Many holds share the same legs, so they are summed before the legs are expanded.
  SELECT h.leg_budgets, h.leg_starts, coalesce(sum(h.amount) FILTER (WHERE h.state IN ('reserved', 'dispatched', 'review')), 0) AS held,
         coalesce(sum(e.charged), 0) AS spent
    FROM hold h LEFT JOIN call_usage e ON e.request_id = h.id
   WHERE h.leg_budgets <> '{}' GROUP BY h.leg_budgets, h.leg_starts
), leg_sum AS MATERIALIZED (
  SELECT budget_id, period_start, sum(held) AS held, sum(spent) AS spent, sum(orphans) AS orphans
    FROM (SELECT l.budget_id, l.period_start, t.held, t.spent, 0 AS orphans
            FROM leg_total t CROSS JOIN LATERAL unnest(t.leg_budgets, t.leg_starts) l(budget_id, period_start)
          UNION ALL
          SELECT l.budget_id, l.period_start,
                 coalesce(sum(h.amount) FILTER (WHERE h.state IN ('reserved', 'dispatched', 'review')), 0),
                 coalesce(sum(e.charged), 0),
                 count(*) FILTER (WHERE h.id IS NULL AND e.request_id IS NULL)
            FROM budget_leg l LEFT JOIN hold h ON h.id = l.call_id LEFT JOIN call_usage e ON e.request_id = l.call_id
           GROUP BY l.budget_id, l.period_start) x
   GROUP BY budget_id, period_start
), hour_usage AS (
  SELECT organisation_id, key_id, count(*) AS requests, sum(cost) AS cost, sum(charged) AS charged, sum(input_tokens) AS input_tokens,
         sum(output_tokens) AS output_tokens
    FROM usage_event WHERE started_at >= date_trunc('hour', app_now(), 'UTC') - interval '48 hours' GROUP BY 1, 2
), hour_sum AS (
  SELECT organisation_id, key_id, sum(requests) AS requests, sum(cost) AS cost, sum(charged) AS charged, sum(input_tokens) AS input_tokens,
         sum(output_tokens) AS output_tokens
    FROM usage_hour WHERE hour >= date_trunc('hour', app_now(), 'UTC') - interval '48 hours' GROUP BY 1, 2
), day_usage AS (
  SELECT organisation_id, date_trunc('day', hour, 'UTC') AS day, key_id, sum(requests) AS requests, sum(cost) AS cost, sum(charged) AS charged,
         sum(input_tokens) AS input_tokens, sum(output_tokens) AS output_tokens
    FROM usage_hour
   WHERE hour >= date_trunc('day', app_now(), 'UTC') - interval '72 hours' AND hour < (SELECT complete_before FROM usage_days) GROUP BY 1, 2, 3
), day_sum AS (
  SELECT organisation_id, day, key_id, sum(requests) AS requests, sum(cost) AS cost, sum(charged) AS charged, sum(input_tokens) AS input_tokens,
         sum(output_tokens) AS output_tokens
    FROM usage_day
   WHERE day >= date_trunc('day', app_now(), 'UTC') - interval '72 hours' AND day < (SELECT complete_before FROM usage_days) GROUP BY 1, 2, 3
), model_sum AS (
  SELECT organisation_id, day, sum(requests) AS requests, sum(cost) AS cost, sum(charged) AS charged, sum(input_tokens) AS input_tokens,
         sum(output_tokens) AS output_tokens
    FROM usage_model_day
   WHERE day >= date_trunc('day', app_now(), 'UTC') - interval '72 hours' AND day < (SELECT complete_before FROM usage_days) GROUP BY 1, 2
), all_keys AS (
  SELECT organisation_id, day, sum(requests) AS requests, sum(cost) AS cost, sum(charged) AS charged, sum(input_tokens) AS input_tokens,
         sum(output_tokens) AS output_tokens
    FROM day_sum GROUP BY 1, 2
), open_hold AS (
  SELECT wallet_id, sum(amount) AS total
    FROM (SELECT wallet_id, amount FROM hold WHERE state IN ('reserved', 'dispatched', 'review') AND NOT exempt
          UNION ALL
          SELECT wallet_id, charged FROM unposted_call WHERE NOT exempt) x
   GROUP BY wallet_id
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
-- A payer with a debt has at most its promotional credit, and can spend no more than that.
UNION ALL
SELECT 'wallet_owes_and_spends', 'account ' || a.id, -r.posted || ' owed, the wallet has ' || a.posted || ', holds ' || a.held || ' and has credit of ' || a.credit_limit
  FROM ledger_account r JOIN ledger_account a ON a.kind = 'wallet' AND a.payer_kind = r.payer_kind AND a.payer_id = r.payer_id AND a.currency = r.currency
 CROSS JOIN LATERAL (
   SELECT coalesce(sum(c.remaining), 0) AS remaining, coalesce(sum(c.remaining + c.withdrawn), 0) AS given
     FROM promotion_credit c JOIN ledger_account o ON o.id = c.wallet_id WHERE a.id IN (o.id, o.heir_id)) g
 WHERE r.kind = 'receivable' AND r.posted < 0 AND NOT a.exempt AND a.heir_id IS NULL
   AND (a.posted > g.remaining OR a.posted + a.credit_limit - a.held > g.given)
UNION ALL
SELECT 'wallet_held_drift', 'account ' || a.id, a.held || ' held, open holds and charges to be posted sum to ' || coalesce(h.total, 0)
  FROM ledger_account a LEFT JOIN open_hold h ON h.wallet_id = a.id WHERE a.held <> coalesce(h.total, 0)
-- Transactions: at least two legs with the sum zero; a usage transaction is the sum of the usage rows that name it.
UNION ALL
SELECT defect, 'transaction ' || txn_id,
       coalesce(kind, 'no transaction') || ': ' || coalesce(legs, 0) || ' legs sum to ' || coalesce(total, 0) || ', '
       || coalesce('account ' || payer, 'nobody') || ' pays ' || coalesce(paid, 0) || ', usage rows charge '
       || coalesce('wallet ' || wallet_id, 'nobody') || ' ' || coalesce(charged, 0)
  FROM txn_defect WHERE defect IS NOT NULL
-- Calls: each settled hold has exactly one usage row with the same amounts.
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
 WHERE (s.requests, s.cost, s.charged, s.input_tokens, s.output_tokens) IS DISTINCT FROM (u.requests, u.cost, u.charged, u.input_tokens, u.output_tokens)
-- Daily sums, except those of days that received later postings.
UNION ALL
SELECT 'usage_day_drift', 'key ' || key_id || ' of organisation ' || organisation_id,
       to_char(day AT TIME ZONE 'UTC', 'YYYY-MM-DD') || ' says ' || coalesce(s.requests, 0) || ' calls charged ' || coalesce(s.charged, 0)
       || ', its hours say ' || coalesce(u.requests, 0) || ' and ' || coalesce(u.charged, 0)
  FROM day_sum s FULL JOIN day_usage u USING (organisation_id, day, key_id)
 WHERE (s.requests, s.cost, s.charged, s.input_tokens, s.output_tokens) IS DISTINCT FROM (u.requests, u.cost, u.charged, u.input_tokens, u.output_tokens)
   AND NOT EXISTS (SELECT FROM usage_late l WHERE (l.organisation_id, l.day) = (coalesce(s.organisation_id, u.organisation_id), coalesce(s.day, u.day)))
UNION ALL
SELECT 'usage_day_drift', 'models of organisation ' || organisation_id,
       to_char(day AT TIME ZONE 'UTC', 'YYYY-MM-DD') || ' says ' || coalesce(s.requests, 0) || ' calls charged ' || coalesce(s.charged, 0)
       || ', its keys say ' || coalesce(u.requests, 0) || ' and ' || coalesce(u.charged, 0)
  FROM model_sum s FULL JOIN all_keys u USING (organisation_id, day)
 WHERE (s.requests, s.cost, s.charged, s.input_tokens, s.output_tokens) IS DISTINCT FROM (u.requests, u.cost, u.charged, u.input_tokens, u.output_tokens);

-- The defects as JSON, including those of promotional credit and automatic charges, with enough memory to audit a large ledger
-- without temporary files.
CREATE OR REPLACE FUNCTION ledger_defects() RETURNS text LANGUAGE sql
SET work_mem = '96MB' SET jit = off
AS $$
  SELECT coalesce(json_agg(x ORDER BY x.defect, x.subject), '[]')::text
    FROM (SELECT defect, subject, detail FROM ledger_audit UNION ALL SELECT defect, subject, detail FROM promotion_audit
          UNION ALL SELECT defect, subject, detail FROM auto_topup_audit LIMIT 1000) x
$$;
