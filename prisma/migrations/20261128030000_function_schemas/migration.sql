-- Each release has its SQL functions and views in a schema of its own, so that two releases can work on one database. A row for each of these
-- schemas: since when it is there, and when a process that uses it was last seen.
CREATE TABLE function_schema (
  name    text PRIMARY KEY,
  made_at timestamptz NOT NULL DEFAULT now(),
  seen_at timestamptz NOT NULL DEFAULT now()
);

-- The newest migration that a program has to know in order to work with this database. A migration that takes something away sets it; a
-- program that knows less does not start.
CREATE TABLE schema_floor (
  is_only   boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  migration text NOT NULL
);
INSERT INTO schema_floor (migration) VALUES ('20261127200000_spare_holds');
