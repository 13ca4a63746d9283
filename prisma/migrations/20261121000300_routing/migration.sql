-- What the autorouter may know of a model. NULL: nobody has said.
ALTER TABLE model
  ADD COLUMN tools boolean,
  ADD COLUMN images boolean,
  ADD COLUMN quality smallint CHECK (quality BETWEEN 0 AND 100),
  ADD COLUMN auto boolean NOT NULL DEFAULT true;
