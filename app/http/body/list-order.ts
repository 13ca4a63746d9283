import { z } from "zod";
import type { Cursor, Sort, SortType } from "~/connection/keyset-store";
import { issue } from "~/errors/message";
import { orNothing } from "./fields";

/** The orders of a list, each with the type of its column. */
type Sorts = Readonly<Record<string, SortType>>;

/** The order of a list in its address: a name, or a name after `-` for the reverse. */
export const sortField = (sorts: Sorts) =>
  orNothing(z.string().regex(new RegExp(`^-?(?:${Object.keys(sorts).join("|")})$`)));

export function sortOf<Name extends string>(text: string): Sort<Name> {
  const descending = text.startsWith("-");
  return { by: text.slice(descending ? 1 : 0) as Name, descending };
}

/** The position of a page in its address. `isPlace` also checks that it belongs to the order. */
export const PlaceField = orNothing(
  z
    .string()
    .max(600)
    .transform(cursorOf)
    .pipe(z.custom<Cursor>((cursor) => cursor !== null, issue("problems:listPlace"))),
);

export const NO_SUCH_PLACE = { path: ["after"], message: issue("problems:listPlace") };

export function isPlace(after: Cursor | undefined, type: SortType): boolean {
  if (after === undefined) return true;
  const { value } = after;
  switch (type) {
    case "text":
      return !value.includes("\0");
    case "timestamptz":
      return /^(?:-?infinity|\d{4,5}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{1,6})?[+-]\d\d(?::?\d\d)?)$/.test(value);
    case "int":
      return /^-?\d{1,10}$/.test(value) && Math.abs(Number(value)) <= 2_147_483_647;
    case "bigint":
      return /^-?\d{1,18}$/.test(value);
  }
}

/** Encodes a list position as one opaque token for the address. */
export const placeWord = ({ value, id }: Cursor): string =>
  Buffer.from(JSON.stringify([value, id])).toString("base64url");

function cursorOf(word: string): Cursor | null {
  try {
    const cursor: unknown = JSON.parse(Buffer.from(word, "base64url").toString("utf8"));
    if (!Array.isArray(cursor) || typeof cursor[0] !== "string" || !isId(cursor[1])) return null;
    return { value: cursor[0], id: cursor[1] };
  } catch {
    return null;
  }
}

const isId = (id: unknown): id is number =>
  typeof id === "number" && Number.isSafeInteger(id) && id >= 1 && id <= 2_147_483_647;
