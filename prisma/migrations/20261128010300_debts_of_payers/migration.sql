CREATE INDEX CONCURRENTLY IF NOT EXISTS ledger_account_receivable ON ledger_account (id) WHERE kind = 'receivable';
