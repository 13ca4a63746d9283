/** The words of one language by namespace: `locales/<language>/<namespace>.ts`. */
export type Words = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** Sorts the files of one language by their names, so that a new file is a new namespace without further ado. */
export function namespacesOf(files: Readonly<Record<string, unknown>>): Words {
  return Object.fromEntries(
    Object.entries(files).map(([path, words]) => [
      path.slice(path.lastIndexOf("/") + 1).replace(/\.ts$/, ""),
      words as Record<string, unknown>,
    ]),
  );
}
