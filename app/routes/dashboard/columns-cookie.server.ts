import { readCookie, setCookie } from "~/access/cookies";
import type { ChosenColumns } from "~/ui/lists/columns";

const COOKIE = "gw_columns";
const A_YEAR_SECONDS = 31_536_000;
const MAX_CHARACTERS = 2_000;

/** A list or a column in the cookie and in addresses. */
export const COLUMN_NAME = /^[a-zA-Z][a-zA-Z0-9-]{0,40}$/;

/** Returns the columns that the reader has chosen, by list. Anything that this portal did not write is left out. */
export function chosenColumns(request: Request): ChosenColumns {
  const lists = (readCookie(request, COOKIE) ?? "").slice(0, MAX_CHARACTERS).split("|");
  const read = lists.flatMap((text) => {
    const [list = "", columns = ""] = text.split(":");
    return COLUMN_NAME.test(list) ? [[list, columns.split(".").filter((name) => COLUMN_NAME.test(name))] as const] : [];
  });
  return Object.fromEntries(read);
}

/**
 * Returns the Set-Cookie header with the columns of one list added; null: its usual columns. The lists whose columns
 * were chosen longest ago are left out if the cookie would be too long.
 */
export function columnsCookie(chosen: ChosenColumns, list: string, columns: readonly string[] | null): string {
  const others = Object.entries(chosen).filter(([name]) => name !== list);
  const words = [...(columns === null ? [] : [[list, columns] as const]), ...others].map(
    ([name, names]) => `${name}:${names.join(".")}`,
  );
  while (words.join("|").length > MAX_CHARACTERS) words.pop();
  return setCookie(COOKIE, words.join("|"), { maxAgeSeconds: A_YEAR_SECONDS });
}
