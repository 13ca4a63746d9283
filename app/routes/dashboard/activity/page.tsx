import { useTranslation } from "react-i18next";
import { useSearchParams } from "react-router";
import { pageLoader } from "~/access/portal/page-loader.server";
import { db } from "~/connection/db.server";
import { scopeOf } from "~/domain/accounts/shared";
import { readAuditEvents } from "~/domain/activity/index.server";
import { AUDIT_ACTIONS } from "~/domain/activity/shared";
import { FilterInput, FilterSelect } from "~/ui/forms/FilterFields";
import { addressWith, useChips, useFileAddress } from "~/ui/lists/list-address";
import { CsvLink, FilterBar, Pager } from "~/ui/lists/list-parts";
import type { PageHandle } from "~/ui/page-handle";
import { PageHeader, Section } from "~/ui/page-parts";
import { isOneOf } from "~/values/one-of";
import type { Route } from "./+types/page";
import { AuditEventList } from "./AuditEventList";
import { TARGET_KINDS } from "./actions";
import { ActivityQuery, filterOf, forReader, PAGE_SIZE, personOf, withPerson } from "./list-query.server";
import { Choices, PersonField } from "./PersonField";
import { peopleNamed } from "./people-named.server";
import { useActionLabels } from "./words";

export const handle: PageHandle = { hydrate: false };

export const loader = pageLoader({ allow: "viewer", query: ActivityQuery }, async ({ actor, query }) => {
  const meant = await personOf(db(), actor, query);
  const found = await readAuditEvents(db(), { ...withPerson(filterOf(actor, query), meant), limit: PAGE_SIZE + 1 });
  const events = forReader(actor, found.slice(0, PAGE_SIZE));
  const names = await peopleNamed(db(), actor, events);
  const next = found.length > events.length ? String(events.at(-1)?.id) : null;
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
  const [query] = useSearchParams();
  const words = useActionLabels();
  const itself = (value: string) => value;
  const chips = useChips({
    action: [t("filter.action"), words],
    kind: [t("filter.kind"), (value) => (isKind(value) ? t(`kinds.${value}`) : value)],
    actor: [t("filter.actor"), () => meant?.name ?? ""],
    person: [t("filter.actor"), () => meant?.name ?? ""],
    since: [t("filter.since"), itself],
    until: [t("filter.until"), itself],
  });
  const file = useFileAddress("/dashboard/activity/export");
  return (
    <>
      <PageHeader title={t("title")} sub={t(`subtitle.${scope}`)} />
      <FilterBar chips={chips} clear="/dashboard/activity" aside={<CsvLink to={file} />}>
        <FilterSelect
          name="action"
          label={t("filter.action")}
          first={t("filter.action")}
          options={AUDIT_ACTIONS.map((action) => [action, words(action)])}
        />
        <FilterSelect
          name="kind"
          label={t("filter.kind")}
          first={t("filter.kind")}
          options={TARGET_KINDS.map((kind) => [kind, t(`kinds.${kind}`)])}
        />
        {scope === "own" ? null : <PersonField meant={meant} />}
        <FilterInput name="since" type="date" label={t("filter.since")} />
        <FilterInput name="until" type="date" label={t("filter.until")} />
      </FilterBar>
      {meant !== null && meant.id === null ? <Choices of={meant.choices} /> : null}
      <Section flush>
        <AuditEventList acts={events} reader={reader} name="activity" filtered={chips.length > 0} />
        <Pager
          newer={query.has("after") ? addressWith(query, { after: null }) : null}
          older={next === null ? null : addressWith(query, { after: next })}
        />
      </Section>
    </>
  );
}

const isKind = isOneOf(TARGET_KINDS);
