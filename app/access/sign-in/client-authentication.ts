import { CLIENT_AUTHENTICATIONS, type ClientAuthentication } from "~/config/identity-providers";

/** The client id and secret at a provider. */
type ClientSecret = { clientId: string; clientSecret: string };

/** Client authentication method: those of OpenID Connect, or Basic as in RFC 7617, without encoding. */
export type Way = ClientAuthentication | "basic_unencoded";

type Settings = ClientSecret & { clientAuthentication: ClientAuthentication | null };

/**
 * Returns the methods to try, most likely first. Without a setting, these are the ones that the discovery document
 * offers, or Basic, the default of OpenID Connect. The document tells neither the method that this client is registered
 * for, nor whether the provider decodes the values that Basic must encode.
 */
export function authenticationsToTry(
  { clientAuthentication, clientId, clientSecret }: Settings,
  offered: readonly string[] | undefined,
): readonly [Way, ...Way[]] {
  if (clientAuthentication !== null) return [clientAuthentication];
  const known = CLIENT_AUTHENTICATIONS.filter((each) => offered?.includes(each));
  const [first, ...more]: readonly Way[] = known.length > 0 ? known : CLIENT_AUTHENTICATIONS;
  const isEncoded = [clientId, clientSecret].some((part) => encoded(part) !== part);
  const isBasic = first === "client_secret_basic" || more.includes("client_secret_basic");
  return [first!, ...more, ...(isEncoded && isBasic ? (["basic_unencoded"] as const) : [])];
}

/** Encodes as in RFC 6749 (2.3.1), but only characters that require it: some providers do not decode. */
const encoded = (part: string): string => encodeURIComponent(part).replaceAll("%20", "+");

const basic = (id: string, secret: string): string => `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}`;

/** Adds id and secret to a request to the token endpoint. */
export const AUTHENTICATE: Readonly<
  Record<Way, (client: ClientSecret, body: URLSearchParams, headers: Headers) => void>
> = {
  client_secret_basic: ({ clientId, clientSecret }, _body, headers) => {
    headers.set("authorization", basic(encoded(clientId), encoded(clientSecret)));
  },
  client_secret_post: ({ clientId, clientSecret }, body) => {
    body.set("client_id", clientId);
    body.set("client_secret", clientSecret);
  },
  basic_unencoded: ({ clientId, clientSecret }, _body, headers) => {
    headers.set("authorization", basic(clientId, clientSecret));
  },
};
