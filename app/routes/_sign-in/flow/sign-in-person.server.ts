import type { RouterContextProvider } from "react-router";
import { beginSession } from "~/access/begin-session.server";
import { languageOf } from "~/access/language.server";
import { portalOf } from "~/access/portal-of.server";
import { inTransaction } from "~/bus.server";
import { db } from "~/db.server";
import type { Account } from "~/domain/identity/index.server";
import { AppError } from "~/errors/app-error";
import { sendNewSignIn } from "~/mail/emails.server";
import { addressee, circumstancesOf } from "~/routes/email-facts.server";
import { linkCookie } from "./journey-cookies.server";
import { linkAndTell } from "./link-and-tell.server";

type Here = { request: Request; context: Readonly<RouterContextProvider> };

/**
 * Signs somebody in who has proven who they are, just now or at `provedAt`. A sign-in at a provider that waits for this proof
 * is linked to the account; a browser that the account was never used in is told of by mail. Returns the cookies for the answer.
 */
export async function signInPerson(here: Here, account: Account, provedAt: Date | null = null): Promise<string[]> {
  const portal = await portalOf(here.request);
  const linked = await linkWaiting(here, account);
  const begun = await inTransaction(db(), async (tx) => {
    const started = await beginSession(tx, here, account, provedAt);
    if (!started.knownBrowser && account.lastSeenAt !== null) {
      await sendNewSignIn(tx, {
        ...addressee(portal, account, languageOf(here.context)),
        ...circumstancesOf(here),
        url: `${portal.origin}/forgot-password`,
      });
    }
    return started;
  });
  return [...begun.cookies, ...linked];
}

/** Only for the account with the very address that the provider has confirmed, and that has proven it here before. */
async function linkWaiting(here: Here, account: Account): Promise<string[]> {
  const waiting = linkCookie.read(here.request);
  if (waiting === null) return [];
  if (account.verified && waiting.emailVerified && waiting.email === account.email) {
    await linkAndTell(here, account, waiting).catch((problem) => {
      // Somebody else has it by now; signing in with the password goes on.
      if (!(problem instanceof AppError)) throw problem;
    });
  }
  return [linkCookie.clear()];
}
