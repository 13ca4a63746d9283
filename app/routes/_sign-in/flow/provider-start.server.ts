import { z } from "zod";
import { actorOf, personOf } from "~/access/actor.server";
import { redirectWith, redirectWithToast } from "~/access/flash.server";
import { languageOf } from "~/access/language.server";
import { portalEndpoint } from "~/access/portal/endpoint.server";
import { ownPortal, portalOf, portalOfHost } from "~/access/portal-of.server";
import { safeNext } from "~/access/safe-next";
import { leaveForProvider } from "~/access/sign-in/authenticator.server";
import { confirmPage } from "~/access/signed-in.server";
import { wantsJson } from "~/access/wants-json";
import { browserHash, newToken } from "~/domain/accounts/index.server";
import type { Provider } from "~/domain/accounts/shared";
import { AppError, apiError } from "~/errors/app-error";
import { errorMessage } from "~/errors/problem-words.server";
import { handOffCookie } from "./journey-cookies.server";

const StartQuery = z.object({
  next: z.string().max(2_000).optional(),
  /** Set by a reseller's portal, whose host cannot be a callback URL of the provider. */
  domain: z.string().max(253).optional(),
  browser: z.string().max(100).optional(),
  /** Link the provider to the signed-in account instead of signing in. */
  link: z.literal("1").optional(),
  /** Proof of identity: the provider must ask the signed-in person again, even if it has a session. */
  confirm: z.literal("1").optional(),
});
type StartQuery = z.output<typeof StartQuery>;

const SETTINGS = "/dashboard/settings";

/** The URL that starts a sign-in at a provider: redirects the browser to it. */
export function providerStart(provider: Provider) {
  return portalEndpoint({
    allow: "anyone",
    query: StartQuery,
    async GET({ request, context, query }) {
      try {
        const linkTo = query.link && isFromOwnPage(request) ? actorOf(context) : null;
        // A new way to sign in outlasts the session that adds it, so it requires a recent proof of identity.
        if (linkTo !== null && !personOf(context)?.recentlyProved) return redirectWith(confirmPage(SETTINGS), []);
        const portal = await portalOf(request);
        if (portal.resellerId !== null) return redirectToOwnPortal(provider, request, { ...query, host: portal.host });
        return await leaveForProvider(provider, request, {
          next: safeNext(query.next, "/dashboard"),
          begunAt: Date.now(),
          confirms: query.confirm === "1",
          linkTo: linkTo?.userId ?? null,
          handTo: await targetOf(query),
        });
      } catch (error) {
        if (!(error instanceof AppError) || wantsJson(request)) throw error;
        return redirectWithToast("/login", { kind: "bad", text: errorMessage(error, languageOf(context)) });
      }
    },
  });
}

/**
 * Redirects to the installation's own host, the only one that providers know. A secret in this browser identifies it
 * when it returns.
 */
function redirectToOwnPortal(
  provider: Provider,
  request: Request,
  { host, next, confirm }: StartQuery & { host: string },
): Response {
  // All tabs share the secret, so that each can finish.
  const browser = handOffCookie.read(request)?.browser ?? newToken();
  const url = new URL(`/auth/${provider}`, ownPortal().origin);
  url.search = new URLSearchParams({
    domain: host,
    browser: browserHash(browser),
    next: safeNext(next, "/dashboard"),
    ...(confirm && { confirm }),
  }).toString();
  return redirectWith(url.href, [handOffCookie.set({ browser })]);
}

// Another site must not start a linking: it could have signed this browser in at the provider as another person.
const isFromOwnPage = (request: Request): boolean => request.headers.get("sec-fetch-site") === "same-origin";

/** @throws AppError no_domain when no reseller's portal has that host name. */
async function targetOf({ domain, browser }: StartQuery): Promise<{ host: string; browserHash: string } | null> {
  if (domain === undefined) return null;
  const portal = await portalOfHost(domain);
  if (portal.resellerId === null || !browser) throw apiError("no_domain", { key: "rejections:noPortalHere" });
  return { host: portal.host, browserHash: browser };
}
