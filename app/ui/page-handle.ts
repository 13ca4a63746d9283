/** Settings that a route module exports for its page: `export const handle: PageHandle = { … }`. */
export type PageHandle = {
  /** False: the server's HTML is complete. The browser loads no framework, only the script of `app/enhance`. */
  hydrate?: boolean;
};

/** Whether the page of the matched routes is hydrated in the browser. */
export function hydrates(matches: readonly { handle: unknown }[]): boolean {
  const handle = matches.at(-1)?.handle as PageHandle | undefined;
  return handle?.hydrate !== false;
}
