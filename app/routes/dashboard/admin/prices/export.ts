import { z } from "zod";
import { portalEndpoint } from "~/access/portal/endpoint.server";
import { db } from "~/connection/db.server";
import { exportPrices } from "~/domain/catalogue/index.server";
import { isJsonColumn } from "~/domain/catalogue/shared";
import { csvResponse } from "~/http/body/csv";
import type { CsvCell } from "~/values/csv";

/** The current prices, as a file that can be edited and imported. */
const prices = portalEndpoint({
  query: z.object({ format: z.enum(["csv", "json"]).default("csv") }),
  allow: "platform_admin",
  GET: async ({ query }) => {
    const { columns, lines } = await exportPrices(db());
    if (query.format === "csv") return csvResponse("prices.csv", columns, inOnePage(lines));
    const entries = lines.map((line) => Object.fromEntries(columns.flatMap((column, at) => entryOf(column, line[at]))));
    return new Response(`${JSON.stringify({ prices: entries }, null, 2)}\n`, {
      headers: {
        "content-type": "application/json",
        "content-disposition": 'attachment; filename="prices.json"',
        "cache-control": "no-store",
      },
    });
  },
});

async function* inOnePage(lines: CsvCell[][]): AsyncGenerator<CsvCell[][], void, undefined> {
  yield lines;
}

function entryOf(column: string, text: string | null | undefined): [string, unknown][] {
  if (text === null || text === undefined) return [];
  return [[column, isJsonColumn(column) ? JSON.parse(text) : text]];
}

export const loader = prices;
export const action = prices;
