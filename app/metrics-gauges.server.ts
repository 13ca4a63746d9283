import { sqlPool } from "./connection/db.server";
import { admissionClosedBecause, journalSizes, openHolds, postingLagMs } from "./domain/accounting/index.server";
import { callsInFlight } from "./gateway/call-record";
import { openStreams } from "./gateway/deliver/open-streams";
import { poolFigures } from "./gateway/suppliers/toolkit/connection/pools";
import { requestsInFlight } from "./http/server/requests-in-flight";
import type { Gauge } from "./observe/metrics.server";

const pooled = () => {
  const { totalCount, idleCount, waitingCount } = sqlPool();
  return [
    ["in_use", totalCount - idleCount],
    ["idle", idleCount],
    ["waiting", waitingCount],
  ] as const;
};

/** Values that are read when Prometheus scrapes. */
export const GAUGES: readonly Gauge[] = [
  { name: "gw_requests_in_flight", help: "Requests of the gateway that are being answered", read: callsInFlight },
  { name: "gw_streams_open", help: "Streams that are being delivered", read: openStreams.count },
  {
    name: "gw_portal_requests_in_flight",
    help: "Pages and management requests being answered",
    read: requestsInFlight,
  },
  { name: "gw_holds_open", help: "Calls of this process between admission and settlement", read: openHolds },
  {
    name: "gw_admission_open",
    help: "1 while calls that cost something are admitted, else 0",
    read: () => (admissionClosedBecause() === null ? 1 : 0),
  },
  {
    name: "gw_posting_lag_seconds",
    help: "How long the oldest settled call has been waiting for its ledger transaction",
    read: () => postingLagMs() / 1_000,
  },
  {
    name: "gw_journal_bytes",
    help: "Settlements on disk that the database could not take",
    label: "state",
    readAll: async () => Object.entries(await journalSizes()),
  },
  {
    name: "gw_database_connections",
    help: "Connections of the pool, and who waits for one",
    label: "state",
    readAll: pooled,
  },
  {
    name: "gw_supplier_connections",
    help: "Open connections to suppliers",
    label: "origin",
    readAll: () => poolFigures().map(({ origin, connections }) => [origin, connections] as const),
  },
  {
    name: "gw_supplier_requests_waiting",
    help: "Requests that wait for a connection",
    label: "origin",
    readAll: () => poolFigures().map(({ origin, waiting }) => [origin, waiting] as const),
  },
];
