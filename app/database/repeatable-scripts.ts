import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { readBookkeeping } from "./bookkeeping";
import { sharedFunctions, statementsOf } from "./script-statements";

/** Functions and views of one room, as SQL that may run any number of times; `name` is "<room>/<file>". */
export type RepeatableScript = { name: string; sql: string; checksum: string };

/**
 * What the scripts make: `shared`, which all releases on a database have in common, as scripts of their own, and the rest, which
 * stands in a schema that is named after what is in it.
 */
export type ScriptParts = { shared: readonly RepeatableScript[]; schema: string; schemaSql: string };

/** The scripts of all rooms, `<folder>/<room>/sql/*.sql`, in the order of their names. */
export function readScripts(folder: string): RepeatableScript[] {
  const rooms = existsSync(folder) ? readdirSync(folder).toSorted() : [];
  return rooms.flatMap((room) => {
    const scripts = join(folder, room, "sql");
    if (!existsSync(scripts)) return [];
    const files = readdirSync(scripts).filter((file) => file.endsWith(".sql"));
    return files.toSorted().map((file) => {
      const sql = withUnixLines(readFileSync(join(scripts, file), "utf8"));
      return { name: `${room}/${file}`, sql, checksum: sha256(sql) };
    });
  });
}

/** Tells apart what is shared. Views come behind all functions, because they are bound to those that are there when they are made. */
export function partsOf(scripts: readonly RepeatableScript[]): ScriptParts {
  const cut = scripts.map((script) => ({ name: script.name, statements: statementsOf(script) }));
  const all = cut.flatMap(({ statements }) => statements);
  const names = sharedFunctions(all);
  const shared = cut.flatMap(({ name, statements }) => {
    const sql = statements.flatMap(({ name, text }) => (names.has(name) ? [text] : [])).join("\n\n");
    return sql === "" ? [] : [{ name, sql, checksum: sha256(sql) }];
  });
  const own = all.filter(({ name }) => !names.has(name));
  const inOrder = [...own.filter(({ makes }) => makes !== "view"), ...own.filter(({ makes }) => makes === "view")];
  const schemaSql = inOrder.map(({ text }) => text).join("\n\n");
  return { shared, schema: `gw_functions_${sha256(schemaSql).slice(0, 12)}`, schemaSql };
}

/**
 * Those whose present text this database has never had. A text that another one has replaced is not applied again: an older
 * version of the program that starts beside a newer one leaves what they share alone.
 */
export async function dueScripts(
  client: pg.Client,
  scripts: readonly RepeatableScript[],
): Promise<readonly RepeatableScript[]> {
  const rows = await readBookkeeping<{ text: string }>(
    client,
    "repeatable_script",
    "SELECT name || ' ' || checksum AS text FROM repeatable_script",
  );
  const had = new Set(rows.map(({ text }) => text));
  return scripts.filter(({ name, checksum }) => !had.has(`${name} ${checksum}`));
}

/** The SQL that applies scripts and says that they are applied; it belongs into one transaction. */
export function applying(scripts: readonly RepeatableScript[]): string {
  if (scripts.length === 0) return "";
  const rows = scripts.map(({ name, checksum }) => `(${pg.escapeLiteral(name)}, ${pg.escapeLiteral(checksum)})`);
  // A function may call one of a later script.
  return `SELECT set_config('check_function_bodies', 'off', true);
${scripts.map(({ sql }) => `${sql}\n;`).join("\n")}
INSERT INTO repeatable_script (name, checksum) VALUES ${rows.join(", ")}`;
}

/** The checksums that a migration's file may have been recorded with: a checkout may have other line ends. */
export function checksumsOf(text: string): readonly string[] {
  const unix = withUnixLines(text);
  return [...new Set([text, unix, unix.replaceAll("\n", "\r\n")])].map(sha256);
}

const withUnixLines = (text: string) => text.replaceAll("\r\n", "\n");
const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
