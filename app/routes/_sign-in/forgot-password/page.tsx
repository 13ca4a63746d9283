import { useTranslation } from "react-i18next";
import { href } from "react-router";
import { Button } from "~/ui/Button";
import { TextField } from "~/ui/forms/fields";
import type { PageHandle } from "~/ui/page-handle";
import { FormProblem } from "../flow/FormProblem";
import { signInView } from "../flow/page-view.server";
import { refusedFields } from "../flow/refused-fields";
import { SignInFrame } from "../flow/SignInFrame";
import type { Route } from "./+types/page";

export const handle: PageHandle = { hydrate: false };

export async function loader(args: Route.LoaderArgs) {
  return { ...(await signInView(args, href("/auth/forgot-password"))), sent: args.url.searchParams.has("sent") };
}

export default function ForgotPassword({ loaderData }: Route.ComponentProps) {
  const { brand, form, toast, sent } = loaderData;
  const { t } = useTranslation("signIn");
  if (sent) {
    return (
      <SignInFrame title={t("forgot.sentTitle")} brand={brand} lead={t("forgot.sentText")}>
        <p className="mt-7 flex flex-wrap gap-2.5">
          <a href={href("/login")} className="button">
            {t("forgot.back")}
          </a>
          <a href={href("/forgot-password")} className="button">
            {t("forgot.again")}
          </a>
        </p>
      </SignInFrame>
    );
  }
  return (
    <SignInFrame title={t("forgot.title")} brand={brand} toast={toast} lead={t("forgot.lead")}>
      <form method="post" action={href("/auth/forgot-password")} className="mt-7 grid gap-5">
        <FormProblem form={form} />
        <TextField
          label={t("fields.email")}
          name="email"
          type="email"
          autoComplete="username"
          required
          maxLength={254}
          {...refusedFields(form, ["email"])("email")}
        />
        <Button kind="primary">{t("forgot.submit")}</Button>
        <p className="text-md">
          <a href={href("/login")} className="link">
            {t("forgot.back")}
          </a>
        </p>
      </form>
    </SignInFrame>
  );
}
