import type { Db } from "~/connection/db.server";
import type { Actor } from "~/domain/accounts/shared";
import { readLatencySpread, usageScopeOf, usageTotals } from "~/domain/usage/index.server";
import type { LatencySpread, UsageTotal } from "~/domain/usage/shared";
import { windowOf } from "~/values/time-range";

/** Recent results of a model or a supplier for all callers of this installation. Times in milliseconds. */
export type Traffic = { successRate: number; latency: Spread | null; firstByte: Spread | null };

/** The median and the 95th percentile. */
export type Spread = { p50: number; p95: number };

/** Minimum number of calls; fewer are not meaningful and would reveal a single customer's traffic. */
const MIN_REQUESTS = 20;
const FRESH_MS = 10_000;
const MAX_READ = 500;
const read = new Map<string, { atMs: number; spreads: Promise<ReadonlyMap<string, LatencySpread>> }>();

/**
 * Returns the last 24 hours of all callers, by model, or for one model by supplier. Groups with few calls are omitted.
 */
export async function readTraffic(db: Db, modelId: string | null = null): Promise<ReadonlyMap<string, Traffic>> {
  const { from, to } = windowOf("24h", "UTC", new Date());
  const scope = { organisationId: null, ...(modelId === null ? {} : { models: [modelId] }) };
  const [totals, spreads] = await Promise.all([
    usageTotals(db, scope, { from, to, groupBy: modelId === null ? "model" : "supplier" }),
    spreadsOf(db, from, modelId),
  ]);
  return new Map(
    totals
      .filter(({ requests }) => requests >= MIN_REQUESTS)
      .map((total) => [String(total.group), trafficOf(total, spreads.get(String(total.group)))]),
  );
}

/** The query reads all calls of a day, so a process runs it at most every ten seconds, for all readers. */
function spreadsOf(db: Db, since: Date, modelId: string | null): Promise<ReadonlyMap<string, LatencySpread>> {
  const name = modelId ?? "";
  const known = read.get(name);
  if (known !== undefined && performance.now() - known.atMs < FRESH_MS) return known.spreads;
  if (read.size >= MAX_READ) read.clear();
  const reading = async () => {
    const rows = await readLatencySpread(db, since, modelId);
    return new Map(rows.filter(({ requests }) => requests >= MIN_REQUESTS).map((row) => [row.group, row]));
  };
  const spreads = reading();
  read.set(name, { atMs: performance.now(), spreads });
  spreads.catch(() => read.delete(name));
  return spreads;
}

function trafficOf({ requests, errors }: UsageTotal, spread: LatencySpread | undefined): Traffic {
  const { firstByteP50 = null, firstByteP95 = null } = spread ?? {};
  return {
    successRate: 1 - errors / requests,
    latency: spread === undefined ? null : { p50: spread.latencyP50, p95: spread.latencyP95 },
    firstByte: firstByteP50 === null || firstByteP95 === null ? null : { p50: firstByteP50, p95: firstByteP95 },
  };
}

/** Returns the usage of the actor's scope in the last 30 days, by model, or for one model. */
export async function readOwnUsage(db: Db, actor: Actor, modelId: string | null = null) {
  const { from, to } = windowOf("30d", "UTC", new Date());
  const scope = { ...usageScopeOf(actor), ...(modelId === null ? {} : { models: [modelId] }) };
  const totals = await usageTotals(db, scope, { from, to, groupBy: "model" });
  return new Map(totals.map((total) => [String(total.group), total]));
}
