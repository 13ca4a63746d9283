import { PortalAnswer } from "../problems";
import type { NotesByOperation } from "../shared";

/** Accounts, sessions, identity providers, terms and language. */
export const signInNotes: NotesByOperation = {
  "GET /login": "The sign-in page",
  "GET /signup": "The page to open an account",
  "GET /forgot-password": "The page to ask for a reset message",
  "GET /reset-password": "The page behind the link of a reset message",
  "GET /verify-email": "Confirms an e-mail address by the link that was sent to it",
  "GET /account/terms": "The legal documents, to accept before going on",
  "GET /account/confirm": "The page to prove anew who one is, before an act that asks for it",
  "POST /account/confirm": {
    summary: "Proves by password who is signed in; acts that ask for a recent proof are open for 15 minutes",
    errors: ["authentication_required", "invalid_credentials", "rate_limit_exceeded", "sso_only"],
  },
  "GET /account/archived": "Says that the account is closed",
  "GET /account/suspended": "Says that the account is suspended",
  "POST /invite/{token}": { summary: "Accepts an invitation", parameters: { token: "From the invitation’s link." } },
  "GET /invite/{token}": { summary: "An invitation", parameters: { token: "From the invitation’s link." } },
  "POST /auth/register": {
    summary: "Opens an account with e-mail address and password",
    errors: ["email_taken", "weak_password", "tos_not_accepted"],
  },
  "POST /auth/login": {
    summary: "Signs in with e-mail address and password",
    errors: ["invalid_credentials", "email_not_verified", "sso_only", "account_status", "rate_limit_exceeded"],
  },
  "GET /sign-in-link": "The page behind the link that finishes a sign-in",
  "POST /auth/sign-in-link": {
    summary: "Finishes a sign-in by token, in the browser where it began, after too many attempts by others",
    errors: ["invalid_token", "sso_only"],
  },
  "POST /auth/forgot-password": "Sends a reset message, if there is such an account; the answer is the same either way",
  "POST /auth/reset-password": { summary: "Sets a new password by token", errors: ["invalid_token", "weak_password"] },
  "POST /auth/resend-verification": "Sends the confirmation message again",
  "POST /auth/accept-tos": {
    summary: "Remembers the acceptance of the terms on the way through an identity provider",
    answer: PortalAnswer,
    otherAnswers: [
      {
        contentType: "text/html",
        description: "Programs get JSON, a browser’s form a page that leads on to the provider",
      },
    ],
  },
  "POST /set-language": "Remembers the language",
  "GET /auth/idp-a": "Starts signing in with identity provider A",
  "GET /oauth/idp-a/login/callback/": "Where identity provider A comes back to",
  "GET /auth/idp-b": "Starts signing in with identity provider B",
  "GET /oauth/idp-b/login/callback/": "Where identity provider B comes back to",
  "GET /auth/sso/complete": "Ends a sign-in on a reseller’s domain, by a token that works once",
  "POST /auth/verify-email": { summary: "Confirms an e-mail address by token", errors: ["invalid_token"] },
  "GET /logout": "Ends the session",
  "POST /logout": "Ends the session, for forms and programs",
  "POST /api/legal/accept": "Accepts the legal documents in force",
  "GET /api/legal/status": "Whether the legal documents in force are accepted",
};
