import type { RouterContextProvider } from "react-router";
import { languageOf } from "~/access/language.server";
import { mayUsePortal, type PortalFace } from "~/access/portal-of.server";
import { inTransaction } from "~/bus.server";
import { db } from "~/db.server";
import { type Account, addressSuffices, issueSignInLink, SIGN_IN_LINK_SECONDS } from "~/domain/identity/index.server";
import { AppError } from "~/errors/app-error";
import { clientAddressContext } from "~/http/client-address";
import { log } from "~/log.server";
import { sendSignInLink } from "~/mail/security-emails.server";
import { addressee, circumstancesOf } from "~/routes/email-facts.server";

type Here = { request: Request; context: Readonly<RouterContextProvider> };
type Asking = { browser: string; portal: PortalFace };

/** Longer than the answer takes to leave, so that nothing about it depends on what happens here. */
const AFTER_THE_ANSWER_MS = 1_000;

/**
 * Mails the owner of a locked account the link that finishes their sign-in, because the password was right. Comes back at
 * once: nobody who waits for the answer may see that there is something to do.
 */
export function mailSignInLink(here: Here, account: Account, asking: Asking): void {
  setTimeout(() => {
    send(here, account, asking).catch((problem) => {
      if (problem instanceof AppError && problem.code === "rate_limit_exceeded") return;
      log.error({ err: problem }, "a link to finish signing in could not be mailed");
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
