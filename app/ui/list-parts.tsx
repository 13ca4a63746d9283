import { Download, X } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Form, Link } from "react-router";
import { Button } from "./Button";

export type Chip = { label: ReactNode; value: ReactNode /** The same list without this filter. */; without: string };

/** The filters in force, each with a cross. */
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

/**
 * A list's filters as a form whose values are the address. `keep`: values of the address that stay. With the page's script
 * choices apply at once; the button stays for texts.
 */
export function FilterBar({
  children,
  chips = [],
  clear,
  keep = {},
  anchor,
  aside,
  more,
  moreOpen,
}: {
  children: ReactNode;
  chips?: readonly Chip[];
  clear: string;
  keep?: Readonly<Record<string, string>>;
  /** Where on its page the list is, if it is not the whole of it. */
  anchor?: string;
  aside?: ReactNode;
  /** Fields that few people want, folded away unless `moreOpen`. */
  more?: ReactNode;
  moreOpen?: boolean;
}) {
  const { t } = useTranslation("ui");
  return (
    <>
      <div className="mb-3 flex items-start justify-between gap-2.5 max-sm:flex-wrap">
        {/* By the way back the browser would put in what was chosen last, which is not what the list is filtered by. */}
        <Form
          method="get"
          action={anchor && `#${anchor}`}
          className="filter-bar"
          autoComplete="off"
          data-submit-on-change=""
        >
          {Object.entries(keep).map(([name, value]) => (
            <input key={name} type="hidden" name={name} value={value} />
          ))}
          {children}
          <Button small className="filter-apply">
            {t("apply")}
          </Button>
          {more ? (
            <details className="filter-more" open={moreOpen}>
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

/** Paging by key: each way is a link, or nothing. `listed`: by name, and not from the newest on. */
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

/** The rows of this list, with these filters, as a file. */
export function CsvLink({ to }: { to: string }) {
  const { t } = useTranslation("ui");
  return (
    <a href={to} download className="button button-small">
      <Download size={15} aria-hidden="true" /> {t("csv")}
    </a>
  );
}
