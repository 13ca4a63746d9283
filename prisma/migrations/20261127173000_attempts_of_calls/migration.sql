-- It takes the attempts of calls as an array now.
DROP FUNCTION IF EXISTS accounting_post_calls(finished_call[], call_finding[], jsonb, timestamptz[], text);
