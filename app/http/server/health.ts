import { sqlPool } from "~/connection/db.server";
import { methodNotAllowedResponse } from "~/errors/envelope";
import { withTimeout } from "~/network/with-timeout";
import { isDraining } from "./drain";

/** Time-out of the database check. */
const DATABASE_PATIENCE_MS = 1_000;

/**
 * `GET /health`: 200 `{status:"ok"}` while the process runs. `GET /health?ready` also checks the database, and returns
 * 503 while the process should get no new work: `draining`, or `unavailable` when the database is unreachable or
 * read-only, or for another obstacle. `late_jobs` names jobs that have not succeeded for too long. `posting_lag_ms` is
 * the delay between settled calls and the ledger, from two seconds on. Neither of these two changes the status.
 */
export const healthEndpoint =
  (checks: Checks) =>
  ({ request }: { request: Request }): Promise<Response> =>
    health(request, checks);

type Checks = { obstacle: () => string | null; lateJobs: () => Promise<string[]>; postingLagMs: () => number };

/** Posting lag from which it is reported. */
const MAX_LAG_MS = 2_000;

async function health(request: Request, { obstacle, lateJobs, postingLagMs }: Checks): Promise<Response> {
  if (request.method !== "GET" && request.method !== "HEAD") return methodNotAllowedResponse(["GET", "HEAD"]);
  if (!new URL(request.url).searchParams.has("ready")) return answer(200, { status: "ok" });
  if (isDraining()) return answer(503, { status: "draining" });
  const [database, late] = await Promise.all([
    pingDatabase(),
    withTimeout(lateJobs(), DATABASE_PATIENCE_MS).catch(() => []),
  ]);
  const reason = obstacle();
  if (database === "ok" && reason === null) {
    const lagMs = Math.round(postingLagMs());
    return answer(200, {
      status: "ok",
      database,
      ...(late.length === 0 ? {} : { late_jobs: late }),
      ...(lagMs < MAX_LAG_MS ? {} : { posting_lag_ms: lagMs }),
    });
  }
  return answer(503, { status: "unavailable", database, ...(reason === null ? {} : { reason }) });
}

type Database = "ok" | "read_only" | "unreachable";

async function pingDatabase(): Promise<Database> {
  try {
    // The query reads a table, because a session can work while the tables are missing.
    const query = sqlPool().query<{ read_only: string }>(
      "SELECT current_setting('transaction_read_only') AS read_only, EXISTS (SELECT FROM organisation) AS any",
    );
    const { rows } = await withTimeout(query, DATABASE_PATIENCE_MS);
    return rows[0]?.read_only === "off" ? "ok" : "read_only";
  } catch {
    return "unreachable";
  }
}

const answer = (status: number, body: Record<string, string | string[] | number>) =>
  Response.json(body, {
    status,
    headers: { "cache-control": "no-store", ...(status === 503 ? { "retry-after": "1" } : {}) },
  });
