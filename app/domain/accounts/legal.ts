import { inTransaction } from "~/connection/bus.server";
import type { Db } from "~/connection/db.server";
import { currentLegalVersion } from "~/legal/index.server";
import { ACCEPTED_NAMES } from "~/legal/shared";
import { acceptTerms, insertAcceptances, readAcceptance } from "./legal-store";

export type LegalStatus = {
  accepted: boolean;
  /** The current version, an ISO date. */
  current: string;
  acceptedVersion: string | null;
  acceptedAt: Date | null;
};

/** Returns the version of the legal documents that a person has accepted, and whether it is the current one. */
export async function legalStatus(db: Db, userId: number): Promise<LegalStatus> {
  const current = currentLegalVersion();
  const { termsVersion, termsAcceptedAt } = await readAcceptance(db, userId);
  const accepted = termsVersion !== null && termsVersion >= current;
  return { accepted, current, acceptedVersion: termsVersion, acceptedAt: termsAcceptedAt };
}

/**
 * Records that a person accepts the current documents: one row per document, with the network address. Safe to repeat:
 * the first acceptance of a version remains.
 */
export async function acceptLegal(db: Db, person: { userId: number; address: string }): Promise<LegalStatus> {
  const version = currentLegalVersion();
  await inTransaction(db, async (tx) => {
    await insertAcceptances(tx, { ...person, version, documents: ACCEPTED_NAMES });
    await acceptTerms(tx, person.userId, version);
  });
  return legalStatus(db, person.userId);
}
