-- A paid checkout may be credited with less than was asked for: what was paid is what is proven.
ALTER TABLE payment DROP CONSTRAINT payment_check;
ALTER TABLE payment ADD CONSTRAINT payment_charged_is_positive CHECK (charged_cents > 0) NOT VALID;
-- What was asked for, where the wallet got less.
ALTER TABLE payment ADD COLUMN asked_amount bigint CHECK (asked_amount > 0);

-- Paid checkouts whose amount is not the one that was asked for. Cents are without the tax that came on top.
CREATE TABLE payment_mismatch (
  payment_id  uuid PRIMARY KEY REFERENCES payment (id),
  asked_cents bigint NOT NULL,
  paid_cents  bigint NOT NULL,
  -- Nano-USD.
  credited    bigint NOT NULL,
  created_at  timestamptz NOT NULL DEFAULT app_now(),
  told_at     timestamptz
);
CREATE INDEX payment_mismatch_created ON payment_mismatch (created_at);

-- When those who run the installation were told of an event that could not be applied.
ALTER TABLE processor_event ADD COLUMN told_at timestamptz;
