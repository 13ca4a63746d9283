-- Whether figures of an organisation's requests may stand in the quality explorer, and in groups of how many at least.
ALTER TABLE organisation ADD COLUMN quality_opt_in boolean NOT NULL DEFAULT false,
  ADD COLUMN quality_minimum integer NOT NULL DEFAULT 20 CHECK (quality_minimum BETWEEN 5 AND 10000);
