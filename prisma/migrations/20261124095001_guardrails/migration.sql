-- What of requests and answers is refused, redacted or flagged: for all of an organisation, and for single keys beyond that.
ALTER TABLE organisation ADD COLUMN guardrails jsonb NOT NULL DEFAULT '[]';
ALTER TABLE api_key ADD COLUMN guardrails jsonb NOT NULL DEFAULT '[]';
