-- What the auditor has found, each time that it looked, and what the processor's balance was then. Amounts are nano-USD, except cents.
CREATE TABLE audit_run (
  id             bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  started_at     timestamptz NOT NULL DEFAULT app_now(),
  finished_at    timestamptz NOT NULL DEFAULT app_now(),
  -- [{defect, subject, detail}], at most a thousand.
  defects        jsonb NOT NULL,
  -- What came through the processor by the ledger, and by the payments on record; they have to be equal.
  clearing       bigint NOT NULL,
  credited       bigint NOT NULL,
  charged_cents  bigint NOT NULL,
  returned_cents bigint NOT NULL,
  processor      text NOT NULL CHECK (processor IN ('asked', 'away', 'none')),
  balance_cents  bigint CHECK ((balance_cents IS NOT NULL) = (processor = 'asked'))
);
