-- Entries that are no usage are few and looked for by kind; usage, which every call posts, stays out of this index.
CREATE INDEX ledger_txn_kind ON ledger_txn (kind, id) WHERE kind <> 'usage';
