import { expect, test } from "vitest";
import { type Column, columnsOfAddress, shownColumns } from "./columns";
import { orderOf, sortRows } from "./sorting";

type Row = { id: number; name: string | null; cost: bigint };
const ROWS: readonly Row[] = [
  { id: 1, name: "key 10", cost: 5n },
  { id: 2, name: null, cost: 20n },
  { id: 3, name: "Key 9", cost: 5n },
  { id: 4, name: "alpha", cost: 100n },
];
const COLUMNS: readonly Column<Row>[] = [
  { id: "name", header: "Name", cell: () => null, value: ({ name }) => name },
  { id: "cost", header: "Cost", cell: () => null, value: ({ cost }) => cost, optional: true },
  { id: "rare", header: "Rare", cell: () => null, optional: "off" },
];
const sorted = (text: string) => sortRows(ROWS, COLUMNS, orderOf(text)).map(({ id }) => id);

test("rows are sorted by a column in both directions; equal rows keep their order, rows without a value are last", () => {
  expect(sorted("name")).toEqual([4, 3, 1, 2]);
  expect(sorted("-name")).toEqual([1, 3, 4, 2]);
  expect(sorted("cost")).toEqual([1, 3, 2, 4]);
  expect(sorted("-cost")).toEqual([4, 2, 1, 3]);
});

test("an unknown order, and one of a column without values, leaves the rows as they are", () => {
  expect(sorted("-nothing")).toEqual([1, 2, 3, 4]);
  expect(sorted("rare")).toEqual([1, 2, 3, 4]);
});

test("the chosen columns are shown; columns that cannot be hidden stay, and unknown names are left out", () => {
  const names = (chosen?: string[]) => shownColumns(COLUMNS, chosen).map(({ id }) => id);
  expect(names()).toEqual(["name", "cost"]);
  expect(names(["rare", "unknown"])).toEqual(["name", "rare"]);
  expect(names([])).toEqual(["name"]);
});

test("the address has the columns of each list apart", () => {
  const query = new URLSearchParams("columns=keys:cost.rare&columns=people:");
  expect(columnsOfAddress(query, "keys")).toEqual(["cost", "rare"]);
  expect(columnsOfAddress(query, "people")).toEqual([""]);
  expect(columnsOfAddress(query, "others")).toBeUndefined();
});
