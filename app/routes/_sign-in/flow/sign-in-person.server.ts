import type { RouterContextProvider } from "react-router";
import { beginSession } from "~/access/begin-session.server";
import { languageOf } from "~/access/language.server";
import { portalOf } from "~/access/portal-of.server";
import { inTransaction } from "~/connection/bus.server";
import { db } from "~/connection/db.server";
import type { Account } from "~/domain/accounts/index.server";
import { AppError } from "~/errors/app-error";
import { sendNewSignIn } from "~/mail/emails.server";
import { addressee, circumstancesOf } from "~/routes/email-facts.server";
import { linkCookie } from "./journey-cookies.server";
import { linkAndTell } from "./link-and-tell.server";

type Here = { request: Request; context: Readonly<RouterContextProvider> };

/**
 * Signs a person in who has proven their identity, just now or at `provedAt`. Links a pending sign-in at a provider to
 * the account, and reports a new browser by email. Returns the cookies for the answer.
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

/** Links only if the provider has confirmed the account's own address, and the account has confirmed it here before. */
async function linkWaiting(here: Here, account: Account): Promise<string[]> {
  const waiting = linkCookie.read(here.request);
  if (waiting === null) return [];
  if (account.verified && waiting.emailVerified && waiting.email === account.email) {
    await linkAndTell(here, account, waiting).catch((error) => {
      // The identity is linked to another account by now; the sign-in continues.
      if (!(error instanceof AppError)) throw error;
    });
  }
  return [linkCookie.clear()];
}
