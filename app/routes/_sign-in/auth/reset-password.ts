import { languageOf } from "~/access/language.server";
import { done, portalEndpoint } from "~/access/portal-endpoint.server";
import { portalOf } from "~/access/portal-of.server";
import { noSessionCookie } from "~/access/session-cookie";
import { db } from "~/db.server";
import { resetPassword } from "~/domain/identity/index.server";
import { ResetForm } from "~/domain/identity/shared";
import { clientAddressContext } from "~/http/client-address";
import { sendPasswordChanged } from "~/mail/letters.server";
import { requirePasswords } from "../flow/policy.server";
import { addressee } from "../flow/sign-in-person.server";

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
      const portal = await portalOf(request);
      const to = addressee(portal, account, languageOf(context));
      await sendPasswordChanged(db(), { ...to, url: `${portal.origin}/forgot-password` });
      return done({
        to: "/login",
        toast: "signIn:reset.done",
        cookies: [noSessionCookie()],
        answer: { next: "/login" },
      });
    },
  },
});
export const loader = endpoint;
export const action = endpoint;
