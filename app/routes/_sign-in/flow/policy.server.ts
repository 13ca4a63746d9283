import { config } from "~/config.server";
import { apiError } from "~/errors/app-error";

/** Error of a form with unchecked terms. */
export const termsNotAccepted = () =>
  apiError("tos_not_accepted", { key: "problems:acceptTerms", param: "accept_terms" });

/** @throws AppError sso_only if the installation has no password sign-in; independent of the account. */
export function requirePasswords(): void {
  if (!config().passwordSignIn) throw apiError("sso_only");
}

/** @throws AppError forbidden if accounts require an invitation. */
export function requireOpenSignUp(): void {
  if (config().signUp !== "open") {
    throw apiError("forbidden", { key: "problems:byInvitation" });
  }
}
