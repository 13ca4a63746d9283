import { ArrowDown, ArrowUp, X } from "lucide-react";
import { Fragment, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { Button } from "../Button";
import { classNames } from "../class-names";
import { type Column, type Direction, useShownColumns } from "./columns";
import { SelectAll, type Selection, SelectRow } from "./selection";
import { useSorting } from "./sorting";

export { ColumnChoice } from "./ColumnChoice";
export type { Column } from "./columns";

type Props<Row> = {
  /** Name of the list, for the choice of columns and the order in the address. */
  name: string;
  /** Description of the list, for screen readers. */
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  /** Unique in the list. The page contains it, so it must not name what the reader may not see. */
  rowKey: (row: Row) => string | number;
  /** The order in which the database gave the rows, such as `-created`. Without it the page sorts the rows itself. */
  sorted?: string;
  /** The rows can be selected for the form with this id. */
  select?: Selection<Row>;
  /** Content when there are no rows. */
  empty?: ReactNode;
  /** The last row: totals by column. */
  foot?: Readonly<Record<string, ReactNode>>;
  /** Details of a row, opened by a triangle in its first cell. */
  detail?: (row: Row) => ReactNode;
  /** A click beside the link of a row opens its page in a panel beside the list. */
  panel?: boolean;
};

/** On phones a card shows the first cell and this number of further cells; the others are behind "Details". */
const FACTS_ON_CARDS = 3;

/**
 * Rows and columns, with the most important column first. Sort headers are links, so each order has an address. Wide
 * tables scroll inside their frame while the first column stays in place; long texts are cut off; on phones each row is
 * a card. If the first cell has a link, the page's script makes the whole row clickable.
 */
export function DataTable<Row>({
  name,
  caption,
  rowKey,
  sorted,
  select,
  empty,
  foot,
  detail,
  panel,
  ...list
}: Props<Row>) {
  const { t } = useTranslation("ui");
  const columns = useShownColumns(name, list.columns);
  const { rows, headerOf } = useSorting({ name, columns, rows: list.rows }, sorted);
  if (rows.length === 0 && empty) return <>{empty}</>;
  const [main, ...others] = columns;
  if (main === undefined) return null;
  const width = columns.length + (select ? 1 : 0);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reachable by keyboard
    <section className="table-frame" aria-label={caption} tabIndex={0} data-panel={panel ? "" : undefined}>
      <table data-table={name} className={classNames("table", select && "table-selects")}>
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr>
            {select ? <SelectAll /> : null}
            {columns.map((column) => (
              <HeaderCell key={column.id} column={column} order={headerOf(column)} isMain={column === main} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Fragment key={rowKey(row)}>
              <tr data-row={rowKey(row)}>
                {select ? <SelectRow of={row} id={rowKey(row)} selection={select} /> : null}
                <Cell column={main} content={main.cell(row)} isMain>
                  {others.length > FACTS_ON_CARDS ? (
                    <details className="row-more">
                      <summary>{t("list.details")}</summary>
                    </details>
                  ) : null}
                </Cell>
                {others.map((column, index) => (
                  <Cell key={column.id} column={column} content={column.cell(row)} isRest={index >= FACTS_ON_CARDS} />
                ))}
              </tr>
              {detail ? (
                <tr className="table-detail">
                  <td colSpan={width}>{detail(row)}</td>
                </tr>
              ) : null}
            </Fragment>
          ))}
        </tbody>
        {foot ? (
          <tfoot>
            <tr>
              {select ? <td className="table-select" /> : null}
              {columns.map((column) => (
                <Cell key={column.id} column={column} content={foot[column.id]} isMain={column === main} />
              ))}
            </tr>
          </tfoot>
        ) : null}
      </table>
      {panel ? <SidePanel name={name} /> : null}
    </section>
  );
}

/** Number of characters that fits into any column; longer texts get a tooltip. */
const MAY_BE_CUT = 24;

type CellProps<Row> = {
  column: Column<Row>;
  content: ReactNode;
  isMain?: boolean;
  /** On phones the cell is behind "Details". */
  isRest?: boolean;
  children?: ReactNode;
};

function Cell<Row>({ column, content, isMain, isRest, children }: CellProps<Row>) {
  const { id, header, align, wrap } = column;
  return (
    <td
      data-col={id}
      data-label={typeof header === "string" ? header : undefined}
      data-row-link={isMain ? "" : undefined}
      title={typeof content === "string" && content.length > MAY_BE_CUT && !wrap ? content : undefined}
      className={classNames(
        align === "end" && "text-right tabular-nums",
        wrap && "table-wrap",
        isMain && "table-main",
        isRest && "table-rest",
      )}
    >
      {content}
      {children}
    </td>
  );
}

const WORDS = { asc: "ascending", desc: "descending" } as const;

type Header<Row> = {
  column: Column<Row>;
  order: { current: Direction | null; to: string } | null;
  isMain: boolean;
};

function HeaderCell<Row>({ column: { id, header, align }, order, isMain }: Header<Row>) {
  const Arrow = order?.current === "asc" ? ArrowUp : ArrowDown;
  return (
    <th
      scope="col"
      data-col={id}
      aria-sort={order?.current ? WORDS[order.current] : undefined}
      className={classNames(align === "end" && "text-right", isMain && "table-main") || undefined}
    >
      {order === null ? (
        header
      ) : (
        <Link
          to={order.to}
          preventScrollReset
          className={classNames(
            "inline-flex min-h-6 items-center gap-1 hover:text-ink",
            align === "end" && "flex-row-reverse",
          )}
        >
          {header}
          {order.current ? <Arrow size={12} aria-hidden="true" /> : null}
        </Link>
      )}
    </th>
  );
}

/** The empty panel in which the page's script shows the page of a row. */
function SidePanel({ name }: { name: string }) {
  const { t } = useTranslation("ui");
  const id = `${name}-panel`;
  return (
    <dialog id={id} className="dialog sheet side-panel" aria-label={t("list.details")} data-side-panel="">
      <div className="mb-3 flex items-center justify-between gap-4">
        <a href={`#${id}`} data-panel-link="" className="link">
          {t("list.openPage")}
        </a>
        <Button type="button" kind="quiet" small aria-label={t("close")} {...{ command: "close", commandfor: id }}>
          <X size={16} aria-hidden="true" />
        </Button>
      </div>
      <div data-panel-content="" />
    </dialog>
  );
}
