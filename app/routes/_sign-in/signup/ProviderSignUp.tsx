import { useTranslation } from "react-i18next";
import { href } from "react-router";
import type { RefusedForm } from "~/access/flash.server";
import { Button } from "~/ui/Button";
import { AcceptTerms } from "../flow/AcceptTerms";
import { FormProblem } from "../flow/FormProblem";
import { ProviderLinks } from "../flow/ProviderLinks";

type Props = {
  providers: readonly { provider: string; label: string }[];
  /** Set after a return from a provider, or after a submission with the box unchecked. */
  form: RefusedForm | null;
  next: string | null;
  /** The page has its own checkbox for the terms, so the buttons lead directly to the provider. */
  checked: boolean;
};

/** Sign-up through a provider: the terms are accepted here, and the provider identifies the person. */
export function ProviderSignUp({ providers, form, next, checked }: Props) {
  const { t } = useTranslation("signIn");
  if (checked) return <ProviderLinks providers={providers} next={next} />;
  const providerName = form?.sent.provider;
  const offered = providers.filter(({ provider }) => providerName === undefined || provider === providerName);
  const parameters = ["next", "domain", "browser"].flatMap((name) => {
    const value = form?.sent[name] ?? (name === "next" ? next : null);
    return value ? [{ name, value }] : [];
  });
  return (
    <form method="post" action={href("/auth/accept-tos")} className="grid gap-5">
      <FormProblem form={form && { ...form, fields: {} }} />
      {form?.sent.email ? (
        <p className="text-ink-2">
          {t("signUp.as")} <span className="mono text-ink">{form.sent.email}</span>
        </p>
      ) : null}
      {form?.sent.email ? <input type="hidden" name="email" value={form.sent.email} /> : null}
      {parameters.map(({ name, value }) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <AcceptTerms />
      <div className="grid gap-2.5">
        {offered.map(({ provider, label }) => (
          <Button key={provider} name="provider" value={provider} kind="primary">
            {t("signUp.with", { provider: label })}
          </Button>
        ))}
      </div>
    </form>
  );
}
