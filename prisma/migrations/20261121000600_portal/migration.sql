-- People's sessions, other ways to sign in, acceptance of legal documents; invites, project members, resellers; the audit
-- trail of what people do. At the end: closing and merging organisations, the wallets they leave behind, pseudonyms, and the
-- indexes of the lists of people.

-- AlterTable
ALTER TABLE "app_user" ADD COLUMN     "billing_mode" TEXT NOT NULL DEFAULT 'inherit',
ADD COLUMN     "language" TEXT,
ADD COLUMN     "last_seen_at" TIMESTAMPTZ(6),
ADD COLUMN     "onboarding" JSONB NOT NULL DEFAULT '{}',
ADD COLUMN     "time_zone" TEXT;

-- AlterTable
ALTER TABLE "one_time_token" ADD COLUMN     "payload" JSONB;

-- AlterTable
ALTER TABLE "organisation" ADD COLUMN     "accent_colour" TEXT,
ADD COLUMN     "billing_user_id" INTEGER,
ADD COLUMN     "brand_name" TEXT,
ADD COLUMN     "merged_into_id" INTEGER,
ADD COLUMN     "portal_domain" TEXT,
ADD COLUMN     "reseller_id" INTEGER,
ADD COLUMN     "support_email" TEXT;

-- AlterTable
ALTER TABLE "project" ADD COLUMN     "archived_at" TIMESTAMPTZ(6),
ADD COLUMN     "created_by_id" INTEGER,
ADD COLUMN     "description" TEXT NOT NULL DEFAULT '';

-- CreateTable
CREATE TABLE "act" (
    "id" BIGSERIAL NOT NULL,
    "at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "actor_id" INTEGER,
    "actor_label" TEXT NOT NULL,
    "organisation_id" INTEGER,
    "department_id" INTEGER,
    "subject_user_id" INTEGER,
    "action" TEXT NOT NULL,
    "target_kind" TEXT NOT NULL,
    "target_id" TEXT NOT NULL,
    "target_label" TEXT NOT NULL DEFAULT '',
    "before" JSONB,
    "after" JSONB,
    "address" TEXT NOT NULL DEFAULT '',

    CONSTRAINT "act_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "session" (
    "id" SERIAL NOT NULL,
    "token_hash" BYTEA NOT NULL,
    "user_id" INTEGER NOT NULL,
    "admin_mode" BOOLEAN NOT NULL DEFAULT false,
    "admin_organisation_id" INTEGER,
    "user_agent" TEXT NOT NULL DEFAULT '',
    "address" TEXT NOT NULL DEFAULT '',
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "proved_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_seen_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "session_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "external_identity" (
    "id" SERIAL NOT NULL,
    "user_id" INTEGER NOT NULL,
    "provider" TEXT NOT NULL,
    "issuer" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "email" TEXT NOT NULL DEFAULT '',
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_used_at" TIMESTAMPTZ(6),

    CONSTRAINT "external_identity_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "legal_acceptance" (
    "id" SERIAL NOT NULL,
    "user_id" INTEGER NOT NULL,
    "document" TEXT NOT NULL,
    "version" TEXT NOT NULL,
    "address" TEXT NOT NULL DEFAULT '',
    "accepted_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "legal_acceptance_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "sign_in_throttle" (
    "subject" TEXT NOT NULL,
    "failures" INTEGER NOT NULL DEFAULT 0,
    "window_start" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "locked_until" TIMESTAMPTZ(6),

    CONSTRAINT "sign_in_throttle_pkey" PRIMARY KEY ("subject")
);

-- CreateTable
CREATE TABLE "project_member" (
    "project_id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,
    "added_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "project_member_pkey" PRIMARY KEY ("project_id","user_id")
);

-- CreateTable
CREATE TABLE "invite" (
    "id" SERIAL NOT NULL,
    "organisation_id" INTEGER NOT NULL,
    "department_id" INTEGER,
    "email" TEXT NOT NULL,
    "role" TEXT NOT NULL,
    "token_hash" BYTEA NOT NULL,
    "invited_by_id" INTEGER,
    "accepted_by_id" INTEGER,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(6) NOT NULL,
    "accepted_at" TIMESTAMPTZ(6),
    "revoked_at" TIMESTAMPTZ(6),

    CONSTRAINT "invite_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "act_organisation_id_id_idx" ON "act"("organisation_id", "id" DESC);

-- CreateIndex
CREATE INDEX "act_actor_id_id_idx" ON "act"("actor_id", "id" DESC);

-- CreateIndex
CREATE INDEX "act_subject_user_id_id_idx" ON "act"("subject_user_id", "id" DESC);

-- CreateIndex
CREATE INDEX "act_target_kind_target_id_idx" ON "act"("target_kind", "target_id");

-- CreateIndex
CREATE UNIQUE INDEX "session_token_hash_key" ON "session"("token_hash");

-- CreateIndex
CREATE INDEX "session_user_id_idx" ON "session"("user_id");

-- CreateIndex
CREATE INDEX "session_expires_at_idx" ON "session"("expires_at");

-- CreateIndex
CREATE INDEX "external_identity_user_id_idx" ON "external_identity"("user_id");

-- CreateIndex
CREATE UNIQUE INDEX "external_identity_issuer_subject_key" ON "external_identity"("issuer", "subject");

-- CreateIndex
CREATE UNIQUE INDEX "legal_acceptance_user_id_document_version_key" ON "legal_acceptance"("user_id", "document", "version");

-- CreateIndex
CREATE INDEX "sign_in_throttle_window_start_idx" ON "sign_in_throttle"("window_start");

-- CreateIndex
CREATE INDEX "project_member_user_id_idx" ON "project_member"("user_id");

-- CreateIndex
CREATE UNIQUE INDEX "invite_token_hash_key" ON "invite"("token_hash");

-- CreateIndex
CREATE INDEX "invite_organisation_id_idx" ON "invite"("organisation_id");

-- CreateIndex
CREATE INDEX "invite_email_idx" ON "invite"("email");

-- CreateIndex
CREATE INDEX "one_time_token_user_id_idx" ON "one_time_token"("user_id");

-- CreateIndex
CREATE UNIQUE INDEX "organisation_portal_domain_key" ON "organisation"("portal_domain");

-- AddForeignKey
ALTER TABLE "session" ADD CONSTRAINT "session_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "app_user"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "external_identity" ADD CONSTRAINT "external_identity_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "app_user"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "legal_acceptance" ADD CONSTRAINT "legal_acceptance_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "app_user"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "organisation" ADD CONSTRAINT "organisation_reseller_id_fkey" FOREIGN KEY ("reseller_id") REFERENCES "organisation"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "project_member" ADD CONSTRAINT "project_member_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "project"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "project_member" ADD CONSTRAINT "project_member_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "app_user"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "invite" ADD CONSTRAINT "invite_organisation_id_fkey" FOREIGN KEY ("organisation_id") REFERENCES "organisation"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "invite" ADD CONSTRAINT "invite_department_id_fkey" FOREIGN KEY ("department_id") REFERENCES "department"("id") ON DELETE SET NULL ON UPDATE CASCADE;


-- What people did is written once.
CREATE TRIGGER act_append_only BEFORE UPDATE OR DELETE ON act FOR EACH ROW EXECUTE FUNCTION forbid_change();
CREATE TRIGGER act_no_truncate BEFORE TRUNCATE ON act FOR EACH STATEMENT EXECUTE FUNCTION forbid_change();

ALTER TABLE app_user
  ADD CONSTRAINT app_user_role CHECK (role IN ('owner', 'platform_admin', 'org_admin', 'department_admin', 'member', 'viewer')),
  ADD CONSTRAINT app_user_status CHECK (status IN ('active', 'suspended', 'archived', 'deleted')),
  ADD CONSTRAINT app_user_billing_mode CHECK (billing_mode IN ('inherit', 'own'));
ALTER TABLE invite
  ADD CONSTRAINT invite_role CHECK (role IN ('platform_admin', 'org_admin', 'department_admin', 'member', 'viewer')),
  ADD CONSTRAINT invite_ended_once CHECK (accepted_at IS NULL OR revoked_at IS NULL);

-- Organisations that end -----------------------------------------------------------------------------------------------

ALTER TABLE organisation ADD COLUMN "closed_at" TIMESTAMPTZ(6);

-- A wallet that was taken over keeps what its open holds may still cost; what they leave goes on to its heir.
ALTER DOMAIN txn_kind DROP CONSTRAINT txn_kind_check;
ALTER DOMAIN txn_kind ADD CONSTRAINT txn_kind_check CHECK (VALUE IN ('topup', 'usage', 'refund', 'dispute', 'promo_grant',
  'promo_expire', 'receivable_repay', 'adjustment', 'write_off', 'reversal', 'transfer'));
ALTER TABLE ledger_account ADD COLUMN heir_id bigint REFERENCES ledger_account (id) CHECK (heir_id <> id);
CREATE INDEX ledger_account_heir ON ledger_account (heir_id) WHERE heir_id IS NOT NULL;

-- Moves everything of one wallet that no hold needs into another, debts and the receivable too, and its credit when asked.
-- Answers what was moved. An exempt wallet's usage is written off first, because nobody owes it; the wallet stays exempt for
-- calls under way. A debt moves only together with the credit that allowed it.
CREATE FUNCTION wallet_take_over(p_from bigint, p_to bigint, p_credit boolean, p_actor text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  v_from ledger_account;
  v_to ledger_account;
  v_exempt boolean;
  v_moved bigint;
  v_owed ledger_account;
  v_owes bigint;
BEGIN
  IF p_from = p_to THEN
    RAISE EXCEPTION 'wallet % cannot take itself over', p_from USING ERRCODE = '23514';
  END IF;
  PERFORM FROM ledger_account a
    WHERE a.id IN (p_from, p_to) OR a.heir_id = p_from
       OR (a.kind = 'receivable' AND (a.payer_kind, a.payer_id) IN (SELECT w.payer_kind, w.payer_id FROM ledger_account w WHERE w.id IN (p_from, p_to)))
    ORDER BY a.id FOR NO KEY UPDATE;
  SELECT * INTO v_from FROM ledger_account WHERE id = p_from AND kind = 'wallet';
  SELECT * INTO v_to FROM ledger_account WHERE id = p_to AND kind = 'wallet';
  IF v_from.id IS NULL OR v_to.id IS NULL THEN
    RETURN NULL;
  END IF;
  v_exempt := v_from.exempt;
  IF v_exempt THEN
    PERFORM wallet_mark_exempt(p_from, false, p_actor);
    SELECT * INTO v_from FROM ledger_account WHERE id = p_from;
  END IF;
  IF p_credit THEN
    UPDATE ledger_account SET credit_limit = credit_limit + v_from.credit_limit, credit_floor = credit_floor + v_from.credit_floor WHERE id = p_to;
  END IF;
  v_moved := v_from.posted - v_from.held;
  IF v_moved < 0 AND NOT p_credit THEN
    v_moved := 0;
  END IF;
  IF v_moved <> 0 THEN
    PERFORM ledger_post('transfer', 'transfer:' || p_from || ':' || v_from.last_seq, p_actor, 'taken over', ARRAY[p_from, p_to], ARRAY[-v_moved, v_moved]);
  END IF;
  SELECT * INTO v_owed FROM ledger_account WHERE kind = 'receivable' AND payer_kind = v_from.payer_kind AND payer_id = v_from.payer_id AND posted <> 0;
  IF p_credit AND v_owed.id IS NOT NULL THEN
    INSERT INTO ledger_account (kind, payer_kind, payer_id, organisation_id) VALUES ('receivable', v_to.payer_kind, v_to.payer_id, v_to.organisation_id)
      ON CONFLICT (payer_kind, payer_id, kind, currency) WHERE payer_id IS NOT NULL DO NOTHING;
    SELECT id INTO v_owes FROM ledger_account WHERE kind = 'receivable' AND payer_kind = v_to.payer_kind AND payer_id = v_to.payer_id;
    PERFORM ledger_post('transfer', 'transfer:' || v_owed.id || ':' || v_owed.last_seq, p_actor, 'taken over', ARRAY[v_owed.id, v_owes], ARRAY[-v_owed.posted, v_owed.posted]);
  END IF;
  UPDATE ledger_account SET heir_id = p_to, exempt = v_exempt,
         credit_limit = CASE WHEN p_credit THEN 0 ELSE credit_limit END,
         credit_floor = CASE WHEN p_credit THEN 0 ELSE credit_floor END
   WHERE id = p_from;
  -- Every heir is a wallet without one. A wallet that takes its own heir over has none any more.
  UPDATE ledger_account SET heir_id = nullif(p_to, id) WHERE heir_id = p_from;
  UPDATE ledger_account SET credit_floor = greatest(credit_limit, held - posted) WHERE id = p_to;
  RETURN v_moved;
END $$;

-- What holds have left in wallets that were taken over goes on to their heirs. Answers how many wallets that were.
CREATE FUNCTION wallet_sweep_heirs() RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  v_left ledger_account;
  v_swept integer := 0;
BEGIN
  FOR v_left IN SELECT * FROM ledger_account WHERE heir_id IS NOT NULL AND kind = 'wallet' AND posted > held ORDER BY id LOOP
    PERFORM FROM ledger_account WHERE id IN (v_left.id, v_left.heir_id) ORDER BY id FOR NO KEY UPDATE;
    SELECT * INTO v_left FROM ledger_account WHERE id = v_left.id;
    IF v_left.posted > v_left.held THEN
      PERFORM ledger_post('transfer', 'transfer:' || v_left.id || ':' || v_left.last_seq, 'recovery', 'left by calls that have ended',
                          ARRAY[v_left.id, v_left.heir_id], ARRAY[v_left.held - v_left.posted, v_left.posted - v_left.held]);
      v_swept := v_swept + 1;
    END IF;
  END LOOP;
  RETURN v_swept;
END $$;

-- Lets the organisation's budget take over those of others: where it has a limit, theirs are added to it when they count the
-- same period, and what they have spent in it counts as spent before. Theirs are no longer in force.
CREATE FUNCTION budget_take_over(p_to integer, p_from integer[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_to budget;
  v_from budget;
BEGIN
  PERFORM FROM budget WHERE scope_kind = 'organisation' AND (scope_id = p_to OR scope_id = ANY (p_from)) ORDER BY id FOR NO KEY UPDATE;
  SELECT * INTO v_to FROM budget WHERE scope_kind = 'organisation' AND scope_id = p_to AND active;
  FOR v_from IN SELECT * FROM budget WHERE scope_kind = 'organisation' AND scope_id = ANY (p_from) AND active ORDER BY id LOOP
    IF v_to.limit_amt IS NOT NULL AND v_from.limit_amt IS NOT NULL AND v_from.period = v_to.period THEN
      UPDATE budget SET limit_amt = limit_amt + v_from.limit_amt, updated_at = app_now() WHERE id = v_to.id;
      INSERT INTO budget_counter (budget_id, period_start, organisation_id, opening, spent)
        SELECT v_to.id, c.period_start, p_to, c.spent, c.spent FROM budget_counter c WHERE c.budget_id = v_from.id AND c.spent > 0 ORDER BY c.period_start
        ON CONFLICT (budget_id, period_start) DO UPDATE
          SET opening = budget_counter.opening + excluded.spent, spent = budget_counter.spent + excluded.spent;
    END IF;
    UPDATE budget SET active = false, updated_at = app_now() WHERE id = v_from.id;
  END LOOP;
  UPDATE budget SET organisation_id = p_to WHERE organisation_id = ANY (p_from) AND scope_kind <> 'organisation';
  UPDATE ledger_account SET organisation_id = p_to WHERE organisation_id = ANY (p_from) AND payer_kind <> 'organisation';
END $$;

-- Pseudonyms ----------------------------------------------------------------------------------------------------------

-- The one change that the audit trail allows: a deleted person's name and address are exchanged for a pseudonym. Who did what
-- to whom, and when, stays.
CREATE FUNCTION act_fixed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND current_setting('gw.pseudonym', true) = 'on'
     AND (NEW.id, NEW.at, NEW.actor_id, NEW.organisation_id, NEW.department_id, NEW.subject_user_id, NEW.action, NEW.target_kind, NEW.target_id)
         IS NOT DISTINCT FROM
         (OLD.id, OLD.at, OLD.actor_id, OLD.organisation_id, OLD.department_id, OLD.subject_user_id, OLD.action, OLD.target_kind, OLD.target_id) THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'act is append-only: % refused', TG_OP USING ERRCODE = '23514';
END $$;
DROP TRIGGER act_append_only ON act;
CREATE TRIGGER act_append_only BEFORE UPDATE OR DELETE ON act FOR EACH ROW EXECUTE FUNCTION act_fixed();

CREATE FUNCTION act_pseudonymise(p_user integer, p_email text, p_name text, p_pseudonym text) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  -- As jsonb spells them: the address wherever it stands, the name only where it is called one.
  v_email CONSTANT text := to_jsonb(p_email)::text;
  v_name CONSTANT text := '"name": ' || to_jsonb(p_name)::text;
  v_pseudonym CONSTANT text := to_jsonb(p_pseudonym)::text;
  v_rows integer;
BEGIN
  PERFORM set_config('gw.pseudonym', 'on', true);
  UPDATE act
     SET actor_label = CASE WHEN actor_id = p_user THEN p_pseudonym ELSE actor_label END,
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

-- Lists of people -----------------------------------------------------------------------------------------------------

CREATE INDEX app_user_organisation_id_id_idx ON app_user (organisation_id, id DESC);
CREATE INDEX app_user_department_id_id_idx ON app_user (department_id, id DESC);
DROP INDEX app_user_organisation_id_idx;
