import type { RouterContextProvider } from "react-router";
import { z } from "zod";
import { actorOf } from "~/access/actor.server";
import { flashCookie, redirectWith, redirectWithToast, secretCookie } from "~/access/flash.server";
import { languageOf } from "~/access/language.server";
import { portalEndpoint } from "~/access/portal/endpoint.server";
import { mayUsePortal, ownPortal, type PortalFace, portalOfHost } from "~/access/portal-of.server";
import { returnFromProvider } from "~/access/sign-in/authenticator.server";
import { endJourney, type Journey, journeyOf } from "~/access/sign-in/journey.server";
import { confirmPage } from "~/access/signed-in.server";
import { wantsJson } from "~/access/wants-json";
import { inTransaction } from "~/connection/bus.server";
import { db } from "~/connection/db.server";
import {
  type Account,
  accountOfIdentity,
  findAccountById,
  issueHandOff,
  linkIdentity,
} from "~/domain/accounts/index.server";
import type { ExternalClaims, Provider } from "~/domain/accounts/shared";
import { AppError, apiError } from "~/errors/app-error";
import { issue } from "~/errors/message";
import { errorMessage } from "~/errors/problem-words.server";
import { clientAddressContext } from "~/http/server/client-address";
import { currentLegalVersion } from "~/legal/index.server";
import { unreachable } from "~/values/unreachable";
import { linkCookie, termsCookie } from "./journey-cookies.server";
import { linkAndTell } from "./link-and-tell.server";
import { openAccount } from "./open-account.server";
import { requireOpenSignUp } from "./policy.server";
import { signInPerson } from "./sign-in-person.server";

const CallbackQuery = z.object({ code: z.string().max(4_000).default("") }).loose();

type Here = { request: Request; context: Readonly<RouterContextProvider> };
type Arrival = Here & {
  provider: Provider;
  claims: ExternalClaims;
  journey: Journey;
  portal: PortalFace;
  /** Time of the sign-in at the provider, which may be days ago. */
  provedAt: Date;
};

/** Without a sign-in time from the provider the sign-in is no recent proof. */
const NEVER = new Date(0);

/** The callback URL of a provider: identifies the person, then signs in, links the identity or opens an account. */
export function providerCallback(provider: Provider) {
  return portalEndpoint({
    allow: "anyone",
    query: CallbackQuery,
    async GET({ request, context }) {
      // The back button or a reload: this callback has already signed the browser in.
      if (actorOf(context) !== null && journeyOf(provider, request) === null && !wantsJson(request))
        return redirectWith("/dashboard", []);
      try {
        const { claims, provedAt, journey } = await returnFromProvider(provider, request);
        const portal = journey.handTo === null ? ownPortal() : await portalOfHost(journey.handTo.host);
        const response = await arrive({
          request,
          context,
          provider,
          claims,
          journey,
          portal,
          provedAt: provedAt ?? NEVER,
        });
        response.headers.append("set-cookie", endJourney(provider, request));
        return response;
      } catch (error) {
        if (!(error instanceof AppError) || wantsJson(request)) throw error;
        const journey = journeyOf(provider, request);
        const here = journey?.confirms && actorOf(context) !== null ? confirmPage(journey.next) : "/login";
        const back = redirectWithToast(here, { kind: "bad", text: errorMessage(error, languageOf(context)) });
        back.headers.append("set-cookie", endJourney(provider, request));
        return back;
      }
    },
  });
}

async function arrive(arrival: Arrival): Promise<Response> {
  const { context, claims, journey, portal } = arrival;
  if (journey.linkTo !== null) return link(arrival, journey.linkTo);
  const outcome = await accountOfIdentity(db(), claims, (account) => mayUsePortal(portal, account));
  switch (outcome.kind) {
    case "ready":
      return enter(arrival, outcome.account, []);
    case "closed":
      return redirectWith(`/account/${outcome.status}`, []);
    case "elsewhere":
      throw apiError("no_reseller", {
        key: "problems:otherPortal",
      });
    case "unproven":
      throw apiError("email_not_verified", {
        key: "problems:providerUnconfirmed",
      });
    case "taken":
      return proveFirst(claims);
    case "new": {
      requireOpenSignUp();
      const terms = termsCookie.read(arrival.request);
      if (terms === null || terms.version < currentLegalVersion()) return acceptFirst(arrival);
      const { email, name } = claims;
      const opened = await inTransaction(db(), async (tx) => {
        const made = await openAccount(tx, {
          email,
          name,
          organisation: "",
          passwordHash: null,
          language: languageOf(context),
          address: context.get(clientAddressContext),
          resellerId: portal.resellerId,
        });
        await linkIdentity(tx, { userId: made.account.id, address: context.get(clientAddressContext) }, claims);
        return made;
      });
      const secret = secretCookie({ kind: "rootAdminKey", secret: opened.rootAdminKey, userId: opened.account.id });
      return enter(arrival, opened.account, [secret, termsCookie.clear()]);
    }
    default:
      return unreachable(outcome);
  }
}

/** Signs in here, or returns the browser to the reseller's host that it came from. */
async function enter(
  { request, context, journey, provedAt }: Arrival,
  account: Account,
  more: string[],
): Promise<Response> {
  if (journey.handTo === null) {
    const cookies = [...(await signInPerson({ request, context }, account, provedAt)), ...more];
    if (journey.confirms) cookies.push(flashCookie("toast", { kind: "good", text: "signIn:confirm.done" }));
    return redirectWith(journey.next, cookies);
  }
  const { next, handTo } = journey;
  const token = await issueHandOff(db(), { userId: account.id, next, ...handTo, provedAtMs: provedAt.getTime() });
  const target = await portalOfHost(handTo.host);
  if (target.resellerId === null) throw apiError("no_domain", { key: "rejections:noPortalHere" });
  return redirectWith(`${target.origin}/auth/sso/complete?token=${token}`, more);
}

/** Links a provider to the signed-in person, who must be the one who started. */
async function link({ request, context, claims }: Arrival, userId: number): Promise<Response> {
  const actor = actorOf(context);
  const account = actor?.userId === userId ? await findAccountById(db(), userId) : null;
  if (account === null) throw apiError("auth_context_denied");
  await linkAndTell({ request, context }, account, claims);
  return redirectWithToast("/dashboard/settings", { kind: "good", text: "signIn:linked" });
}

/** An account with this address exists: the identity is linked after its owner has signed in by an existing way. */
function proveFirst(claims: ExternalClaims): Response {
  const form = {
    action: "/auth/login",
    code: "email_taken",
    message: issue("problems:takenProveFirst"),
    fields: {},
    sent: { email: claims.email },
  };
  const cookies = [linkCookie.set(claims), flashCookie("form", form)];
  return redirectWith("/login", cookies);
}

/**
 * Every account requires accepted terms: the sign-up page asks for them, and the sign-in at the provider is repeated.
 */
function acceptFirst({ provider, journey, claims }: Arrival): Response {
  const handTo = journey.handTo && { domain: journey.handTo.host, browser: journey.handTo.browserHash };
  const form = {
    action: "/auth/accept-tos",
    code: "tos_not_accepted",
    message: issue("problems:acceptFirst"),
    fields: {},
    sent: { provider, email: claims.email, next: journey.next, ...handTo },
  };
  return redirectWith("/signup", [flashCookie("form", form)]);
}
