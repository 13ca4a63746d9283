-- What is wrong between gw and the payment processor as long as it is: the key, its rights, the webhook endpoint, whose events come.
CREATE TABLE processor_problem (
  kind     text PRIMARY KEY,
  -- In the processor's words: ids, addresses, types of events. No secret.
  detail   text NOT NULL,
  since    timestamptz NOT NULL DEFAULT app_now(),
  seen_at  timestamptz NOT NULL DEFAULT app_now(),
  told_at  timestamptz
);
