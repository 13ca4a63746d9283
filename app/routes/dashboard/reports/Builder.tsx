import { useTranslation } from "react-i18next";
import { Form, useSearchParams } from "react-router";
import { INTERVALS, MEASURES } from "~/domain/reports/shared";
import { USAGE_GROUPS } from "~/domain/usage/shared";
import { Button } from "~/ui/Button";
import { FilterInput, FilterSelect } from "~/ui/forms/FilterFields";
import { RANGES } from "~/values/time-range";
import type { ReportView } from "./view.server";

const NUMBERED = ["key", "user", "department", "project", "organisation"] as const;

/** The question of a report as a GET form; its answer is below. */
export function Builder({ view }: { view: ReportView }) {
  const { t } = useTranslation(["reports", "usage", "ui"]);
  const [query] = useSearchParams();
  const numbered = NUMBERED.flatMap((name) => (query.get(name) ? [[name, query.get(name) as string]] : []));
  return (
    <Form method="get" className="grid gap-4" autoComplete="off" preventScrollReset>
      {numbered.map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <div className="filter-bar">
        <FilterSelect
          name="range"
          label={t("usage:range.label")}
          first={t("range.30d")}
          options={RANGES.filter((name) => name !== "30d").map((name) => [name, t(`range.${name}`)])}
        />
        <FilterInput name="since" type="date" label={t("usage:filter.since")} />
        <FilterInput name="until" type="date" label={t("usage:filter.until")} />
        <FilterInput name="zone" type="text" label={t("zone")} />
        <FilterSelect
          name="group"
          label={t("usage:group.label")}
          first={t("usage:by.model")}
          options={[
            ...USAGE_GROUPS.filter((name) => name !== "model").map((name) => [name, t(`usage:by.${name}`)] as const),
            ["none", t("group.none")] as const,
          ]}
        />
        <FilterSelect
          name="interval"
          label={t("interval.label")}
          first={t("interval.total")}
          options={INTERVALS.filter((name) => name !== "total").map((name) => [name, t(`interval.${name}`)])}
        />
        {(["model", "supplier", "region"] as const).map((name) => (
          <FilterInput key={name} name={name} type="text" label={t(`usage:group.${name}`)} />
        ))}
      </div>
      <fieldset className="grid min-w-0 gap-2">
        <legend className="mb-1.5 font-strong">{t("measures")}</legend>
        <div className="flex flex-wrap gap-x-5 gap-y-2">
          {MEASURES.map((name) => (
            <label key={name} className="flex items-center gap-2">
              <input type="checkbox" name={name} className="check" defaultChecked={view.measures.includes(name)} />
              {t(`measure.${name}`)}
            </label>
          ))}
        </div>
      </fieldset>
      <div>
        <Button>{t("ui:apply")}</Button>
      </div>
    </Form>
  );
}
