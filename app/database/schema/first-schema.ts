import pg from "pg";
import { onTables } from "./function-schema";
import { applying, type RepeatableScript } from "./repeatable-scripts";
import { type Known, type Picture, shownIn } from "./schema-picture";
import { statementsOf, textsOf } from "./script-statements";

/** A claim: the room owns a table or type that a migration, not in the picture yet, will create. */
const CLAIM = /^CREATE \w+ \S+ \(\);$/;

/**
 * Returns the SQL that creates in an empty database what the migrations in the picture would create, and records these
 * migrations and the shared functions as applied. Run it in one transaction.
 */
export function firstSchema(picture: Picture, shared: readonly RepeatableScript[]): string {
  const texts = [...picture.values()].flatMap(textsOf).map((text) => text.replace(/^\s*--.*\n/gm, "").trim());
  const statements = texts.filter((text) => !CLAIM.test(text));
  const beginning = (pattern: RegExp) => statements.filter((text) => pattern.test(text));
  const tables = beginning(/^CREATE TABLE/).map(withoutForeignKeys);
  const calls = new Set(tables.flatMap(({ sql }) => [...sql.matchAll(/\b(\w+)\(/g)].map(([, name]) => name)));
  // Shared functions that defaults call are created first; others need the tables.
  const first = shared.flatMap(statementsOf).filter(({ name }) => calls.has(name));
  const parts = [
    "SELECT set_config('check_function_bodies', 'off', true)",
    ...beginning(/^CREATE DOMAIN/),
    ...beginning(/^CREATE TYPE/),
    ...first.map(({ text }) => text),
    ...tables.map(({ sql }) => sql),
    applying(shared),
    recordingApplied(shownIn(picture)),
    ...beginning(/^INSERT INTO (?!_prisma_migrations)/),
    ...beginning(/^ALTER TABLE/),
    ...beginning(/^CREATE (?:UNIQUE )?INDEX/),
    ...tables.flatMap(({ foreignKeys }) => foreignKeys),
    ...beginning(/^CREATE (?:CONSTRAINT )?TRIGGER/),
  ];
  return onTables(parts.map((sql) => sql.replace(/;?\s*$/, ";")).join("\n"));
}

/**
 * Separates the foreign keys of a table: tables refer to each other in cycles, so all tables are created before any
 * foreign key.
 */
function withoutForeignKeys(sql: string): { sql: string; foreignKeys: string[] } {
  const [, head, body, tail] = /^(CREATE TABLE \S+ \(\n)([\s\S]*)(\n\)(?: WITH \([^)]*\))?;)$/.exec(sql) ?? [];
  if (head === undefined || body === undefined) throw new Error(`not a table as the picture has it: ${sql}`);
  const table = head.split(" ")[2];
  const members = body.split(",\n").map((member) => {
    const foreignKey = /^ {2}((?:CONSTRAINT \S+ )?FOREIGN KEY .*)$/.exec(member)?.[1];
    if (foreignKey !== undefined) return { kept: [], foreignKeys: [`ALTER TABLE ${table} ADD ${foreignKey}`] };
    const [definition = "", ...references] = member.split(" REFERENCES ");
    const [column] = definition.trim().split(" ");
    return {
      kept: [definition],
      foreignKeys: references.map((to) => `ALTER TABLE ${table} ADD FOREIGN KEY (${column}) REFERENCES ${to}`),
    };
  });
  return {
    sql: `${head}${members.flatMap(({ kept }) => kept).join(",\n")}${tail}`,
    foreignKeys: members.flatMap(({ foreignKeys }) => foreignKeys),
  };
}

/** Returns SQL that records migrations as applied, in the form and order of Prisma's own rows. */
function recordingApplied(migrations: readonly Known[]): string {
  const rows = migrations.map(({ name, checksum }) => `(${pg.escapeLiteral(name)}, ${pg.escapeLiteral(checksum)})`);
  return `INSERT INTO _prisma_migrations (id, migration_name, checksum, started_at, finished_at, applied_steps_count)
  SELECT gen_random_uuid()::text, name, checksum, now() + rank * interval '1 microsecond', now() + rank * interval '1 microsecond', 1
    FROM (SELECT name, checksum, row_number() OVER (ORDER BY name) AS rank FROM (VALUES ${rows.join(", ")}) m (name, checksum)) x`;
}
