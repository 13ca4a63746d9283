import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { projectFile } from "~/database/project-files";
import { migrationNames } from "~/database/schema/migrate.server";
import { CONCURRENT_INDEX } from "~/database/schema/migration-locks";
import { partsOf, readScripts } from "~/database/schema/repeatable-scripts";
import { readPicture } from "~/database/schema/schema-picture";

/** From this migration on, the previous release keeps working while the next one migrates. */
const SINCE = "20261127200000_spare_holds";
/** Header of a migration that removes something: why no release needs it, and the oldest migration to know. */
const CONTRACT = /^-- contract: \S.*\n/m;

const TAKES_AWAY: readonly [what: string, pattern: RegExp][] = [
  ["drops", /\bDROP (?!CONSTRAINT|DEFAULT|NOT NULL|IDENTITY|EXPRESSION)\w+/],
  ["drops a column", /\bALTER TABLE[^;]*\bDROP (?:COLUMN|IF EXISTS)\b/],
  ["renames", /\bRENAME\b/],
  ["changes a type", /\bALTER TYPE\b(?![^;]*ADD VALUE)|\bALTER (?:COLUMN )?"?\w+"? (?:SET DATA )?TYPE\b/],
  ["asks for a value in a column that is there", /\bSET NOT NULL\b/],
  [
    "asks for a value that the release before does not give",
    /\bADD COLUMN\b(?=[^,;]*\bNOT NULL\b)(?![^,;]*\b(?:DEFAULT|GENERATED)\b)/,
  ],
];

const withoutComments = (sql: string) => sql.replace(/--[^\n]*|\/\*[\s\S]*?\*\//g, "");

/** Returns the statements that would break the previous release or calls in flight. */
function objectionsTo(sql: string): string[] {
  const code = withoutComments(sql);
  const isContract = CONTRACT.test(sql) && /\bUPDATE schema_floor SET migration = '\w+'/.test(code);
  const taken = TAKES_AWAY.flatMap(([what, pattern]) => (pattern.test(code) && !isContract ? [what] : []));
  const made = new Set([...code.matchAll(/\bCREATE TABLE (?:IF NOT EXISTS )?"?(\w+)/g)].map(([, table]) => table));
  const indexes = [...code.matchAll(/\bCREATE (?:UNIQUE )?INDEX\b[^;]*?\bON "?(\w+)/g)];
  const blocking = indexes.some(([, table]) => !made.has(table)) && !CONCURRENT_INDEX.test(sql);
  const rows = [...new Set(rowTypes)].filter((table) =>
    new RegExp(`\\bALTER TABLE "?${table}"? ADD COLUMN`).test(code),
  );
  return [
    ...taken,
    ...(blocking
      ? ["builds an index on a table in use: CREATE INDEX CONCURRENTLY IF NOT EXISTS, alone in its migration"]
      : []),
    ...rows.map((table) => `adds a column to ${table}, whose rows functions of the release before make`),
  ];
}

const folder = projectFile("prisma/migrations");
const sqlOf = (name: string) => readFileSync(`${folder}/${name}/migration.sql`, "utf8");
const scripts = readScripts(projectFile("app/domain"));
const tables = new Set(
  [...readPicture(projectFile("app")).values()].flatMap((sql) =>
    [...sql.matchAll(/^CREATE TABLE (\w+)/gm)].map(([, table]) => table),
  ),
);

/** Tables whose rows are built by a cast in functions; after an added column these rows would lack it. */
const rowTypes = scripts
  .flatMap(({ sql }) => [...sql.matchAll(/::(\w+)/g)].map(([, type]) => type as string))
  .filter((type) => tables.has(type));

describe("a migration", () => {
  const names = migrationNames(folder).filter((name) => name > SINCE);

  test("only adds, so that the release before goes on working", () => {
    expect(names.length).toBeGreaterThan(0);
    const objections = names.flatMap((name) => objectionsTo(sqlOf(name)).map((objection) => `${name} ${objection}`));
    expect(objections).toEqual([]);
  });

  test.each([
    ["ALTER TABLE wallet DROP COLUMN held", "drops a column"],
    ["DROP FUNCTION accounting_take(asked_call[])", "drops"],
    ["ALTER TABLE hold RENAME COLUMN a TO b", "renames"],
    ["ALTER TYPE asked_call ADD ATTRIBUTE spare boolean", "changes a type"],
    ['ALTER TABLE "hold" ALTER COLUMN "amount" SET DATA TYPE numeric', "changes a type"],
    ["ALTER TABLE hold ALTER amount TYPE numeric", "changes a type"],
    ["ALTER TABLE hold ALTER COLUMN reason SET NOT NULL", "asks for a value in a column that is there"],
    ["ALTER TABLE hold ADD COLUMN more text NOT NULL", "asks for a value that the release before does not give"],
    ["CREATE INDEX hold_more ON hold (amount)", expect.stringContaining("builds an index")],
    [
      "CREATE INDEX CONCURRENTLY IF NOT EXISTS a ON hold (amount); SELECT 1",
      expect.stringContaining("builds an index"),
    ],
    ["ALTER TABLE usage_hour ADD COLUMN more int", expect.stringContaining("adds a column to usage_hour")],
  ])("that says %s is refused", (sql, objection) => {
    expect(objectionsTo(sql)).toContainEqual(objection);
  });

  test.each([
    "ALTER TABLE hold ADD COLUMN more text, ADD COLUMN kind text NOT NULL DEFAULT 'x'",
    "CREATE TABLE a (v int); CREATE INDEX a_v ON a (v); INSERT INTO a VALUES (1)",
    "-- Why.\nCREATE INDEX CONCURRENTLY IF NOT EXISTS hold_more ON hold (amount);\n",
    "ALTER TABLE hold DROP CONSTRAINT hold_kind; ALTER TABLE hold ADD CONSTRAINT hold_kind CHECK (true) NOT VALID",
    "-- contract: nothing has read it since 20261127200000_spare_holds.\nALTER TABLE hold DROP COLUMN more; UPDATE schema_floor SET migration = '20261127200000_spare_holds';",
  ])("that says %s is taken", (sql) => {
    expect(objectionsTo(sql)).toEqual([]);
  });

  test("has a place for each function: one that releases share, or one of a release", () => {
    const { shared, schemaSql } = partsOf(scripts);
    expect(shared.length).toBeGreaterThan(0);
    expect(schemaSql).not.toMatch(/RETURNS trigger|\bIMMUTABLE\b/);
  });
});
