/** What a route module says about its page: `export const handle: PageHandle = { … }`. */
export type PageHandle = {
  /** The page is complete as the server writes it; the browser gets no framework, only the script of `app/enhance`. */
  plain?: boolean;
};

/** Whether the matched routes end in a page that needs no framework in the browser. */
export function isPlain(matches: readonly { handle: unknown }[]): boolean {
  const handle = matches.at(-1)?.handle as PageHandle | undefined;
  return handle?.plain === true;
}
