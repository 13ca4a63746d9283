-- What a payer owes for calls that are posted together: the ledger transaction that its entries go to, and their sum.
CREATE TYPE due_charge AS (txn_id bigint, payer bigint, forgiven boolean, organisation_id integer, total bigint);
-- `accounting_post_calls` and `accounting_post_sums` take its place.
DROP FUNCTION IF EXISTS accounting_post(finished_call[], call_finding[], jsonb, timestamptz[], text);
