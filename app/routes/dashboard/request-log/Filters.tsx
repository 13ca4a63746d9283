import { useTranslation } from "react-i18next";
import { useSearchParams } from "react-router";
import { GUARDRAIL_ACTIONS } from "~/domain/guardrails/shared";
import { momentText } from "~/ui/format";
import { FilterInput, FilterSelect } from "~/ui/forms/FilterFields";
import { useChips } from "~/ui/lists/list-address";
import { useDocumentFacts } from "~/ui/shell/document-context";
import { isOneOf } from "~/values/one-of";
import { RANGES } from "~/values/time-range";
import { PersonField } from "../activity/PersonField";
import { CandidateField } from "../search/CandidateField";
import { NAMED_FILTERS } from "./named";
import { LOG_OUTCOMES } from "./outcomes";
import type { RequestLogView } from "./view.server";

/** Filters without their own field stay when another filter is applied. A typed name replaces an id. */
export const keptOf = (query: URLSearchParams): Record<string, string> => {
  const ids = NAMED_FILTERS.filter(({ text }) => !query.get(text)).map(({ id }) => id);
  const kept: readonly string[] = ["tz", "hour", ...ids];
  return Object.fromEntries([...query].filter(([name]) => kept.includes(name)));
};
/** The fields under "More filters". */
export const MORE: readonly string[] = [
  ...NAMED_FILTERS.map(({ text }) => text),
  ...["supplier", "region", "guardrail", "code", "session"],
  ...["least_cost", "most_cost", "least_ms", "most_ms"],
];

/** The most common filters. */
export function Filters() {
  const { t } = useTranslation(["requestLog", "usage"]);
  return (
    <>
      <FilterSelect
        name="outcome"
        label={t("filter.outcome")}
        first={t("filter.outcome")}
        options={LOG_OUTCOMES.map((outcome) => [outcome, t(`outcome.${outcome}`)])}
      />
      <FilterInput name="model" label={t("usage:group.model")} list="log-models" />
      <FilterInput name="request" label={t("filter.request")} />
      <FilterSelect
        name="range"
        label={t("usage:range.label")}
        first={t("usage:range.label")}
        options={RANGES.map((range) => [range, t(`usage:range.${range}`)])}
      />
      <FilterInput name="since" type="date" label={t("usage:filter.since")} />
      <FilterInput name="until" type="date" label={t("usage:filter.until")} />
    </>
  );
}

/** Further filters, which apply only to some requests. */
export function MoreFilters({ view: { models, regions, meant, groups } }: { view: RequestLogView }) {
  const { t } = useTranslation(["requestLog", "usage", "guardrails"]);
  return (
    <>
      <datalist id="log-models">
        {models.map(({ id }) => (
          <option key={id} value={id} />
        ))}
      </datalist>
      {NAMED_FILTERS.filter(({ id }) => groups.includes(id)).map(({ kind, id, text }) =>
        kind === "person" ? (
          <PersonField key={id} meant={meant.user ?? null} />
        ) : (
          <CandidateField key={id} kind={kind} name={text} label={t(`usage:group.${id}`)} />
        ),
      )}
      <FilterInput name="supplier" label={t("usage:group.supplier")} />
      <FilterSelect
        name="region"
        label={t("usage:group.region")}
        first={t("usage:group.region")}
        options={regions.map((region) => [region, region])}
      />
      <FilterSelect
        name="guardrail"
        label={t("filter.guardrail")}
        first={t("filter.guardrail")}
        options={GUARDRAIL_ACTIONS.map((action) => [action, t(`guardrails:action.${action}`)])}
      />
      <FilterInput name="code" label={t("filter.code")} />
      <FilterInput name="session" label={t("filter.session")} />
      <FilterInput name="least_cost" label={t("filter.leastCost")} />
      <FilterInput name="most_cost" label={t("filter.mostCost")} />
      <FilterInput name="least_ms" label={t("filter.leastMs")} />
      <FilterInput name="most_ms" label={t("filter.mostMs")} />
    </>
  );
}

/** The active filters; an id is shown as a name if requests were found. */
export function useLogChips({ names, meant, window }: RequestLogView) {
  const { t } = useTranslation(["requestLog", "usage", "guardrails", "activity"]);
  const { language } = useDocumentFacts();
  const [query] = useSearchParams();
  const itself = (value: string) => value;
  return useChips({
    outcome: [t("filter.outcome"), (value) => (isOutcome(value) ? t(`outcome.${value}`) : value)],
    code: [t("filter.code"), itself],
    request: [t("filter.request"), itself],
    session: [t("filter.session"), itself],
    least_cost: [t("filter.leastCost"), itself],
    most_cost: [t("filter.mostCost"), itself],
    least_ms: [t("filter.leastMs"), itself],
    most_ms: [t("filter.mostMs"), itself],
    guardrail: [t("filter.guardrail"), (value) => (isAction(value) ? t(`guardrails:action.${value}`) : value)],
    hour: [t("filter.hour"), (value) => momentText(new Date(value), language, window.timeZone)],
    ...(query.has("hour")
      ? {}
      : {
          since: [t("usage:filter.since"), itself] as const,
          until: [t("usage:filter.until"), itself] as const,
          range: [
            t("usage:range.label"),
            (value: string) => (isRange(value) ? t(`usage:range.${value}`) : value),
          ] as const,
        }),
    ...Object.fromEntries(
      (["model", "supplier", "region"] as const).map((name) => [name, [t(`usage:group.${name}`), itself]]),
    ),
    ...Object.fromEntries(
      NAMED_FILTERS.map(({ id, text }) => {
        const label = t(`usage:group.${id}`);
        // A typed name takes precedence over an id in the address; removing one removes both.
        return query.get(text)
          ? [text, [label, (value: string) => meant[id]?.name ?? names[id] ?? value, [id]]]
          : [id, [label, (value: string) => names[id] ?? value]];
      }),
    ),
  });
}

const isOutcome = isOneOf(LOG_OUTCOMES);
const isAction = isOneOf(GUARDRAIL_ACTIONS);
const isRange = isOneOf(RANGES);
