import { useTranslation } from "react-i18next";
import { CodeSample } from "~/ui/CodeSample";
import { Section } from "~/ui/page-parts";
import { UnstoredSecret } from "../UnstoredSecret";
import type { KeySample } from "./samples";

/** A secret, until the person confirms that they have stored it, with a command for a first call. */
export function ShownSecret({
  secret,
  name,
  samples,
  title,
  text,
}: {
  secret: string;
  name: string;
  /** Without samples the page shows a call with the secret itself. */
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
          <UnstoredSecret secret={secret} what={t("secret.label", { name })}>
            {curl ? (
              <details>
                <summary className="cursor-pointer text-accent">{t("secret.try")}</summary>
                <div className="mt-2">
                  <CodeSample name="curl" id="shown-curl" text={curl} />
                </div>
              </details>
            ) : null}
          </UnstoredSecret>
        </div>
      </Section>
    </div>
  );
}
