import { z } from "zod";
import type { PeoplePage } from "~/domain/people/index.server";
import type { PeopleFilter } from "~/domain/people/shared";
import { issue } from "~/errors/message";
import { Id, orNothing } from "~/http/body/fields";
import { PEOPLE_FILTERS } from "./filters";

export const PAGE_SIZE = 50;

/** The query of the list of people: filters, order and position. */
export const PeopleQuery = z
  .object({ ...PEOPLE_FILTERS.query, after: orNothing(z.string().max(600)) })
  .transform((query, context) => {
    const after = query.after === undefined ? null : cursorOf(query.after);
    if (query.after !== undefined && after === null) {
      context.addIssue({ code: "custom", path: ["after"], message: issue("problems:listPlace") });
    }
    const { org, department, spent, sort = "newest", after: _, ...same } = query;
    const filter: PeopleFilter = { ...same, organisationId: org, departmentId: department, spentNanoUsd: spent };
    return { filter, sort, after };
  });

type Cursor = NonNullable<PeoplePage["next"]>;

/** Encodes a list position as one opaque token for the address. */
export const wordOf = ({ id, email }: Cursor): string => Buffer.from(JSON.stringify([id, email])).toString("base64url");

function cursorOf(word: string): Cursor | null {
  try {
    const cursor: unknown = JSON.parse(Buffer.from(word, "base64url").toString("utf8"));
    if (!Array.isArray(cursor) || typeof cursor[1] !== "string" || cursor[1].includes("\0")) return null;
    return Id.safeParse(cursor[0]).success ? { id: cursor[0], email: cursor[1] } : null;
  } catch {
    return null;
  }
}
