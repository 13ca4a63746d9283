import { Download, X } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Form, Link, useSearchParams } from "react-router";
import { Button } from "../Button";
import { COLUMNS } from "./columns";
import { type Chip, FieldOf, type FilterState } from "./filters";

/** The active filters, each with a button to remove it. */
function FilterChips({ chips, clear }: { chips: readonly Chip[]; clear: string }) {
  const { t } = useTranslation("ui");
  if (chips.length === 0) return null;
  return (
    <ul className="mb-3.5 flex flex-wrap items-center gap-2" aria-label={t("filters")}>
      {chips.map(({ label, value, without }) => (
        <li key={without} className="chip">
          {label} <b>{value}</b>
          <Link to={without} aria-label={t("removeFilter")} preventScrollReset className="text-ink-3 hover:text-ink">
            <X size={13} aria-hidden="true" />
          </Link>
        </li>
      ))}
      <li>
        <Link to={clear} preventScrollReset className="px-1 text-xs text-ink-3 hover:text-ink">
          {t("clearFilters")}
        </Link>
      </li>
    </ul>
  );
}

/** Whether a parameter is the order or the columns of a table, which filters leave as they are. */
const isOfTable = (name: string) => name === COLUMNS || name.startsWith("sort-");

/**
 * A list's filters as a GET form, with the active ones as chips. With the page's script select boxes apply at once; the
 * button is for text fields.
 */
export function FilterBar({
  filters: { fields, chips, kept },
  clear,
  anchor,
  aside,
}: {
  filters: FilterState;
  /** Address of the list without filters. */
  clear: string;
  /** Id of the list within the page, if the page has more content. */
  anchor?: string;
  aside?: ReactNode;
}) {
  const { t } = useTranslation("ui");
  const [query] = useSearchParams();
  const shown = (isMore: boolean) =>
    Object.entries(fields)
      .filter(([, { more = false }]) => more === isMore)
      .map(([name, field]) => <FieldOf key={name} name={name} of={field} />);
  const more = shown(true);
  return (
    <>
      <div className="mb-3 flex items-start justify-between gap-2.5 max-sm:flex-wrap">
        {/* `autoComplete="off"`: on "back" the browser would restore the last choice, which is not the list's
            filter. */}
        <Form
          method="get"
          action={anchor && `#${anchor}`}
          className="filter-bar"
          autoComplete="off"
          data-submit-on-change=""
        >
          {[...Object.entries(kept), ...[...query].filter(([name]) => isOfTable(name))].map(([name, value]) => (
            <input key={`${name} ${value}`} type="hidden" name={name} value={value} />
          ))}
          {shown(false)}
          <Button small className="filter-apply">
            {t("apply")}
          </Button>
          {more.length > 0 ? (
            <details className="filter-more" open={more.some(({ key }) => query.get(key ?? ""))}>
              <summary>{t("moreFilters")}</summary>
              <div className="filter-bar">{more}</div>
            </details>
          ) : null}
        </Form>
        {aside ? <div className="flex shrink-0 items-center gap-2">{aside}</div> : null}
      </div>
      <FilterChips chips={chips} clear={clear} />
    </>
  );
}

/**
 * Keyset paging by links; a missing direction has no link. `listed`: the list is sorted by name instead of newest
 * first.
 */
export function Pager({
  newer,
  older,
  shown,
  listed,
}: {
  newer?: string | null;
  older?: string | null;
  shown?: ReactNode;
  listed?: boolean;
}) {
  const { t } = useTranslation("ui");
  if (!newer && !older && !shown) return null;
  return (
    <nav
      aria-label={t("pages")}
      className="flex items-center justify-between gap-4 border-line border-t px-4 py-2.5 text-ink-3"
    >
      <span>{shown}</span>
      <span className="flex gap-2">
        {newer ? (
          <Link to={newer} rel="prev" className="button button-small">
            {t(listed ? "firstPage" : "newer")}
          </Link>
        ) : null}
        {older ? (
          <Link to={older} rel="next" className="button button-small">
            {t(listed ? "nextPage" : "older")}
          </Link>
        ) : null}
      </span>
    </nav>
  );
}

/** Link to a file with the rows of this list and its filters. */
export function CsvLink({ to }: { to: string }) {
  const { t } = useTranslation("ui");
  return (
    <a href={to} download className="button button-small">
      <Download size={15} aria-hidden="true" /> {t("csv")}
    </a>
  );
}
