import type { OpenIdProvider } from "~/config.server";
import { addressIn, isConfirmed, nameIn, valueAt } from "./provider-claims";

type Reading = Pick<OpenIdProvider, "fields" | "emailsVerified">;

/** The person that an ID token and the user-info response describe. */
export type OpenIdPerson = { email: unknown; emailVerified: boolean; name: string };

/** Whether the token lacks a claim that the user-info response may have. */
export function needsUserInfo({ fields, emailsVerified }: Reading, token: object): boolean {
  if (valueAt(token, fields.email) === undefined || valueAt(token, fields.name) === undefined) return true;
  return !emailsVerified && fields.emailVerified !== null && valueAt(token, fields.emailVerified) === undefined;
}

/**
 * Reads the configured claims. The token takes precedence; the user-info response supplies missing claims, unless the
 * two have different email addresses: the verification of one does not apply to the other.
 */
export function personIn({ fields, emailsVerified }: Reading, token: object, userInfo: object): OpenIdPerson {
  const [reported, filled] = [token, userInfo].map((claims) => valueAt(claims, fields.email));
  const differ = reported !== undefined && filled !== undefined && addressIn(reported) !== addressIn(filled);
  const claim = (path: string) => valueAt(token, path) ?? valueAt(userInfo, path);
  const confirmation = fields.emailVerified === null ? undefined : valueAt(token, fields.emailVerified);
  const confirmedElsewhere =
    fields.emailVerified === null || differ ? undefined : valueAt(userInfo, fields.emailVerified);
  return {
    email: reported ?? filled,
    emailVerified: emailsVerified || isConfirmed(confirmation ?? confirmedElsewhere),
    name: nameIn(claim(fields.name)),
  };
}
