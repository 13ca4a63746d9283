import { addressSuffices } from "../address-proof";
import type { AccountState, UserStatus } from "../shared";

/**
 * Returns whether a person may use the portal, and otherwise the first thing that blocks them. Versions of the terms
 * are ISO dates, so a newer version compares greater.
 */
export function accountStateOf(
  person: { status: UserStatus; verified: boolean; vouched: boolean; termsVersion: string | null },
  termsInForce: string,
): AccountState {
  if (person.status === "suspended") return "suspended";
  if (person.status !== "active") return "archived";
  if (!addressSuffices(person)) return "unverified";
  return person.termsVersion !== null && person.termsVersion >= termsInForce ? "ready" : "terms";
}
