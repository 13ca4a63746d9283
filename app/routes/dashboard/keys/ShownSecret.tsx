import { useTranslation } from "react-i18next";
import { href } from "react-router";
import { Button } from "~/ui/Button";
import { CodeSample } from "~/ui/CodeSample";
import { CopyButton } from "~/ui/CopyButton";
import { Section } from "~/ui/page-parts";
import type { KeySample } from "./samples";

/** A secret while it is known, until its person says that they have stored it, with a line that makes the first call. */
export function ShownSecret({
  secret,
  name,
  samples,
  title,
  text,
}: {
  secret: string;
  name: string;
  /** None: the page shows a call with the secret itself. */
  samples?: readonly KeySample[];
  title?: string;
  text?: string;
}) {
  const { t } = useTranslation("keys");
  const curl = samples?.find(({ kind }) => kind === "curl")?.text.replace("$GW_KEY", secret);
  return (
    <div className="shown-secret" role="status">
      <Section title={title ?? t("secret.title")}>
        <div className="grid gap-3">
          <p className="text-ink-2">{text ?? t("secret.text")}</p>
          <p className="flex flex-wrap items-center gap-2 rounded-lg border border-accent/40 bg-accent-soft px-3.5 py-2.5">
            <code id="shown-secret" className="mono min-w-0 flex-1 text-md wrap-anywhere">
              {secret}
            </code>
            <CopyButton of="#shown-secret" what={t("secret.label", { name })} />
          </p>
          {curl ? (
            <details>
              <summary className="cursor-pointer text-accent">{t("secret.try")}</summary>
              <div className="mt-2">
                <CodeSample name="curl" id="shown-curl" text={curl} />
              </div>
            </details>
          ) : null}
          <form method="post" action={href("/dashboard/secret-stored")}>
            <Button kind="primary">{t("secret.dismiss")}</Button>
          </form>
        </div>
      </Section>
    </div>
  );
}
