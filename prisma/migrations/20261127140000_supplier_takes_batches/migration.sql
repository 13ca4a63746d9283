-- Suppliers that take whole files of requests, at a price of their own.
ALTER TABLE supplier
  -- The format in which it takes batches; null: not at all.
  ADD COLUMN batch_protocol text,
  -- What its prices are multiplied by in a batch, in millionths.
  ADD COLUMN batch_price    integer CHECK (batch_price BETWEEN 0 AND 1000000),
  ADD CHECK ((batch_protocol IS NULL) = (batch_price IS NULL));
