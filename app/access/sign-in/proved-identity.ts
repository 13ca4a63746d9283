import type { ExternalClaims } from "~/domain/identity/shared";
import type { Journey } from "./journey.server";

/** What a provider has said about somebody, checked, and the journey that ends with it. */
export type ProvedIdentity = {
  claims: ExternalClaims;
  /** When the person signed in there, which may have been days ago; null: it does not say. */
  provedAt: Date | null;
  journey: Journey;
};
