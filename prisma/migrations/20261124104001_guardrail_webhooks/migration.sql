-- Who is asked before a request is sent: address, time limit, what holds when there is no answer, and the sealed secret.
ALTER TABLE organisation ADD COLUMN guardrail_webhook jsonb;
ALTER TABLE api_key ADD COLUMN guardrail_webhook jsonb;
