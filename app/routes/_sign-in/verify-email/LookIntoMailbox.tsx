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
  email: string | null;
  /** There was a link, and it cannot be used any more. */
  ended: boolean;
  /** Whoever is signed in here and has yet to confirm their address. */
  unconfirmed: string | null;
};

/** Between signing up and confirming: where the message is, and how to get another. */
export function LookIntoMailbox({ brand, toast, form, email, ended, unconfirmed }: Props) {
  const { t } = useTranslation("signIn");
  const wait = email ? (
    <Trans
      t={t}
      i18nKey="verify.waitText"
      values={{ email }}
      components={{ address: <span className="font-strong text-ink" /> }}
    />
  ) : (
    t("verify.waitTextUnknown")
  );
  return (
    <SignInFrame
      title={ended ? t("verify.notUsableTitle") : t("verify.title")}
      brand={brand}
      toast={toast}
      lead={unconfirmed ? t("verify.accountText", { email: unconfirmed }) : ended ? t("verify.notUsableText") : wait}
    >
      <form method="post" action={href("/auth/resend-verification")} className="mt-7 grid gap-5">
        <FormProblem form={form} />
        <TextField
          label={t("fields.email")}
          name="email"
          type="email"
          autoComplete="email"
          required
          maxLength={254}
          {...refusedFields(form, ["email"])("email")}
          defaultValue={email ?? ""}
          hint={t("verify.resendHint")}
        />
        <p className="flex flex-wrap gap-2.5">
          <button type="submit" className="button">
            {t("verify.resend")}
          </button>
          <a href={href("/login")} className="button">
            {t("signUp.signIn")}
          </a>
        </p>
      </form>
    </SignInFrame>
  );
}
