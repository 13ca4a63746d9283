import { useTranslation } from "react-i18next";
import { href } from "react-router";
import { redirectWith } from "~/access/flash.server";
import { db } from "~/connection/db.server";

import { findSignInLink } from "~/domain/accounts/index.server";
import { Button } from "~/ui/Button";

import type { PageHandle } from "~/ui/page-handle";
import { FormProblem } from "../flow/FormProblem";
import { signInCookie, signInTokenCookie } from "../flow/journey-cookies.server";
import { signInView } from "../flow/page-view.server";
import { SignInFrame } from "../flow/SignInFrame";
import type { Route } from "./+types/page";

export const handle: PageHandle = { hydrate: false };

/** The page of an emailed link. It signs in by a button, because mail scanners open links. */
export async function loader(args: Route.LoaderArgs) {
  const { request, url } = args;
  const tokenParameter = url.searchParams.get("token");
  if (tokenParameter)
    throw redirectWith(href("/sign-in-link"), [signInTokenCookie.set({ token: tokenParameter.slice(0, 200) })]);
  const { brand, form, toast } = await signInView(args, href("/auth/sign-in-link"));
  const token = signInTokenCookie.read(request)?.token ?? null;
  const browser = signInCookie.read(request)?.browser ?? null;
  const linkState = token === null ? null : await findSignInLink(db(), token, browser);
  // In another browser the page shows no address: the reader may be another person than the one who requested the link.
  const link = token !== null && linkState?.here ? { token, email: linkState.email } : null;
  return { brand, form, toast, link, elsewhere: linkState !== null && !linkState.here };
}

export default function SignInLink({ loaderData: { brand, form, toast, link, elsewhere } }: Route.ComponentProps) {
  const { t } = useTranslation("signIn");
  if (link === null) {
    const why = elsewhere ? "elsewhere" : "ended";
    return (
      <SignInFrame title={t(`link.${why}Title`)} brand={brand} lead={t(`link.${why}Text`)}>
        <p className="mt-7">
          <a href={href("/login")} className="button button-primary">
            {t("link.again")}
          </a>
        </p>
      </SignInFrame>
    );
  }
  return (
    <SignInFrame
      title={t("link.title")}
      brand={brand}
      toast={form ? null : toast}
      lead={t("link.lead", { email: link.email })}
    >
      <form method="post" action={href("/auth/sign-in-link")} className="mt-7 grid gap-5">
        <FormProblem form={form} />
        <input type="hidden" name="token" value={link.token} />
        <Button kind="primary">{t("login.submit")}</Button>
      </form>
    </SignInFrame>
  );
}
