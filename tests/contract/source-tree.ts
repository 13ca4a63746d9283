import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";

export const ROOT = join(import.meta.dirname, "../..");

export type SourceFile = { path: string; text: string };

/** A reference from one file to another module: `target` is a path in the repository without extension, or a package. */
export type Import = { from: string; target: string; typeOnly: boolean };

const NOT_SOURCE = new Set([
  "node_modules",
  "build",
  "generated",
  ".git",
  ".react-router",
  "data",
  "coverage",
  "test-results",
]);

/** Returns the files below a folder whose path matches `ending`; paths are relative to the root, with `/`. */
export function filesUnder(folder: string, ending: RegExp): SourceFile[] {
  const entries = readdirSync(join(ROOT, folder), { withFileTypes: true });
  return entries.flatMap((entry) => {
    const path = folder === "." ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory()) return NOT_SOURCE.has(entry.name) ? [] : filesUnder(path, ending);
    return ending.test(entry.name) ? [{ path, text: readFileSync(join(ROOT, path), "utf8") }] : [];
  });
}

/** Returns all folders below a folder of the repository. */
export function foldersUnder(folder: string): string[] {
  const entries = readdirSync(join(ROOT, folder), { withFileTypes: true });
  return entries.flatMap((entry) => {
    if (!entry.isDirectory() || NOT_SOURCE.has(entry.name)) return [];
    const path = folder === "." ? entry.name : `${folder}/${entry.name}`;
    return [path, ...foldersUnder(path)];
  });
}

const STATEMENT = /^(?:import|export)\s+(type\s)?(?:[^"';]*?\sfrom\s+)?"([^"]+)"|\bimport\("([^"]+)"\)/gm;

/** Returns the static and dynamic imports of a file. */
export function importsOf({ path, text }: SourceFile): Import[] {
  return [...text.matchAll(STATEMENT)].map((match) => ({
    from: path,
    target: resolved(path, (match[2] ?? match[3]) as string),
    typeOnly: match[1] !== undefined,
  }));
}

function resolved(path: string, specifier: string): string {
  const plain = specifier.replace(/\?.*$/, "").replace(/\.(tsx?|mjs|js)$/, "");
  if (plain.startsWith("~/")) return `app/${plain.slice(2)}`;
  if (!plain.startsWith(".")) return plain;
  return relative(ROOT, join(ROOT, dirname(path), plain))
    .split(sep)
    .join("/");
}
