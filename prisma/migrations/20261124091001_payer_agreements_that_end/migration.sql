-- People are told when an agreement about who pays has ended by itself.
ALTER TABLE billing_notice DROP CONSTRAINT billing_notice_kind_check;
ALTER TABLE billing_notice ADD CONSTRAINT billing_notice_kind_check
  CHECK (kind IN ('topup_limit', 'card_expires', 'paid_for', 'payer_ended'));
