-- What runs by the clock once for the whole installation: whose turn it is, and how the last runs went.

-- CreateTable
CREATE TABLE "job" (
    "name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "next_run_at" TIMESTAMPTZ(6) NOT NULL,
    "requested_at" TIMESTAMPTZ(6),
    "run" BIGINT NOT NULL DEFAULT 0,
    "lease_owner" TEXT,
    "lease_until" TIMESTAMPTZ(6),
    "running_since" TIMESTAMPTZ(6),
    "failures" INTEGER NOT NULL DEFAULT 0,
    "started_at" TIMESTAMPTZ(6),
    "finished_at" TIMESTAMPTZ(6),
    "succeeded_at" TIMESTAMPTZ(6),
    "result" TEXT,
    "handled" INTEGER NOT NULL DEFAULT 0,
    "error" TEXT NOT NULL DEFAULT '',
    "process" TEXT NOT NULL DEFAULT '',

    CONSTRAINT "job_pkey" PRIMARY KEY ("name")
);

-- CreateTable
CREATE TABLE "job_run" (
    "id" BIGSERIAL NOT NULL,
    "job" TEXT NOT NULL,
    "requested" BOOLEAN NOT NULL,
    "process" TEXT NOT NULL,
    "started_at" TIMESTAMPTZ(6) NOT NULL,
    "finished_at" TIMESTAMPTZ(6) NOT NULL,
    "result" TEXT NOT NULL,
    "handled" INTEGER NOT NULL,
    "error" TEXT NOT NULL,

    CONSTRAINT "job_run_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "job_run_job_id_idx" ON "job_run"("job", "id" DESC);

-- Half of a lease would block a job for ever, or let two processes have it.
ALTER TABLE job ADD CONSTRAINT job_lease_whole
  CHECK ((lease_owner IS NULL) = (lease_until IS NULL) AND (lease_owner IS NULL) = (running_since IS NULL));
