-- Ends payer agreements and requests when a person is archived, deleted or moved to another organisation. Each gets an
-- audit event, and the two people are notified if they are still active.
CREATE OR REPLACE FUNCTION end_payer_delegations() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  v_ended record;
BEGIN
  FOR v_ended IN
    UPDATE payer_delegation d SET ended_at = app_now()
     WHERE NEW.id IN (d.user_id, d.payer_id) AND d.ended_at IS NULL
       AND (NEW.status IN ('archived', 'deleted')
            OR EXISTS (SELECT FROM app_user o
                        WHERE o.id IN (d.user_id, d.payer_id) AND o.organisation_id <> NEW.organisation_id))
    RETURNING d.id, d.user_id, d.payer_id, d.accepted_at
  LOOP
    INSERT INTO act (actor_label, organisation_id, subject_user_id, action, target_kind, target_id, target_label, before, after)
      SELECT 'gw', OLD.organisation_id, u.id, 'user.payer_end', 'user', u.id::text, u.email, '{}', jsonb_build_object('payer', p.email)
        FROM app_user u, app_user p WHERE u.id = v_ended.user_id AND p.id = v_ended.payer_id;
    CONTINUE WHEN v_ended.accepted_at IS NULL;
    INSERT INTO billing_notice (kind, subject, user_id, facts)
      SELECT 'payer_ended', concat_ws(':', v_ended.id, told.id), told.id,
             jsonb_build_object('pays', told.id = v_ended.payer_id, 'person',
               CASE WHEN other.id = OLD.id THEN coalesce(nullif(OLD.name, ''), OLD.email) ELSE coalesce(nullif(other.name, ''), other.email) END)
        FROM app_user told JOIN app_user other ON other.id IN (v_ended.user_id, v_ended.payer_id) AND other.id <> told.id
       WHERE told.id IN (v_ended.user_id, v_ended.payer_id) AND told.status = 'active';
  END LOOP;
  RETURN NULL;
END $$;
