import type { RouteConfigEntry } from "@react-router/dev/routes";
import { endpoint, page } from "../table";

/** All pages and endpoints of sign-in and sign-up. */
export const signInRoutes: RouteConfigEntry[] = [
  ...[
    "login",
    "signup",
    "forgot-password",
    "reset-password",
    "sign-in-link",
    "verify-email",
    "account/confirm",
    "account/terms",
    "account/sign-out",
    "account/suspended",
    "account/archived",
    "invite/:token",
  ].map((url) => page(url, "_sign-in/")),
  ...[
    "auth/register",
    "auth/login",
    "auth/sign-in-link",
    "auth/forgot-password",
    "auth/reset-password",
    "auth/resend-verification",
    "auth/verify-email",
    "auth/accept-tos",
    "auth/idp-a",
    "auth/idp-b",
    "oauth/idp-a/login/callback",
    "oauth/idp-b/login/callback",
    "auth/sso/complete",
    "set-language",
    "logout",
  ].map((url) => endpoint(url, "_sign-in/")),
];
