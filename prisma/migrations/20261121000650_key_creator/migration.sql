-- Who made a key; NULL: the operator, or an admin key.
ALTER TABLE "api_key" ADD COLUMN "created_by_id" INTEGER;

-- A person's keys, newest first.
CREATE INDEX "api_key_user_id_id_idx" ON "api_key"("user_id", "id");
