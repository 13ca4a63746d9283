import { Trans, useTranslation } from "react-i18next";
import { href } from "react-router";
import type { RefusedForm } from "~/access/flash.server";
import { TextField } from "~/ui/fields";
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
 * Behind the link of a confirmation message. A button, not the link itself, confirms: mail scanners open links. In a browser
 * that did not sign up, the password shows that it was this person who did.
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
        <button type="submit" className="button button-primary">
          {t("verify.confirm")}
        </button>
      </form>
    </SignInFrame>
  );
}
