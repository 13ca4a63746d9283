import { href } from "react-router";
import { personOf } from "~/access/actor.server";
import { redirectWith, refusedFormOf } from "~/access/flash.server";
import { db } from "~/connection/db.server";
import { findSignUp } from "~/domain/accounts/index.server";
import type { PageHandle } from "~/ui/page-handle";
import { signUpCookie, verifyTokenCookie } from "../flow/journey-cookies.server";
import { signInView } from "../flow/page-view.server";
import type { Route } from "./+types/page";
import { CheckInbox } from "./CheckInbox";
import { ConfirmAddress } from "./ConfirmAddress";

export const handle: PageHandle = { hydrate: false };

export async function loader(args: Route.LoaderArgs) {
  const { request, url, context } = args;
  const tokenParameter = url.searchParams.get("token");
  if (tokenParameter)
    throw redirectWith(href("/verify-email"), [verifyTokenCookie.set({ token: tokenParameter.slice(0, 200) })]);
  const resend = refusedFormOf(context, href("/auth/resend-verification"));
  const view = await signInView(args, href("/auth/verify-email"));
  const waiting = signUpCookie.read(request);
  const token = verifyTokenCookie.read(request)?.token ?? null;
  const link = token === null ? null : await findSignUp(db(), token, waiting?.browser ?? null);
  const person = personOf(context);
  const unconfirmed = person?.accountState === "unverified" ? person.actor.email : null;
  return {
    ...view,
    resend,
    unconfirmed,
    email: resend?.sent.email ?? waiting?.email ?? unconfirmed,
    link: token === null ? null : { token, found: link },
  };
}

export default function VerifyEmail({ loaderData }: Route.ComponentProps) {
  const { brand, form, toast, resend, email, link, unconfirmed } = loaderData;
  if (link?.found) {
    return <ConfirmAddress brand={brand} toast={toast} form={form} link={{ token: link.token, ...link.found }} />;
  }
  return (
    <CheckInbox
      brand={brand}
      toast={resend ? null : toast}
      form={resend}
      email={email}
      ended={link !== null}
      unconfirmed={unconfirmed}
    />
  );
}
