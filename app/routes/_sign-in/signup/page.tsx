import { useTranslation } from "react-i18next";
import { href } from "react-router";
import { Button } from "~/ui/Button";
import { TextField } from "~/ui/forms/fields";
import type { PageHandle } from "~/ui/page-handle";
import { AcceptTerms } from "../flow/AcceptTerms";
import { FormProblem } from "../flow/FormProblem";
import { Divider } from "../flow/ProviderLinks";
import { sendOnIfSignedIn, signInView } from "../flow/page-view.server";
import { refusedFields } from "../flow/refused-fields";
import { SignInFrame } from "../flow/SignInFrame";
import type { Route } from "./+types/page";
import { ProviderSignUp } from "./ProviderSignUp";
import { providerFormOf } from "./view.server";

export const handle: PageHandle = { hydrate: false };

export async function loader(args: Route.LoaderArgs) {
  sendOnIfSignedIn(args);
  const throughProvider = providerFormOf(args.context);
  return { ...(await signInView(args, href("/auth/register"))), throughProvider };
}

export default function SignUp({ loaderData }: Route.ComponentProps) {
  const { brand, form, toast, next, providers, passwords, openSignUp, throughProvider } = loaderData;
  const { t } = useTranslation("signIn");
  const fieldOf = refusedFields(form, ["name", "email", "organisation", "password", "accept_terms"]);
  const terms = fieldOf("accept_terms");
  const query = next === null ? "" : `?next=${encodeURIComponent(next)}`;
  const title = throughProvider ? t("signUp.titleProvider") : t("signUp.title");
  if (!openSignUp) return <ByInvitation brand={brand} />;
  return (
    <SignInFrame
      title={title}
      brand={brand}
      toast={throughProvider ? null : toast}
      lead={throughProvider ? null : t("signUp.lead")}
    >
      <div className="mt-7">
        {passwords && !throughProvider ? (
          <form method="post" action={href("/auth/register")} className="grid gap-5">
            <FormProblem form={form} />
            {next ? <input type="hidden" name="next" value={next} /> : null}
            <TextField
              label={t("fields.name")}
              name="name"
              autoComplete="name"
              required
              maxLength={120}
              {...fieldOf("name")}
            />
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
              label={t("fields.organisation")}
              name="organisation"
              autoComplete="organization"
              hint={t("signUp.organisationHint")}
              maxLength={120}
              {...fieldOf("organisation")}
            />
            <TextField
              label={t("fields.password")}
              name="password"
              type="password"
              autoComplete="new-password"
              required
              minLength={10}
              hint={t("fields.passwordHint")}
              {...fieldOf("password")}
            />
            <AcceptTerms problem={terms.problem} autoFocus={terms.autoFocus} accepted={terms.defaultValue === "on"} />
            <Button kind="primary">{t("signUp.submit")}</Button>
          </form>
        ) : null}
        {passwords && !throughProvider && providers.length > 0 ? <Divider /> : null}
        <ProviderSignUp
          providers={providers}
          form={throughProvider}
          next={next}
          checked={passwords && !throughProvider}
        />
        <p className="mt-8 border-line border-t pt-5 text-ink-2">
          {t("signUp.have")}{" "}
          <a href={`${href("/login")}${query}`} className="link">
            {t("signUp.signIn")}
          </a>
        </p>
      </div>
    </SignInFrame>
  );
}

function ByInvitation({ brand }: { brand: string }) {
  const { t } = useTranslation("signIn");
  return (
    <SignInFrame title={t("signUp.titleInvite")} brand={brand} lead={t("signUp.textInvite")}>
      <p className="mt-7">
        <a href={href("/login")} className="button button-primary">
          {t("signUp.signIn")}
        </a>
      </p>
    </SignInFrame>
  );
}
