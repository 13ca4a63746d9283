import type { RouterContextProvider } from "react-router";
import { type Begun, beginSession } from "~/access/begin-session.server";
import { languageOf } from "~/access/language.server";
import { type PortalFace, portalOf } from "~/access/portal-of.server";
import { inTransaction } from "~/bus.server";
import { db } from "~/db.server";
import { type Account, linkIdentity } from "~/domain/identity/index.server";
import { AppError } from "~/errors/app-error";
import { clientAddressContext } from "~/http/client-address";
import { isLanguage, type Language } from "~/i18n/languages";
import { sendNewSignIn } from "~/mail/letters.server";
import { linkCookie } from "./journey-cookies.server";

type Here = { request: Request; context: Readonly<RouterContextProvider> };

/** How letters to an account address it, from the portal that it is used in. */
export function addressee(
  portal: PortalFace,
  account: Pick<Account, "email" | "name" | "language">,
  otherwise: Language,
) {
  const language = isLanguage(account.language) ? account.language : otherwise;
  return { to: account.email, name: account.name, language, brand: portal.brand };
}

/**
 * Signs somebody in who has just proven who they are. A sign-in at a provider that waits for this proof is linked to the
 * account; a browser that the account was never used in is told of by mail. Returns the cookies for the answer.
 */
export async function signInPerson(here: Here, account: Account): Promise<string[]> {
  const portal = await portalOf(here.request);
  const linked = await linkWaiting(here, account);
  const begun: Begun = await inTransaction(db(), async (tx) => {
    const started = await beginSession(tx, here, account);
    if (!started.knownBrowser && account.lastSeenAt !== null) {
      await sendNewSignIn(tx, {
        ...addressee(portal, account, languageOf(here.context)),
        url: `${portal.origin}/forgot-password`,
        at: new Date(),
        address: here.context.get(clientAddressContext) || "?",
        browser: browserName(here.request.headers.get("user-agent") ?? ""),
      });
    }
    return started;
  });
  return [...begun.cookies, ...linked];
}

/** Only for the account with the very address that the provider has confirmed, and that has proven it here before. */
async function linkWaiting({ request, context }: Here, account: Account): Promise<string[]> {
  const waiting = linkCookie.read(request);
  if (waiting === null) return [];
  if (account.verified && waiting.emailVerified && waiting.email === account.email) {
    const person = { userId: account.id, address: context.get(clientAddressContext) };
    await inTransaction(db(), (tx) => linkIdentity(tx, person, waiting)).catch((problem) => {
      // Somebody else has it by now; signing in with the password goes on.
      if (!(problem instanceof AppError)) throw problem;
    });
  }
  return [linkCookie.clear()];
}

const BROWSERS = [
  [/Edg\//, "Edge"],
  [/OPR\//, "Opera"],
  [/Firefox\//, "Firefox"],
  [/Chrome\//, "Chrome"],
  [/Safari\//, "Safari"],
] as const;
const SYSTEMS = [
  [/Android/, "Android"],
  [/iPhone|iPad/, "iOS"],
  [/Windows/, "Windows"],
  [/Mac OS X/, "macOS"],
  [/Linux/, "Linux"],
] as const;

/** A browser as people call it: "Firefox, Linux". */
export function browserName(userAgent: string): string {
  const of = (list: readonly (readonly [RegExp, string])[]) => list.find(([pattern]) => pattern.test(userAgent))?.[1];
  return [of(BROWSERS), of(SYSTEMS)].filter(Boolean).join(", ") || "?";
}
