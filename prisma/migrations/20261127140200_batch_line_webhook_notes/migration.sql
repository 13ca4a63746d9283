-- What guardrail webhooks decided about a line before it was sent; the request log has it once there is an answer.
ALTER TABLE batch_line ADD COLUMN webhook_notes jsonb;
