import { languageOf } from "~/access/language.server";
import { done, portalEndpoint } from "~/access/portal/endpoint.server";
import { portalOf } from "~/access/portal-of.server";
import { db } from "~/connection/db.server";
import { confirmByReset, renewSignUp } from "~/domain/accounts/index.server";
import { EmailForm } from "~/domain/accounts/shared";
import { clientAddressContext } from "~/http/server/client-address";
import { sendReset } from "~/mail/emails.server";
import { addressee } from "~/routes/email-facts.server";
import { inEvenTime } from "../flow/even-time.server";
import { requirePasswords } from "../flow/policy.server";
import { sendSignUpEmail } from "../flow/sign-up-email.server";

const MIN_MS = 250;

/**
 * Sends the confirmation of a pending sign-up again, or a link that confirms the address of an account. The answer is
 * the same in all cases; the earlier link becomes invalid.
 */
const endpoint = portalEndpoint({
  allow: "anyone",
  page: "/verify-email",
  POST: {
    body: EmailForm,
    async run({ body, request, context }) {
      requirePasswords();
      const portal = await portalOf(request);
      const address = context.get(clientAddressContext);
      await inEvenTime(MIN_MS, async () => {
        const letter = await renewSignUp(db(), { email: body.email, address });
        if (letter !== null) return sendSignUpEmail(db(), letter, portal, languageOf(context));
        const reset = await confirmByReset(db(), body.email);
        if (reset === null) return;
        const url = `${portal.origin}/reset-password?token=${reset.token}`;
        const to = addressee(portal, reset.account, languageOf(context));
        await sendReset(db(), { ...to, url, validSeconds: reset.validSeconds });
      });
      return done({ to: "/verify-email", toast: "signIn:verify.sentAgain", answer: { email: body.email } });
    },
  },
});
export const loader = endpoint;
export const action = endpoint;
