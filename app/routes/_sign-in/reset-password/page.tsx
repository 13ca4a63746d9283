import { useTranslation } from "react-i18next";
import { href } from "react-router";
import { redirectWith } from "~/access/flash.server";
import { db } from "~/connection/db.server";

import { findReset } from "~/domain/accounts/index.server";
import { Button } from "~/ui/Button";

import { TextField } from "~/ui/forms/fields";
import type { PageHandle } from "~/ui/page-handle";
import { FormProblem } from "../flow/FormProblem";
import { resetTokenCookie } from "../flow/journey-cookies.server";
import { signInView } from "../flow/page-view.server";
import { refusedFields } from "../flow/refused-fields";
import { SignInFrame } from "../flow/SignInFrame";
import type { Route } from "./+types/page";

export const handle: PageHandle = { hydrate: false };

export async function loader(args: Route.LoaderArgs) {
  const token = args.url.searchParams.get("token");
  if (token) throw redirectWith(href("/reset-password"), [resetTokenCookie.set({ token: token.slice(0, 200) })]);
  const storedToken = resetTokenCookie.read(args.request)?.token ?? "";
  const link = storedToken === "" ? null : await findReset(db(), storedToken);
  const view = await signInView(args, href("/auth/reset-password"));
  return { ...view, token: link ? storedToken : null, email: link?.email ?? null };
}

export default function ResetPassword({ loaderData }: Route.ComponentProps) {
  const { brand, form, token, email } = loaderData;
  const { t } = useTranslation("signIn");
  if (token === null) {
    return (
      <SignInFrame title={t("reset.notUsableTitle")} brand={brand} lead={t("reset.notUsableText")}>
        <p className="mt-7">
          <a href={href("/forgot-password")} className="button button-primary">
            {t("reset.another")}
          </a>
        </p>
      </SignInFrame>
    );
  }
  return (
    <SignInFrame title={t("reset.title")} brand={brand} lead={t("reset.lead")}>
      <form method="post" action={href("/auth/reset-password")} className="mt-7 grid gap-5">
        <FormProblem form={form} />
        <input type="hidden" name="token" value={token} />
        <input type="text" autoComplete="username" defaultValue={email ?? ""} readOnly hidden />
        <TextField
          label={t("reset.password")}
          name="password"
          type="password"
          autoComplete="new-password"
          required
          minLength={10}
          hint={t("fields.passwordHint")}
          {...refusedFields(form, ["password"])("password")}
        />
        <Button kind="primary">{t("reset.submit")}</Button>
      </form>
    </SignInFrame>
  );
}
