-- What the request log is narrowed to and few calls have: each index holds these only, so the others cost nothing.
CREATE INDEX usage_event_unfinished ON usage_event (organisation_id, id) WHERE outcome <> 'complete';
CREATE INDEX usage_event_unfinished_key ON usage_event (key_id, id) WHERE outcome <> 'complete';
CREATE INDEX usage_event_code ON usage_event (organisation_id, error_code, id) WHERE error_code IS NOT NULL;
CREATE INDEX usage_event_session ON usage_event (organisation_id, session_id, id) WHERE session_id IS NOT NULL;
-- When a key was refused last, also of keys that never were.
CREATE INDEX refusal_hour_last ON refusal_hour (key_id, last_at);
