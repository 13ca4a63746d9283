import { useTranslation } from "react-i18next";
import { useSearchParams } from "react-router";
import { GUARDRAIL_ACTIONS } from "~/domain/guardrails/shared";
import { momentText } from "~/ui/format";
import { FilterInput } from "~/ui/forms/FilterFields";
import {
  choices,
  type FilterField,
  type FilterFields,
  type FilterState,
  unseen,
  useFilterState,
} from "~/ui/lists/filters";
import { useDocumentFacts } from "~/ui/shell/document-context";
import { RANGES } from "~/values/time-range";
import { PersonField } from "../activity/PersonField";
import { CandidateField } from "../search/CandidateField";
import { NAMED_FILTERS, type NamedFilter } from "./named";
import { LOG_OUTCOMES } from "./outcomes";
import type { RequestLogView } from "./view.server";

/** The filters of the request log: the most common ones, then further ones that apply only to some requests. */
export function useLogFilters(view: RequestLogView): FilterState {
  const { t } = useTranslation(["requestLog", "usage", "guardrails"]);
  const { language } = useDocumentFacts();
  const [query] = useSearchParams();
  // An hour takes precedence over days.
  const days = query.has("hour") ? { chip: null } : {};
  const more = true;
  return useFilterState({
    outcome: { label: t("filter.outcome"), options: choices(LOG_OUTCOMES, (outcome) => t(`outcome.${outcome}`)) },
    model: { label: t("usage:group.model"), field: <ModelField models={view.models} /> },
    request: { label: t("filter.request") },
    range: { ...days, label: t("usage:range.label"), options: choices(RANGES, (range) => t(`usage:range.${range}`)) },
    since: { ...days, label: t("usage:filter.since"), type: "date" },
    until: { ...days, label: t("usage:filter.until"), type: "date" },
    hour: {
      label: t("filter.hour"),
      text: (value) => momentText(new Date(value), language, view.window.timeZone),
      field: null,
      kept: true,
    },
    tz: unseen(true),
    sort: unseen(true),
    ...useNamedFilters(view),
    supplier: { label: t("usage:group.supplier"), more },
    region: { label: t("usage:group.region"), options: choices(view.regions, (region) => region), more },
    guardrail: {
      label: t("filter.guardrail"),
      options: choices(GUARDRAIL_ACTIONS, (action) => t(`guardrails:action.${action}`)),
      more,
    },
    code: { label: t("filter.code"), more },
    session: { label: t("filter.session"), more },
    least_cost: { label: t("filter.leastCost"), more },
    most_cost: { label: t("filter.mostCost"), more },
    least_ms: { label: t("filter.leastMs"), more },
    most_ms: { label: t("filter.mostMs"), more },
  });
}

function ModelField({ models }: Pick<RequestLogView, "models">) {
  const { t } = useTranslation("usage");
  return (
    <>
      <FilterInput name="model" label={t("group.model")} list="log-models" />
      <datalist id="log-models">
        {models.map(({ id }) => (
          <option key={id} value={id} />
        ))}
      </datalist>
    </>
  );
}

/**
 * An id comes from a link, and is shown as a name if requests were found. A typed name takes precedence over it; removing
 * one removes both.
 */
function useNamedFilters({ names, meant, groups }: RequestLogView): FilterFields {
  const { t } = useTranslation("usage");
  const [query] = useSearchParams();
  const typed = (kind: NamedFilter["kind"], name: string, label: string) =>
    kind === "person" ? (
      <PersonField meant={meant.user ?? null} />
    ) : (
      <CandidateField kind={kind} name={name} label={label} />
    );
  return Object.fromEntries(
    NAMED_FILTERS.flatMap(({ kind, id, text }): [string, FilterField][] => {
      const label = t(`group.${id}`);
      const nameOf = (value: string) => names[id] ?? value;
      const field = groups.includes(id) ? typed(kind, text, label) : null;
      return [
        [text, { label, text: (value) => meant[id]?.name ?? nameOf(value), also: [id], field, more: true }],
        [id, query.get(text) ? unseen(false) : { label, text: nameOf, field: null, kept: true }],
      ];
    }),
  );
}
