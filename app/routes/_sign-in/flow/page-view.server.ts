import { type RouterContextProvider, redirect } from "react-router";
import { personOf } from "~/access/actor.server";
import { refusedFormOf, toastOf } from "~/access/flash.server";
import { portalOf } from "~/access/portal-of.server";
import { safeNext } from "~/access/safe-next";
import { offeredProviders } from "~/access/sign-in/provider-settings.server";
import { config } from "~/config.server";

type Here = { request: Request; url: URL; context: Readonly<RouterContextProvider> };

/** Returns the data of all sign-in pages: the portal's brand, and the result of the last form. */
export async function signInView({ request, url, context }: Here, action: string) {
  const form = refusedFormOf(context, action);
  const toast = toastOf(context);
  const requested = url.searchParams.get("next") ?? form?.sent.next;
  return {
    brand: (await portalOf(request)).brand,
    form,
    // The form already shows the error.
    toast: form !== null && toast?.kind === "bad" ? null : toast,
    next: requested ? safeNext(requested, "/dashboard") : null,
    providers: offeredProviders(),
    passwords: config().passwordSignIn,
    openSignUp: config().signUp === "open",
  };
}

/** Redirects people who are already signed in away from a sign-in page. */
export function sendOnIfSignedIn({ url, context }: Here): void {
  const person = personOf(context);
  if (person === null) return;
  const next = safeNext(url.searchParams.get("next"), "/dashboard");
  if (person.accountState === "ready") throw redirect(next, 303);
  if (person.accountState === "terms") throw redirect(`/account/terms?next=${encodeURIComponent(next)}`, 303);
}
