import { useTranslation } from "react-i18next";
import { href, useSearchParams } from "react-router";
import { refusedFormOf } from "~/access/flash.server";
import { pageLoader } from "~/access/portal/page-loader.server";
import { db } from "~/connection/db.server";
import { LinkButton } from "~/ui/Button";
import { Count, Money, Percent } from "~/ui/Figures";
import { addressWith } from "~/ui/lists/list-address";
import type { PageHandle } from "~/ui/page-handle";
import { PageHeader } from "~/ui/page-parts";
import { StatCard, Stats } from "~/ui/StatCard";
import { Segments } from "~/ui/Tabs";
import { HelpPanel } from "../HelpPanel";
import type { Route } from "./+types/page";
import { AlgorithmTables } from "./AlgorithmTables";
import { AutorouterForms, FORM_ACTIONS } from "./AutorouterForms";
import { KeySettings } from "./KeySettings";
import { RoutedTables } from "./RoutedTables";
import { SavingsChart } from "./SavingsChart";
import { AutorouterPageQuery, type AutorouterView, readAutorouterPage } from "./view.server";

export const handle: PageHandle = { hydrate: false };

export const loader = pageLoader({ allow: "viewer", query: AutorouterPageQuery }, async ({ actor, query, context }) => {
  const refused = refusedFormOf(context, (action) => FORM_ACTIONS.some((own) => own === action));
  return { ...(await readAutorouterPage(db(), actor, query)), refused };
});

export default function Autorouter({ loaderData: view }: Route.ComponentProps) {
  const { t } = useTranslation("autorouter");
  return (
    <>
      <PageHeader
        title={t("title")}
        sub={t("subtitle")}
        actions={
          <>
            <Days days={view.days} />
            <LinkButton to={href("/dashboard/autorouter/dry-run")}>{t("dryRun")}</LinkButton>
          </>
        }
      />
      <HelpPanel action={href("/dashboard/autorouter/help")} shown={view.isHelpVisible} title={t("help.title")}>
        <p>{t("help.what")}</p>
        <p>{t("help.settings")}</p>
        <p>{t("help.saved")}</p>
      </HelpPanel>
      <SavingsCards report={view.report} />
      <SavingsChart days={view.report.days} />
      <RoutedTables view={view} />
      <AutorouterForms view={view} refused={view.refused} />
      <KeySettings view={view} />
      <AlgorithmTables merits={view.merits} />
    </>
  );
}

function Days({ days }: { days: number }) {
  const { t } = useTranslation("autorouter");
  const [query] = useSearchParams();
  return (
    <Segments
      label={t("days.label")}
      items={[7, 30, 90].map((count) => ({
        to: addressWith(query, { days: String(count), before: null }),
        label: t("days.count", { count }),
        current: count === days,
      }))}
    />
  );
}

function SavingsCards({ report }: Pick<AutorouterView, "report">) {
  const { t } = useTranslation("autorouter");
  const { requests, chargedNanoUsd, defaultNanoUsd, eligible, overridden } = report;
  const saved = defaultNanoUsd - chargedNanoUsd;
  return (
    <Stats>
      <StatCard label={t("cards.requests")} value={<Count value={requests} />} />
      <StatCard label={t("cards.saved")} value={<Money nano={saved} />} note={t("cards.savedNote")} />
      <StatCard
        label={t("cards.share")}
        value={defaultNanoUsd === 0n ? "–" : <Percent share={Number(saved) / Number(defaultNanoUsd)} />}
      />
      <StatCard
        label={t("cards.override")}
        value={eligible === 0 ? "–" : <Percent share={overridden / eligible} />}
        note={t("cards.overrideNote", { count: eligible })}
      />
    </Stats>
  );
}
