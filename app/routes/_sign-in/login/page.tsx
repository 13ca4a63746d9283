import { useTranslation } from "react-i18next";
import { href } from "react-router";
import { Button } from "~/ui/Button";
import { TextField } from "~/ui/forms/fields";
import type { PageHandle } from "~/ui/page-handle";
import { FormProblem } from "../flow/FormProblem";
import { Divider, ProviderLinks } from "../flow/ProviderLinks";
import { sendOnIfSignedIn, signInView } from "../flow/page-view.server";
import { refusedFields } from "../flow/refused-fields";
import { SignInFrame } from "../flow/SignInFrame";
import type { Route } from "./+types/page";

export const handle: PageHandle = { hydrate: false };

export async function loader(args: Route.LoaderArgs) {
  sendOnIfSignedIn(args);
  return signInView(args, href("/auth/login"));
}

export default function Login({ loaderData }: Route.ComponentProps) {
  const { brand, form, toast, next, providers, passwords, openSignUp } = loaderData;
  const { t } = useTranslation("signIn");
  const fieldOf = refusedFields(form, ["email", "password"]);
  const query = next === null ? "" : `?next=${encodeURIComponent(next)}`;
  return (
    <SignInFrame title={t("login.title")} brand={brand} toast={toast}>
      <div className="mt-7">
        {passwords ? (
          <form method="post" action={href("/auth/login")} className="grid gap-5">
            <FormProblem form={form} />
            {next ? <input type="hidden" name="next" value={next} /> : null}
            <TextField
              label={t("fields.email")}
              name="email"
              type="email"
              autoComplete="username"
              required
              maxLength={254}
              {...fieldOf("email")}
            />
            <TextField
              label={t("fields.password")}
              name="password"
              type="password"
              autoComplete="current-password"
              required
              {...fieldOf("password")}
            />
            <Button kind="primary">{t("login.submit")}</Button>
            <p className="text-md">
              <a href={href("/forgot-password")} className="link">
                {t("login.forgot")}
              </a>
            </p>
          </form>
        ) : (
          <FormProblem form={form} />
        )}
        {passwords && providers.length > 0 ? <Divider /> : null}
        <ProviderLinks providers={providers} next={next} />
        {openSignUp ? (
          <p className="mt-8 border-line border-t pt-5 text-ink-2">
            {t("login.new", { brand })}{" "}
            <a href={`${href("/signup")}${query}`} className="link">
              {t("login.signUp")}
            </a>
          </p>
        ) : null}
      </div>
    </SignInFrame>
  );
}
