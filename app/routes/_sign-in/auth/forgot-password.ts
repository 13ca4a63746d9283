import { marksOf } from "~/access/known-device.server";
import { languageOf } from "~/access/language.server";
import { done, portalEndpoint } from "~/access/portal/endpoint.server";
import { portalOf } from "~/access/portal-of.server";
import { providerSettings } from "~/access/sign-in/provider-settings.server";
import { db } from "~/connection/db.server";
import { requestReset } from "~/domain/accounts/index.server";
import { EmailForm, type Provider } from "~/domain/accounts/shared";
import { clientAddressContext } from "~/http/server/client-address";
import { sendProviderReminder, sendReset } from "~/mail/emails.server";
import { addressee } from "~/routes/email-facts.server";
import { inEvenTime } from "../flow/even-time.server";
import { requirePasswords } from "../flow/policy.server";

const MIN_MS = 250;

/** Sends a link for a new password if the account exists. The answer is the same in both cases. */
const endpoint = portalEndpoint({
  allow: "anyone",
  page: "/forgot-password",
  POST: {
    body: EmailForm,
    async run({ body, request, context }) {
      requirePasswords();
      const portal = await portalOf(request);
      const address = context.get(clientAddressContext);
      await inEvenTime(MIN_MS, async () => {
        const wish = { email: body.email, address, marks: marksOf(request), attests: isAttesting };
        const letter = await requestReset(db(), wish);
        if (letter === null) return;
        const to = addressee(portal, letter.account, languageOf(context));
        if (letter.kind === "provider") {
          const provider = labelsOf(letter.providers);
          await sendProviderReminder(db(), { ...to, provider, url: `${portal.origin}/login` });
        } else {
          const url = `${portal.origin}/reset-password?token=${letter.token}`;
          await sendReset(db(), { ...to, url, validSeconds: letter.validSeconds });
        }
      });
      return done({ to: "/forgot-password?sent=1", answer: { email: body.email } });
    },
  },
});
export const loader = endpoint;
export const action = endpoint;

const labelsOf = (providers: readonly string[]): string =>
  providers.map((provider) => providerSettings(provider as Provider)?.label ?? provider).join(", ");

// A provider that is no longer configured cannot sign anyone in, but its earlier confirmations remain valid.
const isAttesting = (provider: string): boolean => providerSettings(provider as Provider)?.kind !== "oauth2";
