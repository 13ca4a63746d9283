-- How `auto` chooses: "off" or the name of an algorithm, and the model that it is compared with. NULL: as the next wider setting
-- says. A key has the same two as entries of its metadata.
ALTER TABLE organisation ADD COLUMN autorouter text, ADD COLUMN autorouter_default text;
ALTER TABLE app_user ADD COLUMN autorouter text, ADD COLUMN autorouter_default text;
-- Explanations that somebody has hidden.
ALTER TABLE app_user ADD COLUMN hidden_help text[] NOT NULL DEFAULT '{}';

-- Few calls are the autorouter's, and its page reads nothing else.
CREATE INDEX usage_event_routed ON usage_event (organisation_id, started_at, id) WHERE counterfactual IS NOT NULL;
