-- Which wallet a request was refused for want of money in; NULL where it was refused for something else.
ALTER TABLE gateway_refusal ADD COLUMN wallet_id bigint;
