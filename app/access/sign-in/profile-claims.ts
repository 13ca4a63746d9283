import type { OAuth2Provider } from "~/config.server";
import { addressIn, isConfirmed, nameIn, subjectIn, valueAt } from "./provider-claims";

/**
 * The person that a profile describes. `email` null: the profile has no valid address; `told`: the value of that field.
 */
export type ProfileClaims = {
  subject: string;
  email: string | null;
  told: unknown;
  emailVerified: boolean;
  name: string;
};

/**
 * Reads the configured fields from a profile, and from the provider's list of email addresses (null: it has none). An
 * address is verified only if the configured field of the same object says so, or if the operator has configured that
 * the provider verifies all addresses.
 * @throws Error when the profile has no subject that identifies one person permanently.
 */
export function profileClaims(
  { fields, emailsVerified }: Pick<OAuth2Provider, "fields" | "emailsVerified">,
  profile: object,
  emails: object | null,
): ProfileClaims {
  const entry = emails === null ? profile : primaryOf(emails);
  const address = valueAt(entry, fields.email);
  const email = addressIn(address);
  const id = valueAt(profile, fields.subject);
  const confirmed = fields.emailVerified !== null && isConfirmed(valueAt(entry, fields.emailVerified));
  return {
    // Many providers use numbers; an unsafe integer has lost its last digits and could identify several people.
    subject: subjectIn(Number.isSafeInteger(id) ? String(id) : id),
    email,
    told: address,
    emailVerified: email !== null && (emailsVerified || confirmed),
    name: nameIn(valueAt(profile, fields.name)),
  };
}

/** Returns the address that is marked as primary, else the first one. */
function primaryOf(emails: object): unknown {
  if (!Array.isArray(emails)) throw new Error("the addresses are no list");
  return emails.find((entry) => valueAt(entry, "primary") === true) ?? emails[0];
}
