import type { Db } from "~/db.server";
import type { Actor } from "~/domain/identity/shared";
import { usageScopeOf, usageTotals } from "~/domain/metering/index.server";
import type { UsageTotal } from "~/domain/metering/shared";
import { windowOf } from "~/time-range";

/** How a model or a supplier has done for everybody who calls it through this installation. Averages; times in milliseconds. */
export type Traffic = { successRate: number; latencyMs: number; firstByteMs: number | null };

/** Below so many calls an average says little, and would tell one customer about another. */
const MIN_REQUESTS = 20;

/** The last 24 hours of all callers together, by model, or of one model by supplier. Groups with few calls are missing. */
export async function readTraffic(db: Db, modelId: string | null = null): Promise<ReadonlyMap<string, Traffic>> {
  const { from, to } = windowOf("24h", "UTC", new Date());
  const scope = { organisationId: null, ...(modelId === null ? {} : { models: [modelId] }) };
  const totals = await usageTotals(db, scope, { from, to, groupBy: modelId === null ? "model" : "supplier" });
  return new Map(
    totals.filter(({ requests }) => requests >= MIN_REQUESTS).map((total) => [String(total.group), trafficOf(total)]),
  );
}

const trafficOf = ({ requests, errors, latencyMs, firstByteMs, firstBytes }: UsageTotal): Traffic => ({
  successRate: 1 - errors / requests,
  latencyMs: Number(latencyMs) / requests,
  firstByteMs: firstBytes === 0 ? null : Number(firstByteMs) / firstBytes,
});

/** What the actor's own part of the installation has used in the last 30 days, by model, or of one model. */
export async function readOwnUsage(db: Db, actor: Actor, modelId: string | null = null) {
  const { from, to } = windowOf("30d", "UTC", new Date());
  const scope = { ...usageScopeOf(actor), ...(modelId === null ? {} : { models: [modelId] }) };
  const totals = await usageTotals(db, scope, { from, to, groupBy: "model" });
  return new Map(totals.map((total) => [String(total.group), total]));
}
