-- Contradictions in automatic charges: a charge has a credit if and only if it succeeded, and both are for the same
-- wallet.
CREATE OR REPLACE VIEW auto_topup_audit AS
SELECT 'auto_topup_credit' AS defect, 'auto top-up ' || o.id AS subject,
       o.state || ', payment ' || p.state || ', ' || CASE WHEN p.credited_txn IS NULL THEN 'not ' ELSE '' END || 'credited' AS detail
  FROM auto_topup_operation o JOIN payment p ON p.id = o.id
 WHERE (o.state = 'succeeded') <> (p.credited_txn IS NOT NULL) OR o.wallet_id <> p.wallet_id;
