import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { useDocumentFacts } from "~/ui/document-context";
import { momentText, wholeText } from "~/ui/format";
import { DetailList, Section } from "~/ui/page-parts";
import { RegionLock } from "~/ui/RegionLock";
import type { KeyPageView } from "./view.server";

/** The settings of a key. They are changed in a sheet of their own (`EditSheet`). */
export function PolicyPanel({ view }: { view: KeyPageView }) {
  const { t } = useTranslation("keys");
  const { rights, status } = view.key;
  return (
    <Section title={t("policy.title")} id="policy">
      <Settings view={view} />
      {rights.limits || status === "revoked" ? null : (
        <p className="mt-3 text-ink-3">{t(rights.change ? "policy.fixed" : "policy.readOnly")}</p>
      )}
    </Section>
  );
}

function Settings({ view: { key } }: { view: KeyPageView }) {
  const { t } = useTranslation("keys");
  const { language } = useDocumentFacts();
  const { autorouter, fit_output, ...labels } = key.metadata;
  const list = (names: readonly string[], none: string) => (names.length === 0 ? none : names.join(", "));
  return (
    <DetailList
      rows={[
        [t("policy.models"), list(key.allowedModels, t("policy.allModels"))],
        [
          t("policy.regions"),
          <span key="regions">
            {list(key.allowedRegions, t("policy.allRegions"))}{" "}
            {key.allowedRegions.length === 0 ? null : <RegionLock to={key.allowedRegions.join(", ")} />}
          </span>,
        ],
        [t("policy.origins"), list(key.allowedOrigins, t("policy.noOrigins"))],
        [t("policy.rpm"), key.rateLimitRpm === null ? t("list.noLimit") : wholeText(key.rateLimitRpm, language)],
        [t("policy.expires"), key.expiresAt === null ? t("list.never") : momentText(new Date(key.expiresAt), language)],
        [t("policy.project"), key.project?.name ?? t("form.noProject")],
        [
          t("policy.autorouter"),
          autorouter ? t(`form.algorithms.${autorouter as "balanced"}`) : t("form.algorithms.none"),
        ],
        ...(key.rights.change
          ? [
              [
                t("policy.guardrails"),
                <Link key="guardrails" to={`/dashboard/guardrails?key=${key.id}`} className="link">
                  {t("policy.viewGuardrails")}
                </Link>,
              ] as const,
            ]
          : []),
        [t("form.fitOutput"), t(fit_output === "true" ? "form.fit.shorten" : "form.fit.reject")],
        [
          t("policy.labels"),
          list(
            Object.entries(labels).map(([name, value]) => `${name}=${value}`),
            t("policy.none"),
          ),
        ],
      ]}
    />
  );
}
