-- Credentials of suppliers, sealed, and what happened to them.
CREATE TABLE "supplier_credential" (
    "id" SERIAL NOT NULL,
    "supplier_id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "kind" TEXT NOT NULL CHECK ("kind" IN ('api_key', 'oauth')),
    "source" TEXT NOT NULL DEFAULT 'config' CHECK ("source" IN ('config', 'portal')),
    "position" INTEGER NOT NULL DEFAULT 0,
    "active" BOOLEAN NOT NULL DEFAULT true,
    "sealed_token" TEXT,
    "sealed_refresh_token" TEXT,
    "token_url" TEXT,
    "client_id" TEXT,
    "file_digest" TEXT,
    "expires_at" TIMESTAMPTZ(6),
    "refreshed_at" TIMESTAMPTZ(6),
    "generation" INTEGER NOT NULL DEFAULT 0,
    "state" TEXT NOT NULL DEFAULT 'usable' CHECK ("state" IN ('usable', 'revoked')),
    "failures" INTEGER NOT NULL DEFAULT 0,
    "retry_at" TIMESTAMPTZ(6),
    "lease_owner" TEXT,
    "lease_until" TIMESTAMPTZ(6),
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "supplier_credential_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "supplier_credential_is_whole" CHECK (
      CASE "kind"
        WHEN 'api_key' THEN "sealed_token" IS NOT NULL AND "sealed_refresh_token" IS NULL
        ELSE "sealed_refresh_token" IS NOT NULL AND "token_url" IS NOT NULL AND "client_id" IS NOT NULL
      END),
    -- What is sealed says so: a secret that somebody stores in the clear is refused.
    CONSTRAINT "supplier_credential_is_sealed" CHECK (
      ("sealed_token" IS NULL OR "sealed_token" LIKE 'gw1.%') AND
      ("sealed_refresh_token" IS NULL OR "sealed_refresh_token" LIKE 'gw1.%'))
);

CREATE TABLE "token_event" (
    "id" BIGSERIAL NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "provider" TEXT NOT NULL,
    "key_name" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "source" TEXT NOT NULL,
    "error_kind" TEXT,
    "detail" TEXT,
    "count" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "token_event_pkey" PRIMARY KEY ("id")
);

CREATE UNIQUE INDEX "supplier_credential_supplier_id_name_key" ON "supplier_credential"("supplier_id", "name");
CREATE INDEX "token_event_at_idx" ON "token_event"("at");
CREATE INDEX "token_event_provider_key_name_at_idx" ON "token_event"("provider", "key_name", "at");

ALTER TABLE "supplier_credential" ADD CONSTRAINT "supplier_credential_supplier_id_fkey"
  FOREIGN KEY ("supplier_id") REFERENCES "supplier"("id") ON DELETE CASCADE ON UPDATE CASCADE;
