import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { readBookkeeping } from "./bookkeeping";

/** Functions and views of one room, as SQL that may run any number of times; `name` is "<room>/<file>". */
export type RepeatableScript = { name: string; sql: string; checksum: string };

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

/**
 * Those whose present text this database has never had. A text that another one has replaced is not applied again: an older
 * version of the program that starts beside a newer one leaves the newer functions alone.
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
