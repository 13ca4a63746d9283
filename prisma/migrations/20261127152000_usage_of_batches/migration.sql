-- What the calls of a batch were charged. The index holds these calls only, so the others cost nothing.
CREATE INDEX usage_event_of_batch ON usage_event ((routing ->> 'batchId')) WHERE routing ->> 'batchId' IS NOT NULL;
