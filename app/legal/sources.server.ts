import { LEGAL_NAMES, type LegalName } from "./shared";

// Vite writes the texts into the server's bundle: there is no file to read, and none to be missing, at run time.
const files = import.meta.glob<string>("./*/*.md", { query: "?raw", import: "default", eager: true });

/** The Markdown of every document by version. */
export const SOURCES: Readonly<Record<LegalName, Readonly<Record<string, string>>>> = sourcesOf(files);

export const sourceOf = (name: LegalName, version: string): string | null =>
  Object.hasOwn(SOURCES[name], version) ? (SOURCES[name][version] ?? null) : null;

export const newestVersion = (name: LegalName): string => Object.keys(SOURCES[name]).toSorted().at(-1) as string;

/** Sorts files called `./<document>/<date>.md` by document and version. */
export function sourcesOf(texts: Readonly<Record<string, string>>): Record<LegalName, Record<string, string>> {
  const sources = Object.fromEntries(LEGAL_NAMES.map((name) => [name, {}])) as Record<
    LegalName,
    Record<string, string>
  >;
  for (const [path, text] of Object.entries(texts)) {
    const [, name = "", version = ""] = /^\.\/([^/]+)\/(\d{4}-\d{2}-\d{2})\.md$/.exec(path) ?? [];
    if (!Object.hasOwn(sources, name)) throw new Error(`${path} is not the version of a legal document`);
    sources[name as LegalName][version] = text;
  }
  return sources;
}
