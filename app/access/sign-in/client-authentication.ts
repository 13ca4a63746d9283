import { CLIENT_AUTHENTICATIONS, type ClientAuthentication } from "~/config/identity-providers";

/** A client's id and its secret at a provider. */
type ClientSecret = { clientId: string; clientSecret: string };

/**
 * The ways to try, the likelier first. Without a setting they are those that the discovery document offers; where it says
 * nothing, Basic is the default of OpenID Connect. Which one a single client is registered for, no document says.
 */
export function authenticationsToTry(
  setting: ClientAuthentication | null,
  offered: readonly string[] | undefined,
): readonly ClientAuthentication[] {
  if (setting !== null) return [setting];
  const known = CLIENT_AUTHENTICATIONS.filter((each) => offered?.includes(each));
  return known.length > 0 ? known : CLIENT_AUTHENTICATIONS;
}

/** Shows id and secret with a request to the token address. */
export const AUTHENTICATE: Readonly<
  Record<ClientAuthentication, (client: ClientSecret, body: URLSearchParams, headers: Headers) => void>
> = {
  client_secret_basic: ({ clientId, clientSecret }, _body, headers) => {
    // Encoded as RFC 6749 (2.3.1) has it, but only where it has to be: some providers do not decode.
    const [id, secret] = [clientId, clientSecret].map((part) => encodeURIComponent(part).replaceAll("%20", "+"));
    headers.set("authorization", `Basic ${btoa(`${id}:${secret}`)}`);
  },
  client_secret_post: ({ clientId, clientSecret }, body) => {
    body.set("client_id", clientId);
    body.set("client_secret", clientSecret);
  },
};
