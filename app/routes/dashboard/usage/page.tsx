import { useTranslation } from "react-i18next";
import { useSearchParams } from "react-router";
import { pageLoader } from "~/access/portal/page-loader.server";
import { db } from "~/connection/db.server";
import { USAGE_GROUPS, USAGE_METRICS } from "~/domain/usage/shared";
import { dateFormat } from "~/ui/format";
import { type FilterField, unseen, useFilterState } from "~/ui/lists/filters";
import { addressWith, useFileAddress } from "~/ui/lists/list-address";
import { CsvLink, FilterBar } from "~/ui/lists/list-parts";
import type { PageHandle } from "~/ui/page-handle";
import { EmptyState, PageHeader, Section } from "~/ui/page-parts";
import { useDocumentFacts } from "~/ui/shell/document-context";
import { Segments } from "~/ui/Tabs";
import { RANGES } from "~/values/time-range";
import { UsagePageQuery } from "../../usage-query.server";
import type { Route } from "./+types/page";
import { UsageCards } from "./UsageCards";
import { UsageChart } from "./UsageChart";
import { UsageTable } from "./UsageTable";
import { readUsagePage, type UsagePageView } from "./view.server";

export const handle: PageHandle = { hydrate: false };

export const loader = pageLoader({ allow: "viewer", query: UsagePageQuery }, ({ actor, query }) =>
  readUsagePage(db(), actor, query),
);

const KEPT = ["range", "tz", "group", "groups", "metric"];

export default function Usage({ loaderData: view }: Route.ComponentProps) {
  const { t } = useTranslation(["usage", "dashboard"]);
  const { window, group, metric, usage } = view;
  const [query] = useSearchParams();
  const filters = useUsageFilters(view);
  const file = useFileAddress("/dashboard/usage/export");
  return (
    <>
      <PageHeader title={t("title")} sub={<Period view={view} />} actions={<TimeChoice view={view} />} />
      <FilterBar filters={filters} clear="/dashboard/usage" aside={<CsvLink to={file} />} />
      <UsageCards usage={usage} />
      <Section
        title={
          metric === "rejections"
            ? t("chart.rejections")
            : t("chart.title", { metric: t(`metric.${metric}`), by: t(`by.${group}`) })
        }
        aside={
          <Segments
            label={t("metric.label")}
            items={USAGE_METRICS.map((name) => ({
              to: addressWith(query, { metric: name }),
              label: t(`metric.${name}`),
              current: name === metric,
            }))}
          />
        }
      >
        {usage.total.requests === 0 && metric !== "rejections" ? (
          <EmptyState title={t("empty")}>{t("emptyText")}</EmptyState>
        ) : (
          <UsageChart view={view} timeZone={window.timeZone} />
        )}
      </Section>
      <Section
        id="breakdown"
        title={t("table.title", { by: t(`by.${group}`) })}
        aside={
          <Segments
            label={t("group.label")}
            items={view.groups.map((name) => ({
              to: addressWith(query, { group: name }),
              label: t(`group.${name}`),
              current: name === group,
            }))}
          />
        }
        flush={usage.groups.length > 0}
      >
        <UsageTable view={view} />
      </Section>
      <Compared view={view} />
    </>
  );
}

/** Whether the numbers above match the ledger: result of the auditor's last comparison. */
function Compared({ view: { compared, window } }: { view: UsagePageView }) {
  const { t } = useTranslation("usage");
  const { language } = useDocumentFacts();
  if (compared === null) return <p className="mb-4 text-xs text-ink-3">{t("compared.never")}</p>;
  const { timeZone } = window;
  const when = dateFormat(language, { timeZone, dateStyle: "medium", timeStyle: "short" }).format(
    new Date(compared.at),
  );
  return (
    <p className={`mb-4 text-xs ${compared.isEqual ? "text-ink-3" : "text-bad"}`}>
      {t(compared.isEqual ? "compared.equal" : "compared.different", { when, zone: timeZone })}
    </p>
  );
}

/** The days have a field; links set the filters of groups. The filter of the only group is shown by name. */
function useUsageFilters({ group, only }: UsagePageView) {
  const { t } = useTranslation("usage");
  const groups = USAGE_GROUPS.map((name): [string, FilterField] => {
    const text = name === group && only !== null ? () => only : undefined;
    return [name, { label: t(`group.${name}`), text, field: null, kept: true }];
  });
  return useFilterState({
    ...Object.fromEntries([...KEPT.map((name) => [name, unseen(true)]), ...groups]),
    since: { label: t("filter.since"), type: "date" },
    until: { label: t("filter.until"), type: "date" },
  });
}

function Period({ view: { place, window } }: { view: UsagePageView }) {
  const { t } = useTranslation("usage");
  const { language } = useDocumentFacts();
  const { bucket, timeZone } = window;
  const text = (at: Date) =>
    dateFormat(language, {
      timeZone,
      dateStyle: "medium",
      ...(bucket === "hour" ? { timeStyle: "short" as const } : {}),
    }).format(at);
  const period = t("period", {
    from: text(new Date(window.from)),
    // The end is exclusive, so the last moment before it is shown: in the last hour or on the last day.
    to: text(new Date(new Date(window.to).getTime() - (bucket === "hour" ? 0 : 1))),
    zone: timeZone,
  });
  return `${t(`sub.${place}`)} · ${period}`;
}

function TimeChoice({ view: { window, zone } }: { view: UsagePageView }) {
  const { t } = useTranslation(["usage", "dashboard"]);
  const [query] = useSearchParams();
  const here = { since: null, until: null };
  return (
    <>
      {zone === null || zone === "UTC" ? null : (
        <Segments
          label={t("dashboard:zone.label")}
          items={(["utc", "local"] as const).map((name) => ({
            to: addressWith(query, { tz: name }),
            label: t(`dashboard:zone.${name}`),
            current: (name === "local") === (window.timeZone !== "UTC"),
          }))}
        />
      )}
      <Segments
        label={t("range.label")}
        items={RANGES.map((name) => ({
          to: addressWith(query, { ...here, range: name }),
          label: t(`range.${name}`),
          current: name === window.range,
        }))}
      />
    </>
  );
}
