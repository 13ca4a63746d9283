-- Settles one batch and admits another in one transaction: one round trip and one flush to disk for both, and no waiting of
-- the two for each other's locks on the same wallet and budgets. Settlements come first, so that what they free can be held
-- at once. Answers both answers with '|' between them. Everything that either half locks is locked here first, in the common
-- order (rate windows by key, budgets by id, wallets by id), because each half alone would begin again at the front of it.
CREATE FUNCTION accounting_settle_and_admit(
  s_ids uuid[], s_held boolean[], s_organisations integer[], s_keys integer[], s_users integer[], s_departments integer[],
  s_projects integer[], s_wallets bigint[], s_exempt boolean[], s_costs bigint[], s_outcomes text[], s_prices bigint[],
  s_endpoints text[], s_requested text[], s_models text[], s_suppliers text[], s_regions text[], s_streams boolean[],
  s_sessions text[], s_input integer[], s_cached integer[], s_cache_write integer[], s_output integer[], s_reasoning integer[],
  s_sources text[], s_statuses integer[], s_errors text[], s_attempts jsonb, s_started bigint[], s_first_byte integer[],
  s_latency integer[], s_actor text,
  a_ids uuid[], a_organisations integer[], a_keys integer[], a_users integer[], a_departments integer[], a_projects integer[],
  a_wallets bigint[], a_exempt boolean[], a_amounts bigint[], a_rpm integer[], a_prices bigint[],
  a_owner text, a_lease interval
) RETURNS text LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off
SET enable_bitmapscan = off SET jit = off
AS $$
DECLARE
  v_keys integer[];
  v_budgets bigint[];
  v_wallets bigint[];
  v_settled text;
BEGIN
  SELECT array_agg(DISTINCT u.k) INTO v_keys FROM unnest(a_keys, a_rpm) u(k, rpm) WHERE u.rpm IS NOT NULL;
  IF v_keys IS NOT NULL THEN
    PERFORM FROM rate_window WHERE key_id = ANY (v_keys) ORDER BY key_id FOR NO KEY UPDATE;
    INSERT INTO rate_window (key_id)
      SELECT k FROM unnest(v_keys) k WHERE NOT EXISTS (SELECT FROM rate_window w WHERE w.key_id = k) ORDER BY k ON CONFLICT DO NOTHING;
  END IF;

  SELECT array_agg(x.id) INTO v_budgets
    FROM (SELECT budget_id AS id FROM budget_leg WHERE call_id = ANY (s_ids)
          UNION
          SELECT b.id
            FROM (SELECT DISTINCT k, u, d, p, o
                    FROM (SELECT * FROM unnest(a_keys, a_users, a_departments, a_projects, a_organisations)
                          UNION ALL
                          SELECT * FROM unnest(s_keys, s_users, s_departments, s_projects, s_organisations)) y(k, u, d, p, o)) c
            CROSS JOIN LATERAL (VALUES ('key', c.k), ('user', c.u), ('department', c.d), ('project', c.p), ('organisation', c.o)) s(kind, id)
            JOIN budget b ON b.scope_kind = s.kind AND b.scope_id = s.id AND b.active) x;
  IF v_budgets IS NOT NULL THEN
    PERFORM FROM budget WHERE id = ANY (v_budgets) ORDER BY id FOR NO KEY UPDATE;
  END IF;

  SELECT array_agg(x.id) INTO v_wallets
    FROM (SELECT wallet_id AS id FROM hold WHERE id = ANY (s_ids)
          UNION SELECT unnest(s_wallets)
          UNION SELECT u.w FROM unnest(a_wallets, a_exempt) u(w, exempt) WHERE NOT u.exempt) x;
  PERFORM FROM ledger_account WHERE id = ANY (v_wallets) AND kind = 'wallet' ORDER BY id FOR NO KEY UPDATE;

  v_settled := accounting_settle(
    s_ids, s_held, s_organisations, s_keys, s_users, s_departments, s_projects, s_wallets, s_exempt, s_costs, s_outcomes, s_prices,
    s_endpoints, s_requested, s_models, s_suppliers, s_regions, s_streams, s_sessions, s_input, s_cached, s_cache_write, s_output,
    s_reasoning, s_sources, s_statuses, s_errors, s_attempts, s_started, s_first_byte, s_latency, s_actor);
  RETURN v_settled || '|' || accounting_admit(
    a_ids, a_organisations, a_keys, a_users, a_departments, a_projects, a_wallets, a_exempt, a_amounts, a_rpm, a_prices, a_owner, a_lease);
END $$;
