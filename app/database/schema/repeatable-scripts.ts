import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { readBookkeeping } from "./bookkeeping";
import { sharedFunctions, statementsOf } from "./script-statements";

/** Functions and views of one room, as SQL that may run any number of times; `name` is "<room>/<file>". */
export type RepeatableScript = { name: string; sql: string; checksum: string };

/**
 * The contents of the scripts. `shared`: functions that all releases on a database share, as separate scripts.
 * `schemaSql`: the rest, in a schema whose name is derived from its contents.
 */
export type ScriptParts = { shared: readonly RepeatableScript[]; schema: string; schemaSql: string };

/** Reads the scripts of all rooms, `<folder>/<room>/sql/*.sql`, in the order of their names. */
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

/**
 * Separates the shared functions. Views come after all functions, because a view is bound to the functions at its
 * creation.
 */
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
 * Returns the scripts whose text was never applied to this database. A text that was replaced by a newer one is not
 * applied again, so an older version that starts beside a newer one does not change the shared functions.
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

/** Returns the SQL that applies scripts and records them as applied. Run it in one transaction. */
export function applying(scripts: readonly RepeatableScript[]): string {
  if (scripts.length === 0) return "";
  const rows = scripts.map(({ name, checksum }) => `(${pg.escapeLiteral(name)}, ${pg.escapeLiteral(checksum)})`);
  // A function may call one of a later script.
  return `SELECT set_config('check_function_bodies', 'off', true);
${scripts.map(({ sql }) => `${sql}\n;`).join("\n")}
INSERT INTO repeatable_script (name, checksum) VALUES ${rows.join(", ")}`;
}

/** Returns the checksums that may be recorded for a migration's file, as a checkout may have other line endings. */
export function checksumsOf(text: string): readonly string[] {
  const unix = withUnixLines(text);
  return [...new Set([text, unix, unix.replaceAll("\n", "\r\n")])].map(sha256);
}

/** Returns a text with the repository's line endings; a checkout may have others. */
export const withUnixLines = (text: string) => text.replaceAll("\r\n", "\n");
const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
