import { createServer } from "node:http";
import Provider from "oidc-provider";

export type Account = { sub: string; email?: string; email_verified?: boolean; name?: string };

/** A real OpenID Connect provider in this process. Signs visitors in as the account of `signInAs`, without a prompt. */
export type IdentityProvider = {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Sets the account of the next sign-ins; null means that the person declines. */
  signInAs(account: Account | null): void;
  /** Returns the number of sign-ins so far. */
  visits(): number;
  close(): Promise<void>;
};

/** Starts a provider that accepts any portal on this machine as redirect target. */
export async function startIdentityProvider(options: {
  redirectUris: string[];
  port?: number;
}): Promise<IdentityProvider> {
  const clientId = "gw-portal";
  const clientSecret = "a-client-secret-for-tests-only-0123456789";
  let current: Account | null = null;
  let visits = 0;
  const known = new Map<string, Account>();
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
  const provider = new Provider(issuer, {
    clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: options.redirectUris }],
    cookies: { keys: ["a key for the tests"] },
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"] },
    features: { devInteractions: { enabled: false } },
    pkce: { required: () => true },
    interactions: { url: (_context, interaction) => `/interaction/${interaction.uid}` },
    findAccount: (_context, sub) => ({ accountId: sub, claims: async () => ({ ...known.get(sub), sub }) }),
    async loadExistingGrant(context) {
      const { client, session, provider: own } = context.oidc;
      const grant = new own.Grant({ clientId: client?.clientId, accountId: session?.accountId });
      grant.addOIDCScope("openid email profile");
      await grant.save();
      return grant;
    },
  });
  const handler = provider.callback();
  server.on("request", async (request, response) => {
    if (!request.url?.startsWith("/interaction/")) return handler(request, response);
    visits += 1;
    const declined = { error: "access_denied", error_description: "the person declined" };
    if (current) known.set(current.sub, current);
    const result = current ? { login: { accountId: current.sub, remember: false } } : declined;
    await provider.interactionFinished(request, response, result);
  });
  return {
    issuer,
    clientId,
    clientSecret,
    signInAs(account) {
      current = account;
    },
    visits: () => visits,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
