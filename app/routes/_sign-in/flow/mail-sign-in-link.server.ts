import type { RouterContextProvider } from "react-router";
import { languageOf } from "~/access/language.server";
import { mayUsePortal, type PortalFace } from "~/access/portal-of.server";
import { inTransaction } from "~/connection/bus.server";
import { db } from "~/connection/db.server";
import { type Account, addressSuffices, issueSignInLink, SIGN_IN_LINK_SECONDS } from "~/domain/accounts/index.server";
import { AppError } from "~/errors/app-error";
import { clientAddressContext } from "~/http/server/client-address";
import { sendSignInLink } from "~/mail/security-emails.server";
import { log } from "~/observe/log.server";
import { addressee, circumstancesOf } from "~/routes/email-facts.server";

type Here = { request: Request; context: Readonly<RouterContextProvider> };
type Asking = { browser: string; portal: PortalFace };

/**
 * Delay in milliseconds; longer than sending the answer takes, so that the answer's timing does not depend on the
 * email.
 */
const AFTER_THE_ANSWER_MS = 1_000;

/**
 * Emails the owner of a locked account a link that completes their sign-in, because the password was right. Returns at
 * once, so that the caller's answer does not reveal the email.
 */
export function mailSignInLink(here: Here, account: Account, asking: Asking): void {
  setTimeout(() => {
    send(here, account, asking).catch((error) => {
      if (error instanceof AppError && error.code === "rate_limit_exceeded") return;
      log.error({ err: error }, "a link to finish signing in could not be mailed");
    });
  }, AFTER_THE_ANSWER_MS);
}

async function send(here: Here, account: Account, { browser, portal }: Asking): Promise<void> {
  if (account.status !== "active" || !addressSuffices(account) || !(await mayUsePortal(portal, account))) return;
  await inTransaction(db(), async (tx) => {
    const address = here.context.get(clientAddressContext);
    const token = await issueSignInLink(tx, { account, address, browser });
    await sendSignInLink(tx, {
      ...addressee(portal, account, languageOf(here.context)),
      ...circumstancesOf(here),
      url: `${portal.origin}/sign-in-link?token=${token}`,
      resetUrl: `${portal.origin}/forgot-password`,
      validSeconds: SIGN_IN_LINK_SECONDS,
    });
  });
}
