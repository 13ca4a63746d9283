import { PortalAnswer } from "../problems";
import type { NotesByOperation } from "../shared";

/** Accounts, sessions, identity providers, terms and language. */
export const signInNotes: NotesByOperation = {
  "GET /login": "Sign-in page",
  "GET /signup": "Sign-up page",
  "GET /forgot-password": "Password reset request page",
  "GET /reset-password": "Password reset page",
  "GET /verify-email": "Confirm an email address with the emailed link",
  "GET /account/terms": "Terms page",
  "GET /account/sign-out": "Sign-out page, for whoever another site has sent to `/logout`",
  "GET /account/confirm": "Confirmation page for sensitive operations",
  "POST /account/confirm": {
    summary: "Confirm your identity by password, for 15 minutes",
    errors: ["authentication_required", "invalid_credentials", "rate_limit_exceeded", "sso_only"],
  },
  "GET /account/archived": "Archived account page",
  "GET /account/suspended": "Suspended account page",
  "POST /invite/{token}": { summary: "Accept an invitation", parameters: { token: "From the invitation’s link." } },
  "GET /invite/{token}": { summary: "Invitation page", parameters: { token: "From the invitation’s link." } },
  "POST /auth/register": {
    summary: "Sign up with email and password",
    errors: ["email_taken", "weak_password", "tos_not_accepted"],
  },
  "POST /auth/login": {
    summary: "Sign in with email and password",
    errors: ["invalid_credentials", "email_not_verified", "sso_only", "account_status", "rate_limit_exceeded"],
  },
  "GET /sign-in-link": "Page that finishes a sign-in",
  "POST /auth/sign-in-link": {
    summary: "Finish a sign-in by token after too many attempts",
    errors: ["invalid_token", "sso_only"],
  },
  "POST /auth/forgot-password": "Send a password reset email; the response does not reveal whether the account exists",
  "POST /auth/reset-password": { summary: "Set a new password by token", errors: ["invalid_token", "weak_password"] },
  "POST /auth/resend-verification": "Resend the confirmation email",
  "POST /auth/accept-tos": {
    summary: "Record acceptance of the terms for a sign-up through an identity provider",
    answer: PortalAnswer,
    otherAnswers: [
      {
        contentType: "text/html",
        description: "JSON for programs; for a browser’s form, a page that continues to the provider",
      },
    ],
  },
  "POST /set-language": "Set the language",
  "GET /auth/idp-a": {
    summary: "Start a sign-in with identity provider A (OpenID Connect or OAuth 2)",
    errors: ["not_found", "no_domain", "auth_issue", "service_unavailable"],
  },
  "GET /oauth/idp-a/login/callback/": {
    summary: "Callback of identity provider A",
    errors: ["auth_issue", "missing_email", "email_not_verified", "no_reseller", "service_unavailable"],
  },
  "GET /auth/idp-b": {
    summary: "Start a sign-in with identity provider B (OpenID Connect or OAuth 2)",
    errors: ["not_found", "no_domain", "auth_issue", "service_unavailable"],
  },
  "GET /oauth/idp-b/login/callback/": {
    summary: "Callback of identity provider B",
    errors: ["auth_issue", "missing_email", "email_not_verified", "no_reseller", "service_unavailable"],
  },
  "GET /auth/sso/complete": "Complete a sign-in on a reseller’s domain with a single-use token",
  "POST /auth/verify-email": { summary: "Confirm an email address by token", errors: ["invalid_token"] },
  "GET /logout": {
    summary: "Sign out",
    description:
      "Ends the session of this browser. A link or an image of another site does not: it is answered with a redirect to `/account/sign-out`, which asks.",
  },
  "POST /logout": "Sign out (form or program)",
  "POST /api/legal/accept": "Accept the current legal documents",
  "GET /api/legal/status": "Retrieve whether the current legal documents are accepted",
};
