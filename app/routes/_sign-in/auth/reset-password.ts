import { knownDeviceCookie } from "~/access/known-device.server";
import { done, portalEndpoint } from "~/access/portal/endpoint.server";
import { noSessionCookie } from "~/access/session-cookie";
import { db } from "~/db.server";
import { resetPassword } from "~/domain/identity/index.server";
import { ResetForm } from "~/domain/identity/shared";
import { clientAddressContext } from "~/http/client-address";
import { tellPasswordChanged } from "~/routes/email-facts.server";
import { requirePasswords } from "../flow/policy.server";

/** Sets a new password by the link of a reset message. Every browser is signed out, this one too. */
const endpoint = portalEndpoint({
  allow: "anyone",
  page: "/forgot-password",
  POST: {
    body: ResetForm,
    async run({ body, request, context }) {
      requirePasswords();
      const { token, password } = body;
      const account = await resetPassword(db(), { token, password, address: context.get(clientAddressContext) });
      await tellPasswordChanged(db(), { request, context }, account, { first: false });
      return done({
        to: "/login",
        toast: "signIn:reset.done",
        // Strangers who guess at the account must not keep its owner out of the browser that has just proven itself.
        cookies: [noSessionCookie(), knownDeviceCookie(request, account)],
        answer: { next: "/login" },
      });
    },
  },
});
export const loader = endpoint;
export const action = endpoint;
