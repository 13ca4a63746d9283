-- Addresses of webhooks are kept sealed, which makes them longer.
ALTER TABLE alert_webhook DROP CONSTRAINT alert_webhook_url_check,
  ADD CONSTRAINT alert_webhook_url_check CHECK (length(url) BETWEEN 1 AND 4000);
