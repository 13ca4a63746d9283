import { db } from "~/connection/db.server";
import { runAutoTopups } from "~/domain/billing/index.server";
import { mailSenderOf } from "~/domain/organisations/index.server";
import { sendTopupEmail } from "~/mail/top-up-emails.server";

/** Tops up the wallets that are due. Returns the number of charges handled. */
export function topUpWallets(signal: AbortSignal): Promise<number> {
  return runAutoTopups(
    db(),
    async (tx, { to, ...told }) => {
      const { brand, origin } = await mailSenderOf(tx, to.organisationId);
      await sendTopupEmail(tx, to, { ...told, brand, url: `${origin}/dashboard/billing#auto-topup` });
    },
    signal,
  );
}
