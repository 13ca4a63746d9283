-- Mails on their way out, and a quick look-up of sign-ups that wait for their confirmation.

-- CreateTable
CREATE TABLE "mail" (
    "id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "sealed" TEXT,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "next_try_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "useless_at" TIMESTAMPTZ(6),
    "sent_at" TIMESTAMPTZ(6),
    "failed_at" TIMESTAMPTZ(6),
    "last_error" TEXT NOT NULL DEFAULT '',

    CONSTRAINT "mail_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "mail_next_try_at_idx" ON "mail"("next_try_at");

-- A sign-up that nobody has confirmed is only its link, so its address is looked up there.
CREATE INDEX "one_time_token_sign_up" ON "one_time_token" ((payload ->> 'email'), id DESC) WHERE purpose = 'sign_up';
