import { useTranslation } from "react-i18next";
import { Link, useSearchParams } from "react-router";
import { pageLoader } from "~/access/portal/page-loader.server";
import { db } from "~/connection/db.server";
import { ColumnChoice } from "~/ui/lists/DataTable";
import { useFileAddress, usePages } from "~/ui/lists/list-address";
import { CsvLink, FilterBar, Pager } from "~/ui/lists/list-parts";
import type { PageHandle } from "~/ui/page-handle";
import { Live, PageHeader, Section } from "~/ui/page-parts";
import { Choices } from "../activity/PersonField";
import { CandidateChoices } from "../search/CandidateField";
import type { Route } from "./+types/page";
import { useLogFilters } from "./filters";
import { InFlightTable } from "./InFlightTable";
import { NAMED_FILTERS } from "./named";
import { RequestLogPageQuery } from "./query.server";
import { RejectedTable } from "./RejectedTable";
import { isEmptyChart, RequestsChart } from "./RequestsChart";
import { REQUEST_LOG, RequestTable, useRequestColumns } from "./RequestTable";
import { type RequestLogView, readRequestLog } from "./view.server";

export const handle: PageHandle = { hydrate: false };

export const loader = pageLoader({ allow: "viewer", query: RequestLogPageQuery }, ({ actor, query }) =>
  readRequestLog(db(), actor, query),
);

export default function RequestLog({ loaderData: view }: Route.ComponentProps) {
  const { t } = useTranslation(["requestLog", "usage"]);
  const [query] = useSearchParams();
  const filters = useLogFilters(view);
  const file = useFileAddress("/dashboard/request-log/export");
  const { chart, inFlight, meant, requests, rejected, window } = view;
  const columns = useRequestColumns(window.timeZone);
  const isDrawn = chart !== null && chart !== "tooMany" && !isEmptyChart(chart);
  const count = inFlight?.length ?? rejected?.length ?? requests.length;
  return (
    <>
      <PageHeader
        title={t("title")}
        sub={t(`usage:sub.${view.place}`)}
        actions={
          <>
            <InFlight count={view.underWay} />
            {query.has("after") || query.has("sort") || inFlight !== null ? null : <NewRequests />}
          </>
        }
      />
      <FilterBar
        filters={filters}
        clear="/dashboard/request-log"
        aside={
          inFlight === null ? (
            <>
              {requests.length > 0 ? <ColumnChoice name={REQUEST_LOG} columns={columns} /> : null}
              <CsvLink to={file} />
            </>
          ) : null
        }
      />
      <NamedChoices meant={meant} />
      {chart === "tooMany" ? (
        <p role="status" className="mb-3.5 text-ink-2">
          {t("chart.tooMany")}
        </p>
      ) : isDrawn ? (
        <Section title={t("chart.title")}>
          <RequestsChart chart={chart} window={window} />
        </Section>
      ) : null}
      <Section flush={count > 0}>
        {inFlight !== null ? (
          <Live name="in-flight">
            <InFlightTable requests={inFlight} timeZone={window.timeZone} />
          </Live>
        ) : rejected === null ? (
          <RequestTable
            requests={requests}
            columns={columns}
            filtered={filters.chips.length > 0}
            sorted={view.sorted}
          />
        ) : (
          <RejectedTable rejected={rejected} timeZone={window.timeZone} counted={isDrawn} />
        )}
        {view.among === null ? null : <LatestOnly count={view.among} />}
        <Pager {...usePages(view.next)} listed={query.has("sort")} />
      </Section>
    </>
  );
}

/** The order is that of the latest requests only. */
function LatestOnly({ count }: { count: number }) {
  const { t } = useTranslation("ui");
  return <p className="border-line border-t px-4 py-2.5 text-ink-2">{t("list.latest", { count })}</p>;
}

/** Choices for typed names that are ambiguous. */
function NamedChoices({ meant }: Pick<RequestLogView, "meant">) {
  const { t } = useTranslation(["requestLog", "usage"]);
  return NAMED_FILTERS.map(({ kind, id, text }) => {
    const filter = meant[id];
    if (filter === undefined || filter.id !== null) return null;
    if (kind === "person") return <Choices key={id} of={filter.choices} as="user" />;
    return (
      <CandidateChoices key={id} of={filter.choices} name={text} as={id}>
        {t(filter.choices.length === 0 ? "named.none" : "named.several", {
          what: t(`usage:group.${id}`),
          name: filter.name,
        })}
      </CandidateChoices>
    );
  });
}

/** Number of requests in flight, with a link to them. */
function InFlight({ count }: { count: number }) {
  const { t } = useTranslation("dashboard");
  return (
    <Live name="under-way">
      {count === 0 ? null : (
        <Link to="?outcome=in_flight" className="link tabular-nums">
          {t("underWay.inFlight", { count })}
        </Link>
      )}
    </Live>
  );
}

/**
 * A link to requests newer than the page; `app/enhance/live.ts` fills in their number. Its space is reserved, so that
 * the content does not move.
 */
function NewRequests() {
  const { t } = useTranslation("requestLog");
  const [query] = useSearchParams();
  return (
    <p aria-live="polite" className="min-h-6 sm:-order-1">
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
