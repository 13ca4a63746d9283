import { useTranslation } from "react-i18next";
import { useSearchParams } from "react-router";
import { pageLoader } from "~/access/portal/page-loader.server";
import { db } from "~/connection/db.server";
import { readTokenLog } from "~/domain/credentials/index.server";
import { TOKEN_EVENT_KINDS, TOKEN_EVENT_SOURCES, TokenLogQuery } from "~/domain/credentials/shared";
import { readPoolHealth } from "~/domain/routing/index.server";
import { jobProcess } from "~/jobs/index.server";
import { FilterInput, FilterSelect } from "~/ui/forms/FilterFields";
import { addressWith, useChips } from "~/ui/lists/list-address";
import { FilterBar, Pager } from "~/ui/lists/list-parts";
import type { PageHandle } from "~/ui/page-handle";
import { EmptyState, PageHeader, Section } from "~/ui/page-parts";
import { ADMIN_MODELS } from "../shared";
import type { Route } from "./+types/page";
import { PoolTable } from "./PoolTable";
import { TokenEventTable } from "./TokenEventTable";
import { useCredentialWords } from "./words";

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
  const chips = useLogChips();
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
          <LogFilters view={view} chips={chips} />
        </div>
        <TokenEventTable
          events={log.events}
          empty={
            <EmptyState title={chips.length > 0 ? t("credentials.nothing") : t("credentials.empty")}>
              {chips.length > 0 ? t("credentials.nothingText") : t("credentials.emptyText")}
            </EmptyState>
          }
        />
        <LogPager log={log} />
      </Section>
    </>
  );
}

function useLogChips() {
  const { t } = useTranslation("adminModels");
  const words = useCredentialWords();
  const itself = (value: string) => value;
  return useChips({
    provider: [t("credentials.filter.provider"), itself],
    key_name: [t("credentials.filter.key"), itself],
    kinds: [t("credentials.filter.kind"), words.kinds],
    source: [t("credentials.filter.source"), words.source],
    error_kind: [t("credentials.filter.error"), itself],
    since_ms: [t("credentials.filter.since"), words.moment],
  });
}

function LogFilters({ view, chips }: { view: Route.ComponentProps["loaderData"]; chips: ReturnType<typeof useChips> }) {
  const { t } = useTranslation("adminModels");
  const words = useCredentialWords();
  const [query] = useSearchParams();
  const { kinds, windowHours } = view;
  const names = [...new Set(view.health.pools.map(({ supplier }) => supplier))];
  const provider = query.get("provider") ?? "";
  const keep = ["limit", "since_ms"].flatMap((name) => (query.get(name) ? [[name, query.get(name)!] as const] : []));
  const known: readonly string[] = TOKEN_EVENT_KINDS;
  return (
    <FilterBar chips={chips} clear={`${CREDENTIALS}#log`} anchor="log" keep={Object.fromEntries(keep)}>
      <FilterSelect
        name="provider"
        label={t("credentials.filter.provider")}
        first={t("credentials.filter.provider")}
        options={(provider === "" || names.includes(provider) ? names : [...names, provider]).map((name) => [
          name,
          name,
        ])}
      />
      <FilterInput name="key_name" type="text" label={t("credentials.filter.key")} />
      <FilterSelect
        name="kinds"
        label={t("credentials.filter.kind")}
        first={t("credentials.filter.kind")}
        options={(kinds === "" || known.includes(kinds) ? known : [...known, kinds]).map((kind) => [
          kind,
          words.kinds(kind),
        ])}
      />
      <FilterSelect
        name="source"
        label={t("credentials.filter.source")}
        first={t("credentials.filter.source")}
        options={TOKEN_EVENT_SOURCES.map((source) => [source, words.source(source)])}
      />
      <FilterInput name="error_kind" type="text" label={t("credentials.filter.error")} />
      <select
        key={`window-${windowHours}`}
        name="window_hours"
        aria-label={t("credentials.filter.window")}
        defaultValue={windowHours}
        className="field field-select field-small sm:w-auto"
      >
        {[...new Set([...WINDOWS, windowHours])].map((hours) => (
          <option key={hours} value={hours}>
            {words.window(hours)}
          </option>
        ))}
      </select>
    </FilterBar>
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
