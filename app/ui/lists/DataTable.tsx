import { ArrowDown, ArrowUp, Columns3 } from "lucide-react";
import { Fragment, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { classNames } from "../class-names";

type Direction = "asc" | "desc";
export type Column<Row> = {
  id: string;
  header: ReactNode;
  cell: (row: Row) => ReactNode;
  align?: "end";
  /** Sort name of the column, if the list can be sorted by it. */
  sort?: string;
  /** The user can hide the column. `off`: it is hidden until the user shows it. The browser stores the choice. */
  optional?: boolean | "off";
  /** Long texts wrap; otherwise a cell stays on one line. */
  wrap?: boolean;
};

type Props<Row> = {
  /** Name under which the browser stores the choice of columns. */
  name: string;
  /** Description of the list, for screen readers. */
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string | number;
  sort?: { by: string; direction: Direction; to: (by: string, direction: Direction) => string };
  /** Content when there are no rows. */
  empty?: ReactNode;
  /** The last row: totals by column. */
  foot?: Readonly<Record<string, ReactNode>>;
  /** Details of a row, opened by a triangle in its first cell. */
  detail?: (row: Row) => ReactNode;
  /** Writes row keys into the page, so that a live refresh can highlight new rows. */
  marked?: boolean;
};

/**
 * Rows and columns, with the most important column first. Sort headers are links, so each order has an address. Wide
 * tables scroll inside their frame while the first column stays in place; long texts are cut off; on phones each row is
 * a card. If the first cell has a link, the page's script makes the whole row clickable.
 */
export function DataTable<Row>({
  name,
  caption,
  columns,
  rows,
  rowKey,
  sort,
  empty,
  foot,
  detail,
  marked,
}: Props<Row>) {
  if (rows.length === 0 && empty) return <>{empty}</>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reachable by keyboard
    <section className="table-frame" aria-label={caption} tabIndex={0}>
      <table data-table={name} className="table">
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th
                key={column.id}
                scope="col"
                data-col={column.id}
                data-optional={column.optional ? "" : undefined}
                data-off={column.optional === "off" ? "" : undefined}
                aria-sort={column.sort !== undefined && sort?.by === column.sort ? WORDS[sort.direction] : undefined}
                className={column.align === "end" ? "text-right" : undefined}
              >
                {column.sort === undefined || sort === undefined ? (
                  column.header
                ) : (
                  <SortLink by={column.sort} sort={sort} end={column.align === "end"}>
                    {column.header}
                  </SortLink>
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Fragment key={rowKey(row)}>
              <tr data-row={marked ? rowKey(row) : undefined}>
                {columns.map((column) => (
                  <Cell key={column.id} column={column} content={column.cell(row)} />
                ))}
              </tr>
              {detail ? (
                <tr className="table-detail">
                  <td colSpan={columns.length}>{detail(row)}</td>
                </tr>
              ) : null}
            </Fragment>
          ))}
        </tbody>
        {foot ? (
          <tfoot>
            <tr>
              {columns.map((column) => (
                <Cell key={column.id} column={column} content={foot[column.id]} />
              ))}
            </tr>
          </tfoot>
        ) : null}
      </table>
    </section>
  );
}

/** Number of characters that fits into any column; longer texts get a tooltip. */
const MAY_BE_CUT = 24;

function Cell<Row>({ column, content }: { column: Column<Row>; content: ReactNode }) {
  const { id, header, align, wrap, optional } = column;
  return (
    <td
      data-col={id}
      data-off={optional === "off" ? "" : undefined}
      data-label={typeof header === "string" ? header : undefined}
      title={typeof content === "string" && content.length > MAY_BE_CUT && !wrap ? content : undefined}
      className={classNames(align === "end" && "text-right tabular-nums", wrap && "table-wrap")}
    >
      {content}
    </td>
  );
}

const WORDS = { asc: "ascending", desc: "descending" } as const;

function SortLink({
  by,
  sort,
  end,
  children,
}: {
  by: string;
  sort: NonNullable<Props<unknown>["sort"]>;
  end: boolean;
  children: ReactNode;
}) {
  const isCurrent = sort.by === by;
  const next: Direction = isCurrent && sort.direction === "asc" ? "desc" : "asc";
  const Arrow = sort.direction === "asc" ? ArrowUp : ArrowDown;
  return (
    <Link
      to={sort.to(by, next)}
      preventScrollReset
      className={classNames("inline-flex items-center gap-1 hover:text-ink", end && "flex-row-reverse")}
    >
      {children}
      {isCurrent ? <Arrow size={12} aria-hidden="true" /> : null}
    </Link>
  );
}

/** The choice of visible optional columns. Works only while the page's script runs, which also stores the choice. */
export function ColumnChoice<Row>({ name, columns }: { name: string; columns: readonly Column<Row>[] }) {
  const { t } = useTranslation("ui");
  const optional = columns.filter((column) => column.optional);
  if (optional.length === 0) return null;
  return (
    <details className="menu with-script" data-menu>
      <summary className="button button-small" aria-label={t("columns")} title={t("columns")}>
        <Columns3 size={15} aria-hidden="true" />
      </summary>
      <fieldset className="menu-list" data-columns-of={name}>
        <legend className="sr-only">{t("columns")}</legend>
        {optional.map((column) => (
          <label key={column.id} className="menu-item">
            <input type="checkbox" className="check" defaultChecked={column.optional !== "off"} value={column.id} />{" "}
            {column.header}
          </label>
        ))}
      </fieldset>
    </details>
  );
}
