import type { ExternalClaims } from "~/domain/accounts/shared";
import type { Journey } from "./journey.server";

/** The verified claims of a provider about a person, and the journey that they complete. */
export type ProvedIdentity = {
  claims: ExternalClaims;
  /** Time of the person's sign-in at the provider, possibly days ago; null: unknown. */
  provedAt: Date | null;
  journey: Journey;
};
