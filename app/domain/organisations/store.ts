import type { Db } from "~/db.server";

// Any number that nothing else locks; the same one for every process of this program.
const FIRST_START_LOCK = 7_203_114_420n;

/** Lets one transaction at a time found the first organisation. */
export const lockFoundation = (db: Db) => db.$executeRaw`SELECT pg_advisory_xact_lock(${FIRST_START_LOCK})`;

export const anyOrganisation = (db: Db) => db.organisation.findFirst({ select: { id: true } });

export const insertOrganisation = (db: Db, organisation: { name: string; slug: string; billingExempt: boolean }) =>
  db.organisation.create({ data: organisation, select: { id: true } });
