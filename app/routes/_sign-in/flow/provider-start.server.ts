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
import { browserHash, newToken } from "~/domain/identity/index.server";
import type { Provider } from "~/domain/identity/shared";
import { AppError, apiError } from "~/errors/app-error";
import { problemWords } from "~/errors/problem-words.server";
import { handOffCookie } from "./journey-cookies.server";

const StartQuery = z.object({
  next: z.string().max(2_000).optional(),
  /** Set by a reseller's portal, which cannot be where the provider comes back to. */
  domain: z.string().max(253).optional(),
  browser: z.string().max(100).optional(),
  /** Not to sign in, but to link the provider to the account that is signed in. */
  link: z.literal("1").optional(),
  /** Somebody who is signed in proves who they are: the provider asks them again, whatever session it has. */
  confirm: z.literal("1").optional(),
});
type StartQuery = z.output<typeof StartQuery>;

const SETTINGS = "/dashboard/settings";

/** The address that begins a sign-in at a provider: sends the browser there. */
export function providerStart(provider: Provider) {
  return portalEndpoint({
    allow: "anyone",
    query: StartQuery,
    async GET({ request, context, query }) {
      try {
        const linkTo = query.link && isFromOwnPage(request) ? actorOf(context) : null;
        // A way to sign in lasts longer than the session that adds it.
        if (linkTo !== null && !personOf(context)?.recentlyProved) return redirectWith(confirmPage(SETTINGS), []);
        const portal = await portalOf(request);
        if (portal.resellerId !== null) return overToOwnPortal(provider, request, { ...query, host: portal.host });
        return await leaveForProvider(provider, request, {
          next: safeNext(query.next, "/dashboard"),
          begunAt: Date.now(),
          confirms: query.confirm === "1",
          linkTo: linkTo?.userId ?? null,
          handTo: await targetOf(query),
        });
      } catch (error) {
        if (!(error instanceof AppError) || wantsJson(request)) throw error;
        return redirectWithToast("/login", { kind: "bad", text: problemWords(error, languageOf(context)) });
      }
    },
  });
}

/** Providers know one address of this installation. The browser keeps a secret here, by which it is known when it returns. */
function overToOwnPortal(
  provider: Provider,
  request: Request,
  { host, next, confirm }: StartQuery & { host: string },
): Response {
  // Several tabs share it, so that each can finish.
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

// Another site must not begin a linking: it could have signed this browser in at the provider as somebody else.
const isFromOwnPage = (request: Request): boolean => request.headers.get("sec-fetch-site") === "same-origin";

/** @throws AppError no_domain when there is no portal with that host name. */
async function targetOf({ domain, browser }: StartQuery): Promise<{ host: string; browserHash: string } | null> {
  if (domain === undefined) return null;
  const portal = await portalOfHost(domain);
  if (portal.resellerId === null || !browser) throw apiError("no_domain", { key: "rejections:noPortalHere" });
  return { host: portal.host, browserHash: browser };
}
