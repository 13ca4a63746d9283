import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { IdentityTwin, type Profile } from "./twin";

/** Serves a twin on a local address; apart from the addresses the provider's own rules apply. */
export async function serveTwin(
  profile: Profile,
): Promise<{ twin: IdentityTwin; issuer: string; close(): Promise<void> }> {
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const headers = new Headers(request.headers as Record<string, string>);
    const init = { method: request.method, headers, ...(body && { body }) };
    const answer = await twin.fetch(`${origin}${request.url}`, init);
    response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const here = (address: string) => `${origin}/${new URL(address).host}${new URL(address).pathname}`;
  const { authorization, token, userinfo, jwks } = profile.endpoints;
  const issuer = here(profile.issuer).replace(/\/$/, "");
  const twin = new IdentityTwin({
    ...profile,
    issuer,
    documentIssuer: profile.documentIssuer && here(profile.documentIssuer),
    endpoints: {
      authorization: here(authorization),
      token: here(token),
      userinfo: userinfo && here(userinfo),
      jwks: here(jwks),
    },
  });
  return {
    twin,
    issuer,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
