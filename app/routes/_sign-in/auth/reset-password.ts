import { knownDeviceCookie } from "~/access/known-device.server";
import { done, portalEndpoint } from "~/access/portal/endpoint.server";
import { noSessionCookie } from "~/access/session-cookie";
import { db } from "~/connection/db.server";
import { resetPassword } from "~/domain/accounts/index.server";
import { ResetForm } from "~/domain/accounts/shared";
import { clientAddressContext } from "~/http/server/client-address";
import { emailPasswordChanged } from "~/routes/email-facts.server";
import { requirePasswords } from "../flow/policy.server";

/** Sets a new password with the link of a reset email. Signs out every browser, including this one. */
const endpoint = portalEndpoint({
  allow: "anyone",
  page: "/forgot-password",
  POST: {
    body: ResetForm,
    async run({ body, request, context }) {
      requirePasswords();
      const { token, password } = body;
      const account = await resetPassword(db(), { token, password, address: context.get(clientAddressContext) });
      await emailPasswordChanged(db(), { request, context }, account, { first: false });
      return done({
        to: "/login",
        toast: "signIn:reset.done",
        // Marks the browser as known, so that strangers' failed attempts cannot lock the owner out of it.
        cookies: [noSessionCookie(), knownDeviceCookie(request, account)],
        answer: { next: "/login" },
      });
    },
  },
});
export const loader = endpoint;
export const action = endpoint;
