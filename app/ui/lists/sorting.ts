import { useSearchParams } from "react-router";
import type { Column, Direction, Sortable } from "./columns";
import { addressWith } from "./list-address";

type Order = { by: string; direction: Direction };

/** Reads an order of an address: `cost` ascending, `-cost` descending. */
export const orderOf = (text: string): Order =>
  text.startsWith("-") ? { by: text.slice(1), direction: "desc" } : { by: text, direction: "asc" };

const wordOf = ({ by, direction }: Order): string => (direction === "desc" ? `-${by}` : by);

/** The order of a list, and the address with the order that a click on a column's header gives. */
type Sorting<Row> = {
  rows: readonly Row[];
  /** Null: the column has no order. */
  headerOf: (column: Column<Row>) => { current: Direction | null; to: string } | null;
};

/**
 * Sorts a list. With `sorted`, the order of the rows as the database gave them, only the addresses are computed; the
 * columns with `sort` have an order. Without it the page has all rows, and sorts them by the columns with `value`; the
 * parameter has the list's name, because a page can have several such lists.
 */
export function useSorting<Row>(
  list: { name: string; columns: readonly Column<Row>[]; rows: readonly Row[] },
  sorted: string | undefined,
): Sorting<Row> {
  const [query] = useSearchParams();
  const isByServer = sorted !== undefined;
  const parameter = isByServer ? "sort" : `sort-${list.name}`;
  const nameOf = (column: Column<Row>) => (isByServer ? column.sort : column.value && column.id);
  const text = sorted ?? query.get(parameter);
  const order = text === null ? null : orderOf(text);
  return {
    rows: isByServer || order === null ? list.rows : sortRows(list.rows, list.columns, order),
    headerOf(column) {
      const by = nameOf(column);
      if (by === undefined) return null;
      const current = order?.by === by ? order.direction : null;
      const direction = current === null ? firstOf(column, list.rows) : current === "asc" ? "desc" : "asc";
      return { current, to: addressWith(query, { [parameter]: wordOf({ by, direction }), after: null, before: null }) };
    },
  };
}

/** Figures and times begin with the highest, texts with the first of the alphabet. */
function firstOf<Row>({ first, align, value }: Column<Row>, rows: readonly Row[]): Direction {
  if (first !== undefined) return first;
  if (align === "end") return "desc";
  const sample = value && rows.map(value).find((each) => each != null);
  return sample === undefined || typeof sample === "string" ? "asc" : "desc";
}

/** Sorts rows by a column. Rows with the same value keep their order; rows without a value are last. */
export function sortRows<Row>(rows: readonly Row[], columns: readonly Column<Row>[], { by, direction }: Order) {
  const value = columns.find(({ id }) => id === by)?.value;
  if (value === undefined) return rows;
  const sign = direction === "asc" ? 1 : -1;
  return rows.toSorted((a, b) => {
    const [left, right] = [value(a), value(b)];
    if (left == null || right == null) return Number(left == null) - Number(right == null);
    return sign * compare(left, right);
  });
}

const compare = (left: NonNullable<Sortable>, right: NonNullable<Sortable>): number => {
  if (typeof left === "string" && typeof right === "string") return TEXTS.compare(left, right);
  return left < right ? -1 : Number(left > right);
};

const TEXTS = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });
