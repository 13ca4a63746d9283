import { config } from "~/config.server";
import { db } from "~/db.server";
import { runAutoTopups } from "~/domain/billing/index.server";
import { sendTopupEmail } from "~/mail/top-up-emails.server";

/** Tops up the wallets that are due. Returns how many charges it handled. */
export function topUpWallets(signal: AbortSignal): Promise<number> {
  const from = { url: `${config().baseUrl}/dashboard/billing#auto-topup`, brand: "gw" };
  return runAutoTopups(db(), (tx, { to, ...told }) => sendTopupEmail(tx, to, { ...told, ...from }), signal);
}
