import { useTranslation } from "react-i18next";
import { href, useSearchParams } from "react-router";
import { pageLoader } from "~/access/portal/page-loader.server";
import { db } from "~/connection/db.server";
import { isHelpShown } from "~/domain/accounts/index.server";
import { atLeast } from "~/domain/accounts/shared";
import { QUALITY_GROUPS } from "~/domain/usage/shared";
import { LinkButton } from "~/ui/Button";
import { addressWith, useFileAddress } from "~/ui/lists/list-address";
import { CsvLink } from "~/ui/lists/list-parts";
import type { PageHandle } from "~/ui/page-handle";
import { PageHeader, Section } from "~/ui/page-parts";
import { Segments } from "~/ui/Tabs";
import { HelpPanel } from "../HelpPanel";
import type { Route } from "./+types/page";
import { QualityTable } from "./QualityTable";
import { QUALITY_DAYS } from "./shared";
import { QualityQuery, readQualityView } from "./view.server";

export const handle: PageHandle = { hydrate: false };

export const loader = pageLoader({ allow: "viewer", query: QualityQuery }, async ({ actor, query }) => {
  const [view, isHelpVisible] = await Promise.all([
    readQualityView(db(), query),
    isHelpShown(db(), actor, "qualitative"),
  ]);
  return { ...view, isHelpVisible, administers: atLeast(actor.role, "org_admin") };
});

export default function Quality({ loaderData: view }: Route.ComponentProps) {
  const { t } = useTranslation("quality");
  const [query] = useSearchParams();
  const file = useFileAddress("/dashboard/qualitative/export");
  return (
    <>
      <PageHeader
        title={t("title")}
        sub={t("subtitle")}
        actions={
          <>
            {view.administers ? (
              <LinkButton to={href("/dashboard/qualitative/settings")}>{t("settings.open")}</LinkButton>
            ) : null}
            <Segments
              label={t("days.label")}
              items={QUALITY_DAYS.map((days) => ({
                to: addressWith(query, { days }),
                label: t("days.count", { count: Number(days) }),
                current: days === view.days,
              }))}
            />
          </>
        }
      />
      <HelpPanel action={href("/dashboard/qualitative/help")} shown={view.isHelpVisible} title={t("help.title")}>
        <p>{t("help.what")}</p>
        <p>{t("help.who")}</p>
        <p>{t("help.words")}</p>
      </HelpPanel>
      <Section
        title={t("table.title")}
        flush={view.rows.length > 0}
        aside={
          <span className="flex flex-wrap items-center gap-2">
            <Segments
              label={t("group.label")}
              items={QUALITY_GROUPS.map((group) => ({
                to: addressWith(query, { group }),
                label: t(`group.${group}`),
                current: group === view.group,
              }))}
            />
            <CsvLink to={file} />
          </span>
        }
      >
        <QualityTable rows={view.rows} group={view.group} />
      </Section>
    </>
  );
}
