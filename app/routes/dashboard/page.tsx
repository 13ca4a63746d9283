import { useTranslation } from "react-i18next";
import { href } from "react-router";
import { pageLoader } from "~/access/portal/page-loader.server";
import { db } from "~/connection/db.server";
import { LinkButton } from "~/ui/Button";
import type { PageHandle } from "~/ui/page-handle";
import { Columns, Live, PageHeader, Section } from "~/ui/page-parts";
import { Segments } from "~/ui/Tabs";
import { RANGES } from "~/values/time-range";
import type { Route } from "./+types/page";
import { Alerts } from "./overview/Alerts";
import { BudgetList } from "./overview/BudgetList";
import { LatestRequests } from "./overview/LatestRequests";
import { RejectedRequests } from "./overview/RejectedRequests";
import { SpendChart } from "./overview/SpendChart";
import { StatCards } from "./overview/StatCards";
import { TopKeys, TopModels } from "./overview/TopLists";
import { UnderWay } from "./overview/UnderWay";
import { OverviewQuery, readOverview } from "./overview/view.server";

export const handle: PageHandle = { hydrate: false };

export const loader = pageLoader({ allow: "viewer", query: OverviewQuery }, ({ actor, query }) =>
  readOverview(db(), actor, query),
);

export default function Overview({ loaderData: view }: Route.ComponentProps) {
  const { t } = useTranslation(["dashboard", "getStarted", "ui"]);
  const { range, tz, zone, place, start } = view;
  const zones = zone === null || zone === "UTC" ? null : (["utc", "local"] as const);
  return (
    <>
      <PageHeader
        title={t("title")}
        sub={`${t(`subtitle.${place.kind}`, { name: place.name })} · ${t("ui:againstBefore")}`}
        actions={
          <>
            {zones === null ? null : (
              <Segments
                label={t("zone.label")}
                items={zones.map((name) => ({
                  to: `?range=${range}&tz=${name}`,
                  label: name === "utc" ? t("zone.utc") : t("zone.local"),
                  current: name === tz,
                }))}
              />
            )}
            <Segments
              label={t("range.label")}
              items={RANGES.map((name) => ({
                to: `?range=${name}&tz=${tz}`,
                label: t(`range.${name}`),
                current: name === range,
              }))}
            />
          </>
        }
      />
      {start === null ? null : (
        <Section>
          <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
            <div>
              <h2 className="text-md">{t("start.title")}</h2>
              <p className="text-ink-2">
                {t("start.text", { done: start.done, all: start.all })}
                {start.next === null
                  ? null
                  : ` · ${t("start.next", { step: t(`getStarted:steps.${start.next}.title`) })}`}
              </p>
            </div>
            <LinkButton to={href("/dashboard/get-started")} kind="primary">
              {t("start.go")}
            </LinkButton>
          </div>
        </Section>
      )}
      <Live name="figures">
        <Alerts view={view} />
        <UnderWay view={view} />
        <StatCards view={view} />
        <SpendChart view={view} />
        <RejectedRequests view={view} />
      </Live>
      <Columns>
        <Live name="models">
          <TopModels view={view} />
        </Live>
        <Live name="budgets">
          <BudgetList view={view} />
        </Live>
      </Columns>
      <Columns>
        <Live name="requests">
          <LatestRequests view={view} />
        </Live>
        <Live name="keys">
          <TopKeys view={view} />
        </Live>
      </Columns>
    </>
  );
}
