import { portalEndpoint } from "~/access/portal/endpoint.server";
import { db } from "~/connection/db.server";
import { csvResponse } from "~/http/body/csv";
import type { CsvCell } from "~/values/csv";
import { type QualityAnswer, QualityQuery, readQualityView } from "./view.server";

const HEADER = [
  ...["model", "supplier", "requests", "complete_share", "empty_share", "truncated_share", "client_abort_share"],
  ...["failed_share", "retried_share", "rate_limited", "timed_out", "unavailable", "refused", "latency_p50_ms"],
  ...["latency_p95_ms", "first_byte_p50_ms"],
] as const satisfies readonly (keyof QualityAnswer)[];

const quality = portalEndpoint({
  query: QualityQuery,
  allow: "viewer",
  GET: async ({ query }) => {
    const { rows } = await readQualityView(db(), query);
    return csvResponse("quality.csv", HEADER, linesOf(rows));
  },
});

async function* linesOf(rows: readonly QualityAnswer[]): AsyncGenerator<CsvCell[][], void, undefined> {
  yield rows.map((row) => HEADER.map((name) => row[name]));
}

export const loader = quality;
export const action = quality;
