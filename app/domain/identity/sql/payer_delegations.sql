-- What ends an agreement to pay for somebody by itself.
CREATE OR REPLACE FUNCTION end_payer_delegations() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE payer_delegation d SET ended_at = app_now()
   WHERE NEW.id IN (d.user_id, d.payer_id) AND d.ended_at IS NULL
     AND (NEW.status IN ('archived', 'deleted')
          OR EXISTS (SELECT FROM app_user o
                      WHERE o.id IN (d.user_id, d.payer_id) AND o.organisation_id <> NEW.organisation_id));
  RETURN NULL;
END $$;
