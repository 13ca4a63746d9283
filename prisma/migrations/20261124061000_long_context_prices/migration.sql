-- Prices of calls with long inputs, a list of objects: the number of input tokens above which each holds, and the prices of all
-- of such a call's tokens. Amounts are texts, nano-USD per million tokens. NULL: every length costs the same.
ALTER TABLE price ADD COLUMN long_context jsonb;
