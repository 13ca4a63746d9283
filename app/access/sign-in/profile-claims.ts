import type { OAuth2Provider } from "~/config.server";
import { addressIn, isConfirmed, nameIn, subjectIn, valueAt } from "./provider-claims";

/** The person that a profile describes. `email` null: the profile has no valid address; `told` is the value in its place. */
export type ProfileClaims = {
  subject: string;
  email: string | null;
  told: unknown;
  emailVerified: boolean;
  name: string;
};

/**
 * Reads the operator's fields out of a profile, and out of the list of addresses where the provider has one (null: it has
 * not). An address counts as verified only by the field that the operator has named, in the same object, or by the operator's
 * word that the provider verifies every address.
 * @throws Error when the profile has no subject that names one person for good.
 */
export function profileClaims(
  { fields, emailsVerified }: Pick<OAuth2Provider, "fields" | "emailsVerified">,
  profile: object,
  emails: object | null,
): ProfileClaims {
  const entry = emails === null ? profile : primaryOf(emails);
  const told = valueAt(entry, fields.email);
  const email = addressIn(told);
  const id = valueAt(profile, fields.subject);
  const confirmed = fields.emailVerified !== null && isConfirmed(valueAt(entry, fields.emailVerified));
  return {
    // Many providers count their people; a number beyond the safe ones has lost its last digits and would name several.
    subject: subjectIn(Number.isSafeInteger(id) ? String(id) : id),
    email,
    told,
    emailVerified: email !== null && (emailsVerified || confirmed),
    name: nameIn(valueAt(profile, fields.name)),
  };
}

/** The address that the person has marked as theirs, else the first one. */
function primaryOf(emails: object): unknown {
  if (!Array.isArray(emails)) throw new Error("the addresses are no list");
  return emails.find((entry) => valueAt(entry, "primary") === true) ?? emails[0];
}
