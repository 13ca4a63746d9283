import { z } from "zod";
import { done, portalEndpoint } from "~/access/portal/endpoint.server";
import { cameFrom } from "~/access/safe-next";
import { COLUMNS, columnsWord } from "~/ui/lists/columns";
import { COLUMN_NAME, chosenColumns, columnsCookie } from "./columns-cookie.server";

const MAX_COLUMNS = 40;
const Name = z.string().regex(COLUMN_NAME);

/** Remembers the columns of a list, and returns to the list with them in its address. */
const endpoint = portalEndpoint({
  allow: "signed-in",
  page: "/dashboard",
  POST: {
    body: z.object({
      list: Name,
      columns: z.array(Name).max(MAX_COLUMNS).default([]),
      reset: z.literal("true").optional(),
    }),
    run: ({ body: { list, columns, reset }, request }) => {
      const from = new URL(cameFrom(request, "/dashboard"), "https://portal.invalid");
      const others = from.searchParams.getAll(COLUMNS).filter((word) => !word.startsWith(`${list}:`));
      from.searchParams.delete(COLUMNS);
      for (const word of others) from.searchParams.append(COLUMNS, word);
      const chosen = reset === undefined ? columns : null;
      if (chosen !== null) from.searchParams.append(COLUMNS, columnsWord(list, chosen));
      const to = `${from.pathname}${from.search}`;
      return done({
        to,
        cookies: [columnsCookie(chosenColumns(request), list, chosen)],
        answer: { location: to, columns: chosen },
      });
    },
  },
});
export const loader = endpoint;
export const action = endpoint;
