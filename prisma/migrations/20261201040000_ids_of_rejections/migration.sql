-- The ids of the latest requests of a burst, besides its first one. Clients that repeat a request show the id of the last answer.
ALTER TABLE gateway_refusal ADD COLUMN later_ids uuid[] NOT NULL DEFAULT '{}';
