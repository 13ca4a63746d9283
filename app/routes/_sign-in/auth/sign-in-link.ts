import { z } from "zod";
import { done, portalEndpoint } from "~/access/portal/endpoint.server";
import { mayUsePortal, portalOf } from "~/access/portal-of.server";
import { db } from "~/connection/db.server";
import { redeemSignInLink } from "~/domain/accounts/index.server";
import { apiError } from "~/errors/app-error";
import { signInCookie, signInTokenCookie } from "../flow/journey-cookies.server";
import { requirePasswords } from "../flow/policy.server";
import { signInPerson } from "../flow/sign-in-person.server";

const SignInLinkForm = z.object({ token: z.string().max(200).default("") });

/**
 * Completes a sign-in whose password was right while the account was locked. Needs the emailed link, opened in the same
 * browser.
 */
const endpoint = portalEndpoint({
  allow: "anyone",
  page: "/sign-in-link",
  POST: {
    body: SignInLinkForm,
    async run({ body, request, context }) {
      requirePasswords();
      const stored = signInCookie.read(request);
      const account = await redeemSignInLink(db(), body.token, stored?.browser ?? null);
      if (account === null || !(await mayUsePortal(await portalOf(request), account))) {
        throw apiError("invalid_token", {
          key: "problems:signInLinkEnded",
          param: "token",
        });
      }
      const next = stored?.next ?? "/dashboard";
      const cookies = await signInPerson({ request, context }, account);
      return done({
        to: next,
        cookies: [...cookies, signInCookie.clear(), signInTokenCookie.clear()],
        answer: { next },
      });
    },
  },
});
export const loader = endpoint;
export const action = endpoint;
