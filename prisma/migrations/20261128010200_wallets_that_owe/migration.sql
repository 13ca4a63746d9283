CREATE INDEX CONCURRENTLY IF NOT EXISTS ledger_account_owed ON ledger_account (id) WHERE owed > 0;
