import { useTranslation } from "react-i18next";
import { useSearchParams } from "react-router";
import { pageLoader } from "~/access/portal/page-loader.server";
import { db } from "~/connection/db.server";
import { readTokenLog } from "~/domain/credentials/index.server";
import { TOKEN_EVENT_KINDS, TOKEN_EVENT_SOURCES, TokenLogQuery } from "~/domain/credentials/shared";
import { readPoolHealth } from "~/domain/routing/index.server";
import { jobProcess } from "~/jobs/index.server";
import { choices, unseen, useFilterState } from "~/ui/lists/filters";
import { addressWith } from "~/ui/lists/list-address";
import { FilterBar, Pager } from "~/ui/lists/list-parts";
import type { PageHandle } from "~/ui/page-handle";
import { EmptyState, PageHeader, Section } from "~/ui/page-parts";
import { ADMIN_MODELS } from "../shared";
import type { Route } from "./+types/page";
import { useCredentialLabels } from "./labels";
import { PoolTable } from "./PoolTable";
import { TokenEventTable } from "./TokenEventTable";

export const handle: PageHandle = { hydrate: false };

const CREDENTIALS = `${ADMIN_MODELS}/credentials`;
const DAY_HOURS = 24;
const WINDOWS = [1, DAY_HOURS, 7 * DAY_HOURS, 30 * DAY_HOURS, 0] as const;

export const loader = pageLoader({ allow: "platform_admin", query: TokenLogQuery }, async ({ query }) => {
  const [health, log] = await Promise.all([readPoolHealth(db()), readTokenLog(db(), query)]);
  return { health, log, windowHours: query.window_hours, kinds: query.kinds.join(","), process: jobProcess() };
});

export default function Credentials({ loaderData: view }: Route.ComponentProps) {
  const { t } = useTranslation("adminModels");
  const { health, log } = view;
  const filters = useLogFilters(view);
  const isFiltered = filters.chips.length > 0;
  return (
    <>
      <PageHeader
        back={{ to: ADMIN_MODELS, label: t("title") }}
        title={t("credentials.title")}
        sub={t("credentials.subtitle")}
      />
      <Section
        flush
        title={t("credentials.pools")}
        aside={t("credentials.counts", { total: health.total, usable: health.usable, resting: health.resting })}
      >
        <PoolTable pools={health.pools} />
        <p className="border-line border-t px-4 py-2.5 text-ink-3 wrap-anywhere">
          {t("credentials.processHint", { process: view.process })}
        </p>
      </Section>
      <Section flush id="log" title={t("credentials.log")} aside={t("credentials.logHint")}>
        <div className="px-4 pt-3.5">
          <FilterBar filters={filters} clear={`${CREDENTIALS}#log`} anchor="log" />
        </div>
        <TokenEventTable
          events={log.events}
          empty={
            <EmptyState title={isFiltered ? t("credentials.nothing") : t("credentials.empty")}>
              {isFiltered ? t("credentials.nothingText") : t("credentials.emptyText")}
            </EmptyState>
          }
        />
        <LogPager log={log} />
      </Section>
    </>
  );
}

function useLogFilters({ kinds, windowHours, health }: Route.ComponentProps["loaderData"]) {
  const { t } = useTranslation("adminModels");
  const labels = useCredentialLabels();
  const [query] = useSearchParams();
  /** The options, with the current value if it is none of them. */
  const withCurrent = (values: readonly string[], current: string) =>
    current === "" ? values : [...new Set([...values, current])];
  const suppliers = [...new Set(health.pools.map(({ supplier }) => supplier))];
  return useFilterState({
    provider: {
      label: t("credentials.filter.provider"),
      options: choices(withCurrent(suppliers, query.get("provider") ?? ""), (name) => name),
    },
    key_name: { label: t("credentials.filter.key"), type: "text" },
    kinds: {
      label: t("credentials.filter.kind"),
      options: choices(withCurrent(TOKEN_EVENT_KINDS, kinds), labels.kinds),
      text: labels.kinds,
    },
    source: { label: t("credentials.filter.source"), options: choices(TOKEN_EVENT_SOURCES, labels.source) },
    error_kind: { label: t("credentials.filter.error"), type: "text" },
    window_hours: { ...unseen(false), field: <WindowField hours={windowHours} /> },
    since_ms: { label: t("credentials.filter.since"), text: labels.moment, field: null, kept: true },
    limit: unseen(true),
  });
}

function WindowField({ hours }: { hours: number }) {
  const { t } = useTranslation("adminModels");
  const labels = useCredentialLabels();
  return (
    <select
      key={`window-${hours}`}
      name="window_hours"
      aria-label={t("credentials.filter.window")}
      defaultValue={hours}
      className="field field-select field-small sm:w-auto"
    >
      {[...new Set([...WINDOWS, hours])].map((value) => (
        <option key={value} value={value}>
          {labels.window(value)}
        </option>
      ))}
    </select>
  );
}

function LogPager({ log: { events, total, limit, offset } }: { log: Route.ComponentProps["loaderData"]["log"] }) {
  const { t } = useTranslation("adminModels");
  const [query] = useSearchParams();
  const at = (to: number) => `${addressWith(query, { offset: to === 0 ? null : String(to) })}#log`;
  return (
    <Pager
      shown={
        total === 0
          ? null
          : t("credentials.shown", { first: offset + Math.min(1, events.length), last: offset + events.length, total })
      }
      newer={offset > 0 ? at(Math.max(0, offset - Math.max(1, limit))) : null}
      older={events.length > 0 && offset + events.length < total ? at(offset + events.length) : null}
    />
  );
}
