-- The audit log: append-only, chained by hashes, with pseudonyms for people who are deleted.

-- The only change that the audit log allows: a deleted person's name and address are replaced with a pseudonym. Author,
-- target, kind and time of each event remain.
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

-- app/domain/activity/chain-store.ts repeats the three digests, because the verification must not trust the functions
-- that wrote them.
CREATE OR REPLACE FUNCTION act_fixed_digest(a act) RETURNS bytea LANGUAGE sql STABLE AS $$
  SELECT sha256(convert_to(jsonb_build_array(a.id, (extract(epoch FROM a.at) * 1000000)::bigint, a.actor_id, a.organisation_id,
    a.department_id, a.subject_user_id, a.action, a.target_kind, a.target_id)::text, 'UTF8'))
$$;

CREATE OR REPLACE FUNCTION act_redactable_digest(a act) RETURNS bytea LANGUAGE sql STABLE AS $$
  SELECT sha256(convert_to(jsonb_build_array(a.salt, a.actor_label, a.address, a.target_label, a.before, a.after)::text, 'UTF8'))
$$;

-- This lock is the last one of its transaction, so no transaction waits for another lock while it has this one. It
-- makes the order of the chain the order of the commits.
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

-- Replaces the name and address of a deleted person with a pseudonym, with a new salt. Returns the number of events.
CREATE OR REPLACE FUNCTION act_pseudonymise(p_user integer, p_email text, p_name text, p_pseudonym text) RETURNS integer LANGUAGE plpgsql
SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  -- As jsonb writes them: the address anywhere, the name only as the value of "name".
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

-- These functions run with the rights of the tables' owner, so that the server's role needs no rights on tables that
-- only they write. No other role may attach them to a trigger of its own.
REVOKE EXECUTE ON FUNCTION audit_chain_append() FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION act_pseudonymise(integer, text, text, text) FROM PUBLIC;
