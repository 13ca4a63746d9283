import { z } from "zod";
import { clearCookie } from "~/access/cookies";
import { readSealedCookie, sealedCookie } from "~/access/sealed-cookie";
import { PROVIDERS } from "~/domain/accounts/shared";

const TEN_MINUTES = 600;
const QUARTER_HOUR = 900;
const ONE_DAY = 86_400;

const Token = z.object({ token: z.string() });
const SignUp = z.object({
  browser: z.string(),
  email: z.string(),
  next: z.string().nullable(),
  /**
   * Hash of the chosen password. With it the next sign-in in this browser can report that the address is unconfirmed,
   * whether or not the account exists.
   */
  passwordHash: z.string(),
});
const SignIn = z.object({ browser: z.string(), next: z.string() });
const Terms = z.object({ version: z.string() });
const HandOff = z.object({ browser: z.string() });
const Link = z.object({
  provider: z.enum(PROVIDERS),
  issuer: z.string(),
  subject: z.string(),
  email: z.string(),
  emailVerified: z.boolean(),
  name: z.string(),
});

/** A sealed cookie for a process of several requests. */
function journeyCookie<Schema extends z.ZodType<object>>(name: string, schema: Schema, maxAgeSeconds: number) {
  return {
    set: (value: z.output<Schema>) => sealedCookie(name, value, { maxAgeSeconds }),
    read: (request: Request) => readSealedCookie(request, name, schema),
    clear: () => clearCookie(name),
  };
}

/** The browser that signed up, until the address is confirmed. */
export const signUpCookie = journeyCookie("gw_sign_up", SignUp, ONE_DAY);
/** A browser in which a sign-in was locked, so that the emailed link works only in it. */
export const signInCookie = journeyCookie("gw_sign_in", SignIn, QUARTER_HOUR);
/** The token of a link that completes a sign-in, removed from the URL. */
export const signInTokenCookie = journeyCookie("gw_sign_in_link", Token, QUARTER_HOUR);
/** The token of a confirmation link, removed from the URL so that no history or referrer contains it. */
export const verifyTokenCookie = journeyCookie("gw_verify", Token, ONE_DAY);
/** The token of a reset link, removed from the URL for the same reason. */
export const resetTokenCookie = journeyCookie("gw_reset", Token, TEN_MINUTES * 3);
/** Acceptance of the terms by a visitor who is about to sign up through a provider. */
export const termsCookie = journeyCookie("gw_terms", Terms, QUARTER_HOUR);
/** A sign-in at a provider, to be linked after the owner of the account with its address has signed in. */
export const linkCookie = journeyCookie("gw_link", Link, QUARTER_HOUR);
/** A browser on a reseller's host that waits for its sign-in at a provider. */
export const handOffCookie = journeyCookie("gw_hand_off", HandOff, TEN_MINUTES);
