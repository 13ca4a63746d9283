import { config } from "~/config.server";
import { apiError } from "~/errors/app-error";

/** What a form is answered that leaves the terms unchecked. */
export const termsNotAccepted = () =>
  apiError("tos_not_accepted", { key: "problems:acceptTerms", param: "accept_terms" });

/** @throws AppError sso_only where the installation takes no passwords: the same for everybody. */
export function requirePasswords(): void {
  if (!config().passwordSignIn) throw apiError("sso_only");
}

/** @throws AppError forbidden where accounts come from invitations only. */
export function requireOpenSignUp(): void {
  if (config().signUp !== "open") {
    throw apiError("forbidden", { key: "problems:byInvitation" });
  }
}
