import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type pg from "pg";
import { withUnixLines } from "./repeatable-scripts";
import { readCatalogue, type Table } from "./schema-catalogue";
import { type Shown, shownOf } from "./schema-sql";

/**
 * The picture of the database: the tables and types of each room, by the path of the room's file relative to `app`. A
 * room owns the tables in its file; a line `CREATE TABLE <name>` in a file claims a new table.
 */
export type Picture = ReadonlyMap<string, string>;

const FILE = "schema.sql";
/** Tables that record the history of one database. */
const OF_EACH_INSTALLATION = ["_prisma_migrations", "repeatable_script", "function_schema"];
const HEADER = "-- `npm run migrate -- picture` writes this file, and keeps its comments.";
const CLAIM = /^CREATE (?:TABLE|TYPE|DOMAIN) ("[^"]+"|\w+)/;
/** Lines that a comment may describe: a statement, by the object that it creates, or a member of the current table. */
const STATEMENT =
  /^(?:CREATE (?:TABLE|TYPE|DOMAIN|(?:UNIQUE )?INDEX|(?:CONSTRAINT )?TRIGGER)|INSERT INTO|ALTER TABLE) ("[^"]+"|\w+)/;
const MEMBER = /^ {2}(CONSTRAINT (?:"[^"]+"|\w+)|"[^"]+"|\w+)/;

/** Reads the picture in `app`: the files of its rooms and of the rooms in `domain`. */
export function readPicture(app: string): Picture {
  const files = ["", "domain"].flatMap((parent) =>
    namesIn(join(app, parent)).map((room) => [parent, room, FILE].filter(Boolean).join("/")),
  );
  const there = files.filter((file) => existsSync(join(app, file))).toSorted();
  return new Map(there.map((file) => [file, withUnixLines(readFileSync(join(app, file), "utf8"))]));
}

const namesIn = (folder: string) => (existsSync(folder) ? readdirSync(folder) : []);

/**
 * Returns the picture of a database that has just been migrated, with the files and comments of `earlier`. Includes the
 * initial rows of a new installation.
 * @throws Error when a table or a type is in none of the files, or in two.
 */
export async function pictureOf(client: pg.Client, earlier: Picture): Promise<Picture> {
  const catalogue = await readCatalogue(client);
  const rows = new Map([[PRISMAS, await shownBy(client)]]);
  for (const table of catalogue.tables.filter(({ name }) => !OF_EACH_INSTALLATION.includes(name))) {
    const sql = await firstRows(client, table);
    if (sql !== null) rows.set(table.name, sql);
  }
  const owners = ownersIn(earlier);
  const shown = shownOf(catalogue, rows);
  const lost = shown.find(({ name }) => !owners.has(name));
  if (lost !== undefined)
    throw new Error(
      `no room has ${lost.name}: write "${/^CREATE \w+ \S+/.exec(lost.statements[0] ?? "")} ();" into the ${FILE} of its room, then npm run migrate -- picture`,
    );
  return new Map(
    [...earlier].map(([file, text]) => {
      const own = shown.filter(({ name }) => owners.get(name) === file);
      return [file, fileOf(own, text)];
    }),
  );
}

/** A migration, with the SHA-256 of its file. */
export type Known = { name: string; checksum: string };

const PRISMAS = "_prisma_migrations";

/** Returns the migrations whose result the picture shows, oldest first. */
export function shownIn(picture: Picture): Known[] {
  const [, rows = ""] = /^INSERT INTO _prisma_migrations ([^;]+);/m.exec([...picture.values()].join("\n")) ?? [];
  return [...rows.matchAll(/'(\w+)', '([0-9a-f]{64})'/g)].map(([, name = "", checksum = ""]) => ({ name, checksum }));
}

async function shownBy(client: pg.Client): Promise<string> {
  const { rows } = await client.query<Known>(
    `SELECT migration_name AS name, checksum FROM ${PRISMAS} WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL ORDER BY 1`,
  );
  const values = rows.map(({ name, checksum }) => `  ('${name}', '${checksum}')`);
  return `INSERT INTO ${PRISMAS} (migration_name, checksum) VALUES\n${values.join(",\n")};`;
}

function ownersIn(picture: Picture): Map<string, string> {
  const owners = new Map<string, string>();
  for (const [file, text] of picture) {
    for (const line of text.split("\n")) {
      const name = CLAIM.exec(line)?.[1];
      if (name === undefined) continue;
      if (owners.has(name)) throw new Error(`${name} is in ${owners.get(name)} and in ${file}`);
      owners.set(name, file);
    }
  }
  return owners;
}

function fileOf(shown: readonly Shown[], earlier: string): string {
  const comments = commentsIn(earlier);
  const blocks = shown.map(({ statements }) => withComments(statements.join("\n"), comments));
  return `${[comments.get("") ?? HEADER, ...blocks].join("\n\n")}\n`;
}

/**
 * Returns the comments by the line that they describe; the comment of the whole file, before an empty line, is at "".
 */
function commentsIn(text: string): Map<string, string> {
  const comments = new Map<string, string>();
  let block: string[] = [];
  eachPlace(text, (section, line) => {
    if (/^\s*--/.test(line)) return void block.push(line.trim());
    if (block.length > 0 && (section !== null || comments.size === 0)) comments.set(section ?? "", block.join("\n"));
    block = [];
  });
  return comments;
}

function withComments(sql: string, comments: ReadonlyMap<string, string>): string {
  const lines: string[] = [];
  eachPlace(sql, (section, line) => {
    const comment = section === null ? undefined : comments.get(section);
    if (comment !== undefined) lines.push(comment.replace(/^/gm, line.startsWith("  ") ? "  " : ""));
    lines.push(line);
  });
  return lines.join("\n");
}

/** Visits each line with the statement, or the member of a statement, that it begins; null for other lines. */
function eachPlace(sql: string, visit: (section: string | null, line: string) => void): void {
  let section: string | null = null;
  for (const line of sql.split("\n")) {
    const statement = STATEMENT.exec(line)?.[0] ?? null;
    const member = section === null ? undefined : MEMBER.exec(line)?.[1];
    if (statement !== null) section = line.endsWith("(") ? statement : null;
    else if (line.startsWith(")")) section = null;
    visit(statement ?? (member === undefined ? null : `${section} ${member}`), line);
  }
}

/**
 * Returns a statement that inserts the rows of a table, without columns that the database fills in; null for no rows.
 */
async function firstRows(client: pg.Client, { name, columns, constraints }: Table): Promise<string | null> {
  const { rows: counted } = await client.query<{ count: number }>(`SELECT count(*)::int AS count FROM ${name}`);
  if (counted[0]?.count === 0) return null;
  // Columns whose default is an expression, such as the time, are omitted: each installation gets its own values.
  const writable = columns.filter(
    ({ identity, generated, serial, expression }) =>
      identity === "" && !generated && !serial && !/\(|CURRENT_/.test(expression ?? ""),
  );
  const differs = writable.map(({ name: column, expression }) => `bool_or(${column} IS DISTINCT FROM ${expression})`);
  const { rows: differing } = await client.query<boolean[]>({
    text: `SELECT ${differs.join(", ")} FROM ${name}`,
    rowMode: "array",
  });
  const insertColumns = writable.flatMap(({ name: column }, index) => (differing[0]?.[index] ? [column] : []));
  if (insertColumns.length === 0) return `INSERT INTO ${name} DEFAULT VALUES;`;
  const key = constraints.find(({ kind }) => kind === "p")?.columns ?? insertColumns;
  const { rows } = await client.query<{ row: string }>(
    `SELECT format('(%s)', concat_ws(', ', ${insertColumns.map((column) => `quote_nullable(${column})`).join(", ")})) AS row
       FROM ${name} ORDER BY ${key.join(", ")}`,
  );
  const values = rows.map(({ row }) => row.replace(/'(-?\d+)'/g, "$1")).join(", ");
  return `INSERT INTO ${name} (${insertColumns.join(", ")}) VALUES\n  ${values.replace(/(.{90,}?\)), /g, "$1,\n  ")};`;
}
