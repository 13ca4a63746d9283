import { Prisma } from "~/generated/prisma/client";

/** Types of columns that lists are sorted by. */
export type SortType = "int" | "bigint" | "text" | "timestamptz";
export type Sort<Name extends string = string> = { by: Name; descending: boolean };
/** A position in a list: the sort value and the id of the last row of a page. */
export type Cursor = { value: string; id: number };

/** The expression of an order, which is never null, and the join that it needs. `unique`: no two rows are equal. */
export type SortColumn = { by: Prisma.Sql; join?: Prisma.Sql; unique?: true };

/**
 * Builds the parts of a statement for one page of a sorted list. Rows with the same value are in the order of `id`, so
 * that the position is unique. `place`: the condition for the rows after a position.
 */
export function keysetOf(
  { by, join = Prisma.empty, unique }: SortColumn,
  { descending, type, after }: { descending: boolean; type: SortType; after: Cursor | null },
  id: Prisma.Sql,
) {
  const direction = descending ? Prisma.sql`DESC` : Prisma.sql`ASC`;
  const side = descending ? Prisma.sql`<` : Prisma.sql`>`;
  const value = after && Prisma.sql`${after.value}::${Prisma.raw(type)}`;
  return {
    join,
    value: Prisma.sql`(${by})::text`,
    order: unique ? Prisma.sql`${by} ${direction}` : Prisma.sql`${by} ${direction}, ${id} ${direction}`,
    place:
      after === null
        ? Prisma.sql`true`
        : unique
          ? Prisma.sql`${by} ${side} ${value}`
          : Prisma.sql`(${by}, ${id}) ${side} (${value}, ${after.id}::int)`,
  };
}
