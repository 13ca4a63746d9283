/** What a route module says about its page: `export const handle: PageHandle = { … }`. */
export type PageHandle = {
  /** False: the page is complete as the server writes it; the browser gets no framework, only the script of `app/enhance`. */
  hydrate?: boolean;
};

/** Whether the matched routes end in a page that the framework takes over in the browser. */
export function hydrates(matches: readonly { handle: unknown }[]): boolean {
  const handle = matches.at(-1)?.handle as PageHandle | undefined;
  return handle?.hydrate !== false;
}
