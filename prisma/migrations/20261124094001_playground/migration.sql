-- What the person's calls from the playground have taken, or may still take, of its budget on one day in UTC.
ALTER TABLE app_user ADD COLUMN playground_day date, ADD COLUMN playground_nano_usd bigint NOT NULL DEFAULT 0;
