import { z } from "zod";
import type { KeyCursor } from "~/domain/keys/index.server";
import type { KeyFilter, KeySort } from "~/domain/keys/shared";
import { issue } from "~/errors/message";
import { orNothing } from "~/http/body/fields";
import { KEY_FILTERS } from "./filters";

export const PAGE_SIZE = 50;

/** The query of the list: filters, order and position. */
export const KeyListQuery = z
  .object({
    ...KEY_FILTERS.query,
    after: orNothing(
      z
        .string()
        .max(600)
        .transform(cursorOf)
        .pipe(z.custom<KeyCursor>((cursor) => cursor !== null, issue("problems:listPlace"))),
    ),
  })
  .refine(({ sort, after }) => after === undefined || fits(sortOf(sort ?? "-created").by, after.value), {
    path: ["after"],
    message: issue("problems:listPlace"),
  })
  .transform(({ q, status, owner, project, model, sort, after }) => ({
    filter: { search: q, status, ownerId: owner, projectId: project, model } satisfies KeyFilter,
    sort: sortOf(sort ?? "-created"),
    after: after ?? null,
  }));

function sortOf(text: string): KeySort {
  const descending = text.startsWith("-");
  return { by: text.slice(descending ? 1 : 0) as KeySort["by"], descending };
}

function fits(by: KeySort["by"], value: string): boolean {
  if (by === "name") return !value.includes("\0");
  if (by === "expires")
    return /^(?:infinity|\d{4,5}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{1,6})?[+-]\d\d(?::?\d\d)?)$/.test(value);
  return /^\d{1,18}$/.test(value) && (by === "spent" || Number(value) <= 2_147_483_647);
}

/** Encodes a list position as one opaque token for the address. */
export const wordOf = ({ value, id }: KeyCursor): string =>
  Buffer.from(JSON.stringify([value, id])).toString("base64url");

function cursorOf(word: string): KeyCursor | null {
  try {
    const cursor: unknown = JSON.parse(Buffer.from(word, "base64url").toString("utf8"));
    if (!Array.isArray(cursor) || typeof cursor[0] !== "string" || !Number.isSafeInteger(cursor[1])) return null;
    return { value: cursor[0], id: cursor[1] };
  } catch {
    return null;
  }
}
