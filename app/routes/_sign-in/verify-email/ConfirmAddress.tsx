import { Trans, useTranslation } from "react-i18next";
import { href } from "react-router";
import type { RefusedForm } from "~/access/flash.server";
import { Button } from "~/ui/Button";
import { TextField } from "~/ui/forms/fields";
import { FormProblem } from "../flow/FormProblem";
import { refusedFields } from "../flow/refused-fields";
import { SignInFrame } from "../flow/SignInFrame";

type Props = {
  brand: string;
  toast: { kind: "good" | "bad"; text: string } | null;
  form: RefusedForm | null;
  link: { token: string; email: string; needsPassword: boolean };
};

/**
 * The page of a confirmation link. It confirms by a button, because mail scanners open links. In another browser than
 * that of the sign-up it asks for the password, as proof of the same person.
 */
export function ConfirmAddress({ brand, toast, form, link }: Props) {
  const { t } = useTranslation("signIn");
  const lead = (
    <Trans
      t={t}
      i18nKey="verify.confirmText"
      values={{ email: link.email, brand }}
      components={{ address: <span className="font-strong text-ink" /> }}
    />
  );
  return (
    <SignInFrame title={t("verify.confirmTitle")} brand={brand} toast={form ? null : toast} lead={lead}>
      <form method="post" action={href("/auth/verify-email")} className="mt-7 grid gap-5">
        <FormProblem form={form} />
        <input type="hidden" name="token" value={link.token} />
        {link.needsPassword ? (
          <>
            <input type="text" autoComplete="username" defaultValue={link.email} readOnly hidden />
            <TextField
              label={t("fields.password")}
              name="password"
              type="password"
              autoComplete="current-password"
              required
              hint={t("verify.passwordHint")}
              {...refusedFields(form, ["password"])("password")}
            />
          </>
        ) : null}
        <Button kind="primary">{t("verify.confirm")}</Button>
      </form>
    </SignInFrame>
  );
}
