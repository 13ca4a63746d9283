import type { RouterContextProvider } from "react-router";
import { languageOf } from "~/access/language.server";
import { portalOf } from "~/access/portal-of.server";
import { providerSettings } from "~/access/sign-in/provider-settings.server";
import { inTransaction } from "~/connection/bus.server";
import { db } from "~/connection/db.server";
import { type Account, linkIdentity } from "~/domain/accounts/index.server";
import type { ExternalClaims } from "~/domain/accounts/shared";
import { clientAddressContext } from "~/http/server/client-address";
import { sendProviderLinked } from "~/mail/security-emails.server";
import { addressee, circumstancesOf } from "~/routes/email-facts.server";

type Here = { request: Request; context: Readonly<RouterContextProvider> };

/**
 * Links a provider's identity to an existing account, and notifies the owner by email.
 * @throws AppError conflict when the identity is linked to another account.
 */
export async function linkAndTell(here: Here, account: Account, claims: ExternalClaims): Promise<void> {
  const portal = await portalOf(here.request);
  await inTransaction(db(), async (tx) => {
    const person = { userId: account.id, address: here.context.get(clientAddressContext) };
    if (!(await linkIdentity(tx, person, claims))) return;
    await sendProviderLinked(tx, {
      ...addressee(portal, account, languageOf(here.context)),
      ...circumstancesOf(here),
      url: `${portal.origin}/dashboard/settings`,
      provider: providerSettings(claims.provider)?.label ?? claims.provider,
      identity: claims.email,
    });
  });
}
