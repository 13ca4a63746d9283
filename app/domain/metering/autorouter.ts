import type { Db } from "~/db.server";
import { catalogue } from "~/domain/catalogue/index.server";
import { listRouted, sumRouted } from "./autorouter-store";
import type { AutorouterReport, RoutedRequest, UsageScope } from "./shared";
import { usageBuckets, usageReady } from "./usage";
import { sumRoutedOfKeys } from "./usage-store";

/**
 * What the autorouter did for the requests of a scope that began in a span. Savings are what each request's own usage would have cost
 * on its default model, at the prices of its time, less what it was charged; they are negative where the choice was dearer. The
 * total is the sum of the rows, to the nano-dollar. `overridden` of `eligible`: chat requests of the keys that used `auto` in the
 * span which named a model themselves.
 */
export async function readAutorouterReport(
  db: Db,
  scope: UsageScope,
  span: { from: Date; to: Date },
): Promise<AutorouterReport> {
  const { completeBefore } = await usageReady(db);
  const chat = [...catalogue().models.values()].filter(({ capability }) => capability === "chat").map(({ id }) => id);
  const [{ sums, days }, keys, buckets] = await Promise.all([
    sumRouted(db, scope, { ...span, completeBefore }),
    sumRoutedOfKeys(db, { ...scope, models: scope.models ?? chat }, { ...span, completeBefore }),
    usageBuckets(db, { ...span, bucket: "day", timeZone: "UTC" }),
  ]);
  return {
    requests: sums.reduce((total, { requests }) => total + requests, 0),
    chargedNanoUsd: sums.reduce((total, { chargedNanoUsd }) => total + chargedNanoUsd, 0n),
    defaultNanoUsd: sums.reduce((total, { defaultNanoUsd }) => total + defaultNanoUsd, 0n),
    eligible: keys.requests,
    overridden: keys.requests - keys.routed,
    sums,
    days: buckets.map(
      (day) => days.find((each) => each.day.getTime() === day.getTime()) ?? { day, requests: 0, savedNanoUsd: 0n },
    ),
  };
}

/** One page of what the autorouter chose since a moment, the latest first. `nextBeforeId`: where the next page begins; null: that was all. */
export async function readRoutedRequests(
  db: Db,
  scope: UsageScope,
  ask: { from: Date; beforeId: bigint | null; limit: number },
): Promise<{ requests: RoutedRequest[]; nextBeforeId: bigint | null }> {
  const found = await listRouted(db, scope, { ...ask, limit: ask.limit + 1 });
  const requests = found.slice(0, ask.limit);
  return { requests, nextBeforeId: found.length > requests.length ? (requests.at(-1)?.id ?? null) : null };
}
