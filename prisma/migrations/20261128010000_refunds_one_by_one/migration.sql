-- Money that goes back to a customer, refund by refund. One that has failed stays so: the customer has not got it.
CREATE TABLE payment_refund (
  id          text PRIMARY KEY,
  payment_id  uuid NOT NULL REFERENCES payment (id),
  cents       bigint NOT NULL CHECK (cents >= 0),
  failed      boolean NOT NULL,
  created_at  timestamptz NOT NULL DEFAULT app_now()
);
CREATE INDEX payment_refund_payment ON payment_refund (payment_id);
