import { useTranslation } from "react-i18next";
import { href } from "react-router";
import { Button } from "~/ui/Button";
import { FormActions } from "~/ui/forms/form-parts";
import { Section } from "~/ui/page-parts";
import type { SettingsView } from "./view";

/**
 * Whether the person's wallet pays for everyone in their organisation; renders nothing if it does not and no request is
 * open.
 */
export function Payer({ view: { duties } }: { view: SettingsView }) {
  const { t } = useTranslation("settings");
  if (duties === null) return null;
  const { organisation, people: count, pays, asked } = duties;
  return (
    <Section title={t("payer.title")} id="payer">
      <div className="grid gap-3">
        {asked === null ? null : (
          <>
            <p className="font-strong">
              {asked.by === null
                ? t("payer.askedPlain", { organisation })
                : t("payer.asked", { name: asked.by, organisation })}
            </p>
            <p className="text-ink-2">{t("payer.meaning", { count })}</p>
            <FormActions>
              <Answer answer="accept" primary />
              <Answer answer="decline" />
            </FormActions>
          </>
        )}
        {pays ? (
          <>
            <p className="text-ink-2">{t("payer.pays", { count, organisation })}</p>
            <FormActions>
              <Answer answer="withdraw" />
            </FormActions>
          </>
        ) : null}
      </div>
    </Section>
  );
}

function Answer({ answer, primary }: { answer: "accept" | "decline" | "withdraw"; primary?: boolean }) {
  const { t } = useTranslation("settings");
  return (
    <form method="post" action={href("/dashboard/settings/billing-user")}>
      <input type="hidden" name="answer" value={answer} />
      <Button kind={primary ? "primary" : undefined}>{t(`payer.${answer}`)}</Button>
    </form>
  );
}
