import { z } from "zod";
import { clearCookie } from "~/access/cookies";
import { readSealedCookie, sealedCookie } from "~/access/sealed-cookie";
import { PROVIDERS } from "~/domain/identity/shared";

const TEN_MINUTES = 600;
const QUARTER_HOUR = 900;
const ONE_DAY = 86_400;

const Token = z.object({ token: z.string() });
const SignUp = z.object({
  browser: z.string(),
  email: z.string(),
  next: z.string().nullable(),
  /** Tells this browser's next sign-in that the address has yet to be confirmed, whatever is known of it here. */
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

/** A cookie for a way that leads over several requests. */
function journeyCookie<Schema extends z.ZodType<object>>(name: string, schema: Schema, maxAgeSeconds: number) {
  return {
    set: (value: z.output<Schema>) => sealedCookie(name, value, { maxAgeSeconds }),
    read: (request: Request) => readSealedCookie(request, name, schema),
    clear: () => clearCookie(name),
  };
}

/** The browser that has signed up, until the address is confirmed. */
export const signUpCookie = journeyCookie("gw_sign_up", SignUp, ONE_DAY);
/** A browser in which too many passwords were tried, so that the link of a right one works in it. */
export const signInCookie = journeyCookie("gw_sign_in", SignIn, QUARTER_HOUR);
/** The token of a link that finishes a sign-in, taken out of the address. */
export const signInTokenCookie = journeyCookie("gw_sign_in_link", Token, QUARTER_HOUR);
/** The token of a confirmation link, taken out of the address so that no history or referrer keeps it. */
export const verifyTokenCookie = journeyCookie("gw_verify", Token, ONE_DAY);
/** The token of a reset link, likewise. */
export const resetTokenCookie = journeyCookie("gw_reset", Token, TEN_MINUTES * 3);
/** The terms are accepted, by somebody who is about to come in through a provider. */
export const termsCookie = journeyCookie("gw_terms", Terms, QUARTER_HOUR);
/** A sign-in at a provider that will be linked once the account with its address has proven itself. */
export const linkCookie = journeyCookie("gw_link", Link, QUARTER_HOUR);
/** The browser that waits on a reseller's host for its sign-in at a provider. */
export const handOffCookie = journeyCookie("gw_hand_off", HandOff, TEN_MINUTES);
