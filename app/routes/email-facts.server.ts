import type { RouterContextProvider } from "react-router";
import { languageOf } from "~/access/language.server";
import { type PortalFace, portalOf } from "~/access/portal-of.server";
import type { Db } from "~/connection/db.server";
import { clientAddressContext } from "~/http/server/client-address";
import { isLanguage, type Language } from "~/i18n/languages";
import type { Addressee, Circumstances } from "~/mail/emails.server";
import { sendPasswordChanged } from "~/mail/security-emails.server";
import { browserOf } from "./browser-of";

type Here = { request: Request; context: Readonly<RouterContextProvider> };

/** Returns the recipient of emails to an account, with the brand of the portal in use. */
export function addressee(
  portal: PortalFace,
  account: { email: string; name: string; language: string | null },
  otherwise: Language,
): Addressee {
  const language = isLanguage(account.language) ? account.language : otherwise;
  return { to: account.email, name: account.name, language, brand: portal.brand };
}

/** Returns the time, IP address and browser of a request, for an email that reports the action. */
export function circumstancesOf({ request, context }: Here): Circumstances {
  return {
    at: new Date(),
    address: context.get(clientAddressContext) || "?",
    browser: browserName(request.headers.get("user-agent") ?? ""),
  };
}

/** Notifies the owner of an account of a changed password, or of their first one. */
export async function emailPasswordChanged(
  db: Db,
  here: Here,
  account: { email: string; name: string; language: string | null },
  { first }: { first: boolean },
): Promise<void> {
  const portal = await portalOf(here.request);
  await sendPasswordChanged(db, {
    ...addressee(portal, account, languageOf(here.context)),
    ...circumstancesOf(here),
    url: `${portal.origin}/forgot-password`,
    first,
  });
}

/** The browser and system in one text: "Firefox, Linux". */
function browserName(userAgent: string): string {
  const { browser, system } = browserOf(userAgent);
  return [browser, system].filter((part) => part !== null).join(", ") || "?";
}
