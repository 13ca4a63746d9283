import { z } from "zod";
import { redirectWith, redirectWithToast } from "~/access/flash.server";
import { languageOf } from "~/access/language.server";
import { portalEndpoint } from "~/access/portal/endpoint.server";
import { mayUsePortal, portalOf } from "~/access/portal-of.server";
import { wantsJson } from "~/access/wants-json";
import { db } from "~/connection/db.server";
import { redeemHandOff } from "~/domain/accounts/index.server";
import { AppError, apiError } from "~/errors/app-error";
import { errorMessage } from "~/errors/problem-words.server";
import { handOffCookie } from "../../flow/journey-cookies.server";
import { signInPerson } from "../../flow/sign-in-person.server";

const CompleteQuery = z.object({ token: z.string().max(200).default("") });

/** Completes a sign-in on a reseller's host, with the token from the installation's own host. */
const endpoint = portalEndpoint({
  allow: "anyone",
  query: CompleteQuery,
  async GET({ request, context, query }) {
    try {
      const portal = await portalOf(request);
      if (portal.resellerId === null) throw apiError("no_reseller");
      const browser = handOffCookie.read(request)?.browser ?? null;
      const handed = await redeemHandOff(db(), query.token, { host: portal.host, browser });
      if (handed === null || !(await mayUsePortal(portal, handed.account))) throw apiError("invalid_token");
      const cookies = await signInPerson({ request, context }, handed.account, handed.provedAt);
      // The browser's secret stays valid for its ten minutes, for other tabs; each token works only once.
      return redirectWith(handed.next, cookies);
    } catch (error) {
      if (!(error instanceof AppError) || wantsJson(request)) throw error;
      return redirectWithToast("/login", { kind: "bad", text: errorMessage(error, languageOf(context)) });
    }
  },
});
export const loader = endpoint;
export const action = endpoint;
