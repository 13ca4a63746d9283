-- How much credit an organisation's own admins may give out together. Credit that was given before stays.
ALTER TABLE "organisation" ADD COLUMN "credit_ceiling_nano_usd" BIGINT NOT NULL DEFAULT 0
  CONSTRAINT "organisation_credit_ceiling" CHECK ("credit_ceiling_nano_usd" >= 0);

-- Who was asked to pay for everybody in an organisation, until they answer. Payers from before stay in force.
CREATE TABLE "payer_nomination" (
    "organisation_id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,
    "nominated_by_id" INTEGER,
    "nominated_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "payer_nomination_pkey" PRIMARY KEY ("organisation_id")
);

CREATE INDEX "payer_nomination_user_id_idx" ON "payer_nomination"("user_id");

ALTER TABLE "payer_nomination" ADD CONSTRAINT "payer_nomination_organisation_id_fkey" FOREIGN KEY ("organisation_id") REFERENCES "organisation"("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "payer_nomination" ADD CONSTRAINT "payer_nomination_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "app_user"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What an organisation has given out is the sum over its wallets.
CREATE INDEX "ledger_account_organisation" ON "ledger_account"("organisation_id") WHERE "kind" = 'wallet';
