import type { Catalogue, Column, Composite, Constraint, Domain, Table } from "./schema-catalogue";

/**
 * A table or type with the SQL that creates it: one statement, and for a table its indexes, triggers and initial rows.
 */
export type Shown = { name: string; statements: string[] };

/**
 * Returns readable SQL: types first, then tables, both ordered by name. `rows`: rows of tables as `INSERT` statements.
 */
export const shownOf = ({ domains, composites, tables }: Catalogue, rows: ReadonlyMap<string, string>): Shown[] => [
  ...domains.map((domain) => ({ name: domain.name, statements: [domainSql(domain)] })),
  ...composites.map((composite) => ({ name: composite.name, statements: [compositeSql(composite)] })),
  ...tables.map((table) => {
    const first = rows.get(table.name);
    return { name: table.name, statements: [...tableSql(table), ...(first === undefined ? [] : [first])] };
  }),
];

/** Uses short type names, writes lists as `IN`, and removes redundant casts of texts. */
const tidy = (sql: string) =>
  sql
    .replace(/\btimestamp(\(\d\))? with time zone/g, "timestamptz$1")
    .replace(/('(?:[^']|'')*')::text\b(?!\[)/g, "$1")
    .replace(/= ANY \(ARRAY\[((?:[^\]'[]|'(?:[^']|'')*')*)\]\)/g, "IN ($1)");

const typed = ({ type, collation }: Pick<Column, "type" | "collation">) =>
  [tidy(type), collation === null ? "" : `COLLATE ${collation}`].filter(Boolean).join(" ");

function domainSql({ name, required, expression, constraints, ...type }: Domain): string {
  const parts = [
    `CREATE DOMAIN ${name} AS ${typed(type)}`,
    expression === null ? "" : `DEFAULT ${tidy(expression)}`,
    required ? "NOT NULL" : "",
    ...constraints.map(({ name: own, definition }) =>
      own === `${name}_check` ? tidy(definition) : `CONSTRAINT ${own} ${tidy(definition)}`,
    ),
  ];
  return `${parts.filter(Boolean).join(" ")};`;
}

const compositeSql = ({ name, columns }: Composite) =>
  `CREATE TYPE ${name} AS (\n${columns.map((column) => `  ${column.name} ${typed(column)}`).join(",\n")}\n);`;

function tableSql({ name, options, columns, constraints, indexes, triggers }: Table): string[] {
  const placed = constraints.map((constraint) => ({ ...constraint, ...constraintSql(name, constraint) }));
  const primary = placed.find(({ kind }) => kind === "p")?.columns ?? [];
  const lines = [
    ...columns.map((column) => {
      const own = placed.flatMap(({ column: of, sql }) => (of === column.name ? [sql] : []));
      return columnSql(column, { isPrimary: primary.includes(column.name), own });
    }),
    ...placed.flatMap(({ column, sql }) => (column === null ? [sql] : [])),
  ];
  return [
    `CREATE TABLE ${name} (\n${lines.map((line) => `  ${line}`).join(",\n")}\n)${options === null ? "" : ` WITH (${options})`};`,
    ...columns.flatMap(({ name: column, storage }) =>
      storage === null ? [] : [`ALTER TABLE ${name} ALTER COLUMN ${column} SET STORAGE ${storage};`],
    ),
    ...indexes.map((sql) => `${tidy(sql).replace(" USING btree ", " ")};`),
    ...triggers.map((sql) => `${tidy(sql)};`),
  ];
}

function columnSql(column: Column, { isPrimary, own }: { isPrimary: boolean; own: string[] }): string {
  const { name, type, identity, serial, generated, expression } = column;
  const isRequired = column.required && !isPrimary && !serial && identity === "";
  const value = expression === null || serial ? null : withoutCast(expression, type);
  const parts = [
    name,
    serial ? ({ integer: "serial", bigint: "bigserial" }[type] ?? typed(column)) : typed(column),
    isRequired ? "NOT NULL" : "",
    identity === "" ? "" : `GENERATED ${identity === "a" ? "ALWAYS" : "BY DEFAULT"} AS IDENTITY`,
    value === null ? "" : generated ? `GENERATED ALWAYS AS (${value}) STORED` : `DEFAULT ${value}`,
    ...own,
  ];
  return parts.filter(Boolean).join(" ");
}

/** Removes the cast of a literal to the column's own type. */
const withoutCast = (expression: string, type: string) =>
  tidy(
    /^'(?:[^']|'')*'::/.test(expression) && expression.endsWith(`'::${type}`)
      ? expression.slice(0, -type.length - 2)
      : expression,
  );

/** Returns a constraint with its column, when it is for one column and has PostgreSQL's default name. */
function constraintSql(table: string, constraint: Constraint): { column: string | null; sql: string } {
  const { name, kind, columns } = constraint;
  const unquoted = (text: string) => text.replaceAll('"', "");
  // In a new table every row satisfies the constraint, so NOT VALID is not needed.
  const definition = tidy(constraint.definition).replace(/ NOT VALID$/, "");
  const suffix = { p: "pkey", u: "key", c: "check", f: "fkey", x: "excl" }[kind];
  const usual = [unquoted(table), ...(kind === "p" ? [] : columns.map(unquoted)), suffix].join("_");
  if (unquoted(name) !== usual || kind === "x") return { column: null, sql: `CONSTRAINT ${name} ${definition}` };
  const [column] = columns;
  if (columns.length !== 1 || column === undefined)
    return { column: null, sql: kind === "c" ? `CONSTRAINT ${name} ${definition}` : definition };
  return {
    column,
    sql:
      kind === "c"
        ? definition
        : definition.replace(/^(PRIMARY KEY|UNIQUE|FOREIGN KEY) \([^)]*\)/, "$1").replace(/^FOREIGN KEY /, ""),
  };
}
