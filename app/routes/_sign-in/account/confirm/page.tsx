import { useTranslation } from "react-i18next";
import { href } from "react-router";
import { requireActor } from "~/access/actor.server";
import { problemsAsJson } from "~/access/portal/page-loader.server";
import { confirmPage, signedIn } from "~/access/signed-in.server";
import { db } from "~/connection/db.server";

import { readOwnAccount } from "~/domain/accounts/index.server";
import { Button } from "~/ui/Button";

import { TextField } from "~/ui/forms/fields";
import type { PageHandle } from "~/ui/page-handle";
import { FormProblem } from "../../flow/FormProblem";
import { Divider, ProviderLinks } from "../../flow/ProviderLinks";
import { signInView } from "../../flow/page-view.server";
import { refusedFields } from "../../flow/refused-fields";
import { SignInFrame } from "../../flow/SignInFrame";
import type { Route } from "./+types/page";
import { confirmByPassword } from "./confirm.server";

export const handle: PageHandle = { hydrate: false };

export const middleware: Route.MiddlewareFunction[] = [signedIn, problemsAsJson];

/** The ways for this person to prove their identity: their password, and the providers linked to their account. */
export async function loader(args: Route.LoaderArgs) {
  const actor = requireActor(args.context);
  const [view, account] = await Promise.all([signInView(args, href("/account/confirm")), readOwnAccount(db(), actor)]);
  const linked = new Set(account.identities.map(({ provider }) => provider));
  const next = view.next ?? "/dashboard";
  return {
    brand: view.brand,
    toast: view.toast,
    email: actor.email,
    next,
    // A rejected password shows this page again, with the same destination.
    here: confirmPage(next),
    password: view.passwords && account.hasPassword,
    providers: view.providers.filter(({ provider, attests }) => attests && linked.has(provider)),
    canHavePassword: view.passwords,
  };
}

export const action = confirmByPassword;

export default function Confirm({ loaderData, actionData }: Route.ComponentProps) {
  const { brand, toast, email, next, here, password, providers, canHavePassword } = loaderData;
  const { t } = useTranslation("signIn");
  const refused = actionData?.form ?? null;
  const form = refused && { ...refused, message: refused.problem ?? "" };
  return (
    <SignInFrame title={t("confirm.title")} brand={brand} toast={toast} lead={t("confirm.lead")}>
      <div className="mt-7">
        {password ? (
          <form method="post" action={here} className="grid gap-5">
            <FormProblem form={form} />
            <input type="hidden" name="next" value={next} />
            <input type="text" autoComplete="username" value={email} readOnly hidden />
            <TextField
              label={t("confirm.password", { email })}
              name="password"
              type="password"
              autoComplete="current-password"
              required
              {...refusedFields(form, ["password"])("password")}
            />
            <Button kind="primary">{t("confirm.submit")}</Button>
          </form>
        ) : (
          <FormProblem form={form} />
        )}
        {password && providers.length > 0 ? <Divider /> : null}
        <ProviderLinks providers={providers} next={next} confirm />
        {password || providers.length > 0 ? null : <NoWay canHavePassword={canHavePassword} />}
        <p className="mt-8 flex flex-wrap gap-x-6 gap-y-2 border-line border-t pt-5">
          <a href={next} className="link">
            {t("confirm.back")}
          </a>
          <a href={href("/logout")} className="link">
            {t("terms.signOut")}
          </a>
        </p>
      </div>
    </SignInFrame>
  );
}

/** For people whose providers cannot confirm their presence. */
function NoWay({ canHavePassword }: { canHavePassword: boolean }) {
  const { t } = useTranslation("signIn");
  if (!canHavePassword) return <p className="text-ink-2">{t("confirm.noWay")}</p>;
  return (
    <>
      <p className="text-ink-2">{t("confirm.setPassword")}</p>
      <p className="mt-5">
        <a href={href("/forgot-password")} className="button button-primary">
          {t("confirm.emailLink")}
        </a>
      </p>
    </>
  );
}
