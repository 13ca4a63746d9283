import { useTranslation } from "react-i18next";
import { Section } from "~/ui/page-parts";
import { SettingList } from "../PolicyFields";
import type { KeyPageView } from "./view.server";

/** The settings of a key. They are changed in a side sheet (`EditSheet`). */
export function PolicyPanel({ view }: { view: KeyPageView }) {
  const { t } = useTranslation("keys");
  const { rights, status } = view.key;
  return (
    <Section title={t("policy.title")} id="policy">
      <SettingList of={view.key} />
      {rights.limits || status === "revoked" ? null : (
        <p className="mt-3 text-ink-3">{t(rights.change ? "policy.fixed" : "policy.readOnly")}</p>
      )}
    </Section>
  );
}
