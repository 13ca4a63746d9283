-- Who was told the secret that a key has now: when it was made, or last rotated. A person, and where an admin key did it,
-- that key as well, with the person whom that key's secret was given to. NULL: the operator at the terminal.
-- `previous_issued_to_id`: the same for the secret of before, while a rotation's overlap lets it work.
ALTER TABLE "api_key"
  ADD COLUMN "issued_to_id" INTEGER,
  ADD COLUMN "issued_to_key_id" INTEGER,
  ADD COLUMN "previous_issued_to_id" INTEGER;

-- How the link of an invitation goes out: by "mail", which proves its address, or passed on by the "operator", which does not.
ALTER TABLE "invite" ADD COLUMN "delivery" TEXT NOT NULL DEFAULT 'operator';

-- When an account was opened by a link that somebody who runs the installation passed on, without a proof of its address.
ALTER TABLE "app_user" ADD COLUMN "vouched_at" TIMESTAMPTZ(6);

CREATE INDEX "api_key_issued_to_id_idx" ON "api_key"("issued_to_id");
CREATE INDEX "api_key_issued_to_key_id_idx" ON "api_key"("issued_to_key_id");
CREATE INDEX "invite_invited_by_id_idx" ON "invite"("invited_by_id");

-- Of keys that are there already, the audit trail knows who made or rotated them last.
UPDATE "api_key" k
   SET "issued_to_id" = t.actor_id, "issued_to_key_id" = m.id
  FROM (SELECT DISTINCT ON (target_id) target_id, actor_id, actor_label FROM "act"
         WHERE target_kind = 'key' AND action IN ('key.create', 'key.rotate') ORDER BY target_id, id DESC) t
  LEFT JOIN "api_key" m ON t.actor_id IS NULL AND t.actor_label = 'admin key ' || m.public_id
 WHERE t.target_id = k.id::text;

-- The root admin key of a sign-up was shown to whoever signed up.
UPDATE "api_key" k SET "issued_to_id" = a.actor_id
  FROM "act" a
 WHERE a.action = 'user.sign_up' AND a.organisation_id = k.organisation_id AND k.kind = 'admin'
   AND k.issued_to_id IS NULL AND k.issued_to_key_id IS NULL AND k.name = 'root admin key';

-- What an admin key has made was given to whoever has that key.
WITH RECURSIVE via AS (
  SELECT id, COALESCE(issued_to_id, user_id) AS person FROM "api_key" WHERE issued_to_key_id IS NULL
  UNION
  SELECT k.id, via.person FROM "api_key" k JOIN via ON k.issued_to_key_id = via.id
)
UPDATE "api_key" k SET "issued_to_id" = via.person
  FROM via WHERE via.id = k.id AND k.issued_to_key_id IS NOT NULL AND k.issued_to_id IS NULL;
