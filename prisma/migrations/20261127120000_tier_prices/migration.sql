-- Prices of calls that the supplier answers at another tier of service: an object by the tier's name, flex, priority or batch.
-- Amounts are texts, nano-USD per million tokens. NULL: every tier costs the same.
ALTER TABLE price ADD COLUMN tiers jsonb;
