/** The texts of one language by namespace: `locales/<language>/<namespace>.ts`. */
export type Words = Readonly<Record<string, Readonly<Record<string, unknown>>>>;
