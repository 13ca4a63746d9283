/** The texts of one language by namespace: `locales/<language>/<namespace>.ts`. */
export type Words = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** Returns the texts of a language from its files. */
export const byNamespace = (files: Readonly<Record<string, Words[string]>>): Words =>
  Object.fromEntries(Object.entries(files).map(([path, words]) => [path.replace(/^.*\/|\.ts$/g, ""), words]));
