import { addressSuffices } from "./address-proof";
import type { AccountState, UserStatus } from "./shared";

/** Whether a person may go on, and if not, what stands in the way first. Versions of the terms are ISO dates and grow. */
export function accountStateOf(
  person: { status: UserStatus; verified: boolean; vouched: boolean; termsVersion: string | null },
  termsInForce: string,
): AccountState {
  if (person.status === "suspended") return "suspended";
  if (person.status !== "active") return "archived";
  if (!addressSuffices(person)) return "unverified";
  return person.termsVersion !== null && person.termsVersion >= termsInForce ? "ready" : "terms";
}
