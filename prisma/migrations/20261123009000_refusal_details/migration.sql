-- What a refusal for want of money was decided on, as its client was told it, so that pages say it in their reader's language.
ALTER TABLE gateway_refusal ADD COLUMN details jsonb;
