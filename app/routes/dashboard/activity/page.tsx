import { useTranslation } from "react-i18next";
import { pageLoader } from "~/access/portal/page-loader.server";
import { db } from "~/connection/db.server";
import { scopeOf } from "~/domain/accounts/shared";
import { readAuditEvents } from "~/domain/activity/index.server";
import { useFilters } from "~/ui/lists/filters";
import { useFileAddress, usePages } from "~/ui/lists/list-address";
import { CsvLink, FilterBar, Pager } from "~/ui/lists/list-parts";
import type { PageHandle } from "~/ui/page-handle";
import { PageHeader, Section } from "~/ui/page-parts";
import type { Route } from "./+types/page";
import { AuditEventList } from "./AuditEventList";
import { ACTIVITY_FILTERS } from "./filters";
import { useActionLabels } from "./labels";
import { ActivityQuery, filterOf, forReader, PAGE_SIZE, personOf, withPerson } from "./list-query.server";
import { Choices } from "./PersonField";
import { peopleNamed } from "./people-named.server";

export const handle: PageHandle = { hydrate: false };

export const loader = pageLoader({ allow: "viewer", query: ActivityQuery }, async ({ actor, query }) => {
  const meant = await personOf(db(), actor, query);
  const rows = await readAuditEvents(db(), { ...withPerson(filterOf(actor, query), meant), limit: PAGE_SIZE + 1 });
  const events = forReader(actor, rows.slice(0, PAGE_SIZE));
  const names = await peopleNamed(db(), actor, events);
  const next = rows.length > events.length ? String(events.at(-1)?.id) : null;
  // A person chosen by id has no typed name: use the current name, else the label that an event has recorded.
  const named = meant && {
    ...meant,
    name:
      meant.name ??
      names[meant.id ?? 0] ??
      (events.find(({ actorId }) => actorId === meant.id)?.actorLabel || `#${meant.id}`),
  };
  return {
    acts: events,
    next,
    meant: named,
    scope: scopeOf(actor).kind,
    reader: { role: actor.role, userId: actor.userId, names },
  };
});

export default function Activity({ loaderData: { acts: events, next, meant, scope, reader } }: Route.ComponentProps) {
  const { t } = useTranslation("activity");
  const filters = useFilters(ACTIVITY_FILTERS, { meant, scope, words: useActionLabels() });
  const file = useFileAddress("/dashboard/activity/export");
  return (
    <>
      <PageHeader title={t("title")} sub={t(`subtitle.${scope}`)} />
      <FilterBar filters={filters} clear="/dashboard/activity" aside={<CsvLink to={file} />} />
      {meant !== null && meant.id === null ? <Choices of={meant.choices} /> : null}
      <Section flush>
        <AuditEventList acts={events} reader={reader} name="activity" filtered={filters.chips.length > 0} />
        <Pager {...usePages(next)} />
      </Section>
    </>
  );
}
