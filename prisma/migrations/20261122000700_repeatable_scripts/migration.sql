-- The texts of functions and views that this database has had, beside the migrations: app/domain/<room>/sql/<name>.sql.
CREATE TABLE repeatable_script (
  name       text NOT NULL,
  -- SHA-256 of the text, in hexadecimal digits.
  checksum   text NOT NULL,
  applied_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (name, checksum)
);
