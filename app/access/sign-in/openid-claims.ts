import type { OpenIdProvider } from "~/config.server";
import { addressIn, isConfirmed, nameIn, valueAt } from "./provider-claims";

type Reading = Pick<OpenIdProvider, "fields" | "emailsVerified">;

/** The person that an ID token and the user-info answer describe. */
export type OpenIdPerson = { email: unknown; emailVerified: boolean; name: string };

/** Whether the token alone leaves out something that the user-info answer may tell. */
export function needsUserInfo({ fields, emailsVerified }: Reading, token: object): boolean {
  if (valueAt(token, fields.email) === undefined) return true;
  return !emailsVerified && fields.emailVerified !== null && valueAt(token, fields.emailVerified) === undefined;
}

/**
 * Reads the operator's claims. The token comes first; the user-info answer fills in what it does not say, unless the two
 * tell different addresses: a confirmation of one says nothing about the other.
 */
export function personIn({ fields, emailsVerified }: Reading, token: object, userInfo: object): OpenIdPerson {
  const [told, filled] = [token, userInfo].map((claims) => valueAt(claims, fields.email));
  const differ = told !== undefined && filled !== undefined && addressIn(told) !== addressIn(filled);
  const claim = (path: string) => valueAt(token, path) ?? valueAt(userInfo, path);
  const confirmation = fields.emailVerified === null ? undefined : valueAt(token, fields.emailVerified);
  const confirmedElsewhere =
    fields.emailVerified === null || differ ? undefined : valueAt(userInfo, fields.emailVerified);
  return {
    email: told ?? filled,
    emailVerified: emailsVerified || isConfirmed(confirmation ?? confirmedElsewhere),
    name: nameIn(claim(fields.name)),
  };
}
