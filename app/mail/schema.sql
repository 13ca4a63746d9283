-- `npm run migrate -- picture` writes this file, and keeps its comments.

-- An email to send, or already sent. Its content is sealed, and removed once the email is sent or has failed for good.
CREATE TABLE mail (
  id text PRIMARY KEY,
  kind text NOT NULL,
  sealed text,
  created_at timestamptz(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  -- Time of the next attempt; during an attempt, until when no other process may send it.
  next_try_at timestamptz(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  attempts integer NOT NULL DEFAULT 0,
  -- Time from which the email is useless, because its link has expired.
  useless_at timestamptz(6),
  sent_at timestamptz(6),
  failed_at timestamptz(6),
  last_error text NOT NULL DEFAULT ''
);
CREATE INDEX mail_next_try_at_idx ON mail (next_try_at);
