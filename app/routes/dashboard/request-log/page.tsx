import { useTranslation } from "react-i18next";
import { useSearchParams } from "react-router";
import { pageLoader } from "~/access/portal/page-loader.server";
import { db } from "~/db.server";
import { GUARDRAIL_ACTIONS } from "~/domain/guardrails/shared";
import { isOneOf } from "~/one-of";
import { FilterInput, FilterSelect } from "~/ui/FilterFields";
import { addressWith, useChips, useFileAddress } from "~/ui/list-address";
import { CsvLink, FilterBar, Pager } from "~/ui/list-parts";
import type { PageHandle } from "~/ui/page-handle";
import { PageHeader, Section } from "~/ui/page-parts";
import { USAGE_GROUPS } from "../usage/shared";
import type { Route } from "./+types/page";
import { LOG_OUTCOMES } from "./outcomes";
import { RequestLogQuery } from "./query.server";
import { RejectedTable } from "./RejectedTable";
import { RequestsChart } from "./RequestsChart";
import { RequestTable } from "./RequestTable";
import { readRequestLog } from "./view.server";

export const handle: PageHandle = { hydrate: false };

export const loader = pageLoader({ allow: "viewer", query: RequestLogQuery }, ({ actor, query }) =>
  readRequestLog(db(), actor, query),
);

export default function RequestLog({ loaderData: view }: Route.ComponentProps) {
  const { t } = useTranslation(["requestLog", "usage", "guardrails"]);
  const [query] = useSearchParams();
  const itself = (value: string) => value;
  const chips = useChips({
    outcome: [t("filter.outcome"), (value) => (isOutcome(value) ? t(`outcome.${value}`) : value)],
    code: [t("filter.code"), itself],
    request: [t("filter.request"), itself],
    session: [t("filter.session"), itself],
    least_cost: [t("filter.leastCost"), itself],
    least_ms: [t("filter.leastMs"), itself],
    guardrail: [t("filter.guardrail"), (value) => (isAction(value) ? t(`guardrails:action.${value}`) : value)],
    since: [t("usage:filter.since"), itself],
    until: [t("usage:filter.until"), itself],
    ...Object.fromEntries(USAGE_GROUPS.map((name) => [name, [t(`usage:group.${name}`), itself]])),
  });
  const file = useFileAddress("/dashboard/request-log/export");
  const keep = Object.fromEntries([...query].filter(([name]) => KEPT.includes(name)));
  return (
    <>
      <PageHeader
        title={t("title")}
        sub={t(`usage:sub.${view.place}`)}
        actions={query.has("after") ? null : <NewRequests />}
      />
      <FilterBar chips={chips} clear="/dashboard/request-log" keep={keep} aside={<CsvLink to={file} />}>
        <FilterSelect
          name="outcome"
          label={t("filter.outcome")}
          first={t("filter.outcome")}
          options={LOG_OUTCOMES.map((outcome) => [outcome, t(`outcome.${outcome}`)])}
        />
        <FilterSelect
          name="guardrail"
          label={t("filter.guardrail")}
          first={t("filter.guardrail")}
          options={GUARDRAIL_ACTIONS.map((action) => [action, t(`guardrails:action.${action}`)])}
        />
        <FilterInput name="model" label={t("usage:group.model")} />
        <FilterInput name="request" label={t("filter.request")} />
        <FilterInput name="since" type="date" label={t("usage:filter.since")} />
        <FilterInput name="until" type="date" label={t("usage:filter.until")} />
      </FilterBar>
      {view.chart === null || isEmpty(view.chart) ? null : (
        <Section title={t("chart.title")}>
          <RequestsChart chart={view.chart} window={view.window} />
        </Section>
      )}
      <Section flush={view.requests.length > 0 || (view.rejected?.length ?? 0) > 0}>
        {view.rejected === null ? (
          <RequestTable requests={view.requests} timeZone={view.window.timeZone} filtered={chips.length > 0} />
        ) : (
          <RejectedTable rejected={view.rejected} timeZone={view.window.timeZone} />
        )}
        <Pager
          newer={query.has("after") ? addressWith(query, { after: null }) : null}
          older={view.next === null ? null : addressWith(query, { after: view.next })}
        />
      </Section>
    </>
  );
}

/**
 * How many requests have come since the page was loaded, and the way to them: `app/enhance/live.ts` fills it in. Its place is kept
 * free, so that nothing moves while somebody reads.
 */
function NewRequests() {
  const { t } = useTranslation("requestLog");
  const [query] = useSearchParams();
  return (
    <p aria-live="polite" className="min-h-6">
      <a
        href={`?${query}`}
        data-newer={t("newer", { count: 1 })}
        data-newer-seven={t("newer", { count: 7 })}
        className="invisible link"
      >
        {t("newer", { count: 7 })}
      </a>
    </p>
  );
}

/** What is filtered by without a field of its own stays when another filter is applied. */
const KEPT: readonly string[] = [
  ...["tz", "range", "code", "session", "least_cost", "least_ms"],
  ...USAGE_GROUPS.filter((name) => name !== "model"),
];

const isEmpty = ({ points, rejections }: NonNullable<Route.ComponentProps["loaderData"]["chart"]>) =>
  points.length === 0 && (rejections ?? []).every((count) => count === 0);

const isOutcome = isOneOf(LOG_OUTCOMES);
const isAction = isOneOf(GUARDRAIL_ACTIONS);
