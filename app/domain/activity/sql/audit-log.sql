-- The audit log: append-only, chained by hashes, with pseudonyms for people who are deleted.

-- The one change that the audit log allows: a deleted person's name and address are exchanged for a pseudonym. Who did what
-- to whom, and when, stays.
CREATE OR REPLACE FUNCTION act_fixed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND current_setting('gw.pseudonym', true) = 'on'
     AND (NEW.id, NEW.at, NEW.actor_id, NEW.organisation_id, NEW.department_id, NEW.subject_user_id, NEW.action, NEW.target_kind, NEW.target_id)
         IS NOT DISTINCT FROM
         (OLD.id, OLD.at, OLD.actor_id, OLD.organisation_id, OLD.department_id, OLD.subject_user_id, OLD.action, OLD.target_kind, OLD.target_id) THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'act is append-only: % refused', TG_OP USING ERRCODE = '23514';
END $$;

-- app/domain/activity/chain-store.ts spells the three forms once more: what verifies does not trust what has written.
CREATE OR REPLACE FUNCTION act_fixed_digest(a act) RETURNS bytea LANGUAGE sql STABLE AS $$
  SELECT sha256(convert_to(jsonb_build_array(a.id, (extract(epoch FROM a.at) * 1000000)::bigint, a.actor_id, a.organisation_id,
    a.department_id, a.subject_user_id, a.action, a.target_kind, a.target_id)::text, 'UTF8'))
$$;

CREATE OR REPLACE FUNCTION act_redactable_digest(a act) RETURNS bytea LANGUAGE sql STABLE AS $$
  SELECT sha256(convert_to(jsonb_build_array(a.salt, a.actor_label, a.address, a.target_label, a.before, a.after)::text, 'UTF8'))
$$;

-- The lock is the last one of its transaction, so nobody waits for anything while holding it, and it orders the chain as the
-- transactions commit.
CREATE OR REPLACE FUNCTION audit_chain_append() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  v_position bigint;
  v_previous bytea;
  v_fixed    bytea;
  v_redactable bytea;
BEGIN
  PERFORM pg_advisory_xact_lock(7203114421);
  SELECT position, hash INTO v_position, v_previous FROM audit_chain ORDER BY position DESC LIMIT 1;
  v_position := coalesce(v_position, 0) + 1;
  v_fixed := act_fixed_digest(NEW);
  v_redactable := act_redactable_digest(NEW);
  INSERT INTO audit_chain (position, act_id, fixed_digest, redactable_digest, hash)
    VALUES (v_position, NEW.id, v_fixed, v_redactable,
            sha256(coalesce(v_previous, '') || int8send(v_position) || v_fixed || v_redactable));
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION audit_chain_guard() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF pg_trigger_depth() < 2 THEN
    RAISE EXCEPTION 'audit_chain is written by the events themselves: % refused', TG_OP USING ERRCODE = '23514';
  END IF;
  RETURN NEW;
END $$;

-- Exchanges the name and address of a person who is deleted for a pseudonym, with a new salt. Answers how many events that were.
CREATE OR REPLACE FUNCTION act_pseudonymise(p_user integer, p_email text, p_name text, p_pseudonym text) RETURNS integer LANGUAGE plpgsql
SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  -- As jsonb spells them: the address wherever it stands, the name only where it is called one.
  v_email CONSTANT text := to_jsonb(p_email)::text;
  v_name CONSTANT text := '"name": ' || to_jsonb(p_name)::text;
  v_pseudonym CONSTANT text := to_jsonb(p_pseudonym)::text;
  v_rows integer;
BEGIN
  IF NOT EXISTS (SELECT FROM app_user WHERE id = p_user AND status = 'deleted') THEN
    RAISE EXCEPTION 'person % is not deleted', p_user USING ERRCODE = '23514';
  END IF;
  PERFORM set_config('gw.pseudonym', 'on', true);
  UPDATE act
     SET salt = gen_random_uuid(),
         actor_label = CASE WHEN actor_id = p_user THEN p_pseudonym ELSE actor_label END,
         address = CASE WHEN actor_id = p_user THEN '' ELSE address END,
         target_label = CASE WHEN target_label = p_email OR (target_kind = 'user' AND target_id = p_user::text) THEN p_pseudonym ELSE target_label END,
         before = replace(CASE WHEN target_kind = 'user' AND target_id = p_user::text THEN replace(before::text, v_name, '"name": ' || v_pseudonym)
                               ELSE before::text END, v_email, v_pseudonym)::jsonb,
         after = replace(CASE WHEN target_kind = 'user' AND target_id = p_user::text THEN replace(after::text, v_name, '"name": ' || v_pseudonym)
                              ELSE after::text END, v_email, v_pseudonym)::jsonb
   WHERE actor_id = p_user OR subject_user_id = p_user OR (target_kind = 'user' AND target_id = p_user::text) OR target_label = p_email;
  GET DIAGNOSTICS v_rows = ROW_COUNT;
  PERFORM set_config('gw.pseudonym', 'off', true);
  RETURN v_rows;
END $$;

-- These run with the rights of the tables' owner, so a server whose role owns nothing needs no right to what only they write.
-- Nobody else can put them behind a trigger of their own.
REVOKE EXECUTE ON FUNCTION audit_chain_append() FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION act_pseudonymise(integer, text, text, text) FROM PUBLIC;
