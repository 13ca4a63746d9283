import type { RouterContextProvider } from "react-router";
import { languageOf } from "~/access/language.server";
import { type PortalFace, portalOf } from "~/access/portal-of.server";
import type { Db } from "~/db.server";
import { clientAddressContext } from "~/http/client-address";
import { isLanguage, type Language } from "~/i18n/languages";
import type { Addressee, Circumstances } from "~/mail/emails.server";
import { sendPasswordChanged } from "~/mail/security-emails.server";
import { browserOf } from "./browser-of";

type Here = { request: Request; context: Readonly<RouterContextProvider> };

/** How emails to an account address it, from the portal that it is used in. */
export function addressee(
  portal: PortalFace,
  account: { email: string; name: string; language: string | null },
  otherwise: Language,
): Addressee {
  const language = isLanguage(account.language) ? account.language : otherwise;
  return { to: account.email, name: account.name, language, brand: portal.brand };
}

/** When, from which network and in which browser something is done, for an email that tells about it. */
export function circumstancesOf({ request, context }: Here): Circumstances {
  return {
    at: new Date(),
    address: context.get(clientAddressContext) || "?",
    browser: browserName(request.headers.get("user-agent") ?? ""),
  };
}

/** Tells the owner of an account that it has another password, or its first one. */
export async function tellPasswordChanged(
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

/** A browser as people call it: "Firefox, Linux". */
function browserName(userAgent: string): string {
  const { browser, system } = browserOf(userAgent);
  return [browser, system].filter((part) => part !== null).join(", ") || "?";
}
