import { createContext, type ReactNode, useContext } from "react";
import { useSearchParams } from "react-router";

export type Sortable = string | number | bigint | boolean | Date | null | undefined;

export type Column<Row> = {
  id: string;
  header: ReactNode;
  cell: (row: Row) => ReactNode;
  align?: "end";
  /** Name of the column's order, if the database sorts the list. */
  sort?: string;
  /** What the page sorts by, if it has all rows of the list; null and undefined are last. */
  value?: (row: Row) => Sortable;
  /** Direction of the first click; default: `desc` for figures on the right, `asc` for texts. */
  first?: Direction;
  /** The user can hide the column. `off`: it is hidden until the user chooses it. */
  optional?: boolean | "off";
  /** Long texts wrap; otherwise a cell stays on one line. */
  wrap?: boolean;
};

export type Direction = "asc" | "desc";

/** The columns that a person has chosen, by list; the cookie `gw_columns` keeps them. */
export type ChosenColumns = Readonly<Record<string, readonly string[]>>;

export const ChosenColumnsContext = createContext<ChosenColumns>({});

/** Name of the query parameter with the columns of one list: `keys:status.owner`. */
export const COLUMNS = "columns";

export const columnsWord = (list: string, columns: readonly string[]): string => `${list}:${columns.join(".")}`;

/**
 * Returns the columns to show: those of the address, else those that the person has chosen, else those that are not
 * `off`. Columns that cannot be hidden are always shown.
 */
export function useShownColumns<Row>(list: string, columns: readonly Column<Row>[]): readonly Column<Row>[] {
  const [query] = useSearchParams();
  const chosen = useContext(ChosenColumnsContext)[list];
  return shownColumns(columns, columnsOfAddress(query, list) ?? chosen);
}

export function columnsOfAddress(query: URLSearchParams, list: string): readonly string[] | undefined {
  const word = query.getAll(COLUMNS).find((each) => each.startsWith(`${list}:`));
  return word === undefined ? undefined : word.slice(list.length + 1).split(".");
}

export const shownColumns = <Row>(
  columns: readonly Column<Row>[],
  chosen: readonly string[] | undefined,
): readonly Column<Row>[] =>
  columns.filter(({ id, optional }) => !optional || (chosen === undefined ? optional !== "off" : chosen.includes(id)));
