import type { Db } from "~/connection/db.server";
import { catalogue } from "~/domain/catalogue/index.server";
import { sumRouted } from "./autorouter-store";
import { readInParts } from "./days/complete-days";
import type { AutorouterReport, RoutedSum, UsageScope } from "./shared";
import { usageBuckets, usageReady } from "./usage";
import { type KeysRouted, sumRoutedByKey } from "./usage-store";

/**
 * Returns the autorouter's choices and savings for the requests of a scope that began in a span. A request's saving is the cost of its
 * usage on its default model, at the prices of its time, minus its charge; negative if the choice was more expensive. The total is the
 * exact sum of the rows. `eligible`: chat requests of keys that used `auto` in the span; `overridden`: those with a fixed model.
 */
export async function readAutorouterReport(
  db: Db,
  scope: UsageScope,
  span: { from: Date; to: Date },
): Promise<AutorouterReport> {
  const { completeBefore } = await usageReady(db);
  const chat = [...catalogue().models.values()].filter(({ capability }) => capability === "chat").map(({ id }) => id);
  const ofKeys = { ...scope, models: scope.models ?? chat };
  const partsQuery = (about: string, of: UsageScope) => ({
    ...span,
    completeBefore,
    question: about + JSON.stringify(of),
  });
  const [routed, keys, buckets] = await Promise.all([
    readInParts(db, partsQuery("routed", scope), (part) => sumRouted(db, scope, { ...part, completeBefore })),
    readInParts(db, partsQuery("keys", ofKeys), (part) => sumRoutedByKey(db, ofKeys, { ...part, completeBefore })),
    usageBuckets(db, { ...span, bucket: "day", timeZone: "UTC" }),
  ]);
  const sums = mergedSums(routed.flatMap((part) => part.sums));
  const days = mergedDays(routed.flatMap((part) => part.days));
  return {
    requests: sums.reduce((total, { requests }) => total + requests, 0),
    chargedNanoUsd: sums.reduce((total, { chargedNanoUsd }) => total + chargedNanoUsd, 0n),
    defaultNanoUsd: sums.reduce((total, { defaultNanoUsd }) => total + defaultNanoUsd, 0n),
    ...overridesOf(keys),
    sums,
    days: buckets.map((day) => days.get(day.getTime()) ?? { day, requests: 0, savedNanoUsd: 0n }),
  };
}

/** Merges the sums of several spans, most requests first. */
function mergedSums(parts: readonly RoutedSum[]): RoutedSum[] {
  const sums = new Map<string, RoutedSum>();
  for (const part of parts) {
    const name = JSON.stringify([part.model, part.algorithm, part.defaultModel]);
    const sum = sums.get(name);
    sums.set(name, {
      ...part,
      requests: part.requests + (sum?.requests ?? 0),
      chargedNanoUsd: part.chargedNanoUsd + (sum?.chargedNanoUsd ?? 0n),
      defaultNanoUsd: part.defaultNanoUsd + (sum?.defaultNanoUsd ?? 0n),
    });
  }
  return [...sums]
    .toSorted(([a, one], [b, other]) => other.requests - one.requests || (a < b ? -1 : 1))
    .map(([, sum]) => sum);
}

function mergedDays(parts: AutorouterReport["days"]): Map<number, AutorouterReport["days"][number]> {
  const days = new Map<number, AutorouterReport["days"][number]>();
  for (const { day, requests, savedNanoUsd } of parts) {
    const sum = days.get(day.getTime());
    days.set(day.getTime(), {
      day,
      requests: requests + (sum?.requests ?? 0),
      savedNanoUsd: savedNanoUsd + (sum?.savedNanoUsd ?? 0n),
    });
  }
  return days;
}

/** The requests of keys that used `auto` in any of several spans, and those among them with a fixed model. */
function overridesOf(parts: readonly KeysRouted[]): { eligible: number; overridden: number } {
  const keys = new Map<number, { requests: number; routed: number }>();
  for (const { keyIds, requests, routed } of parts)
    keyIds.forEach((keyId, n) => {
      const sum = keys.get(keyId) ?? { requests: 0, routed: 0 };
      keys.set(keyId, { requests: sum.requests + requests[n]!, routed: sum.routed + routed[n]! });
    });
  const used = [...keys.values()].filter(({ routed }) => routed > 0);
  const eligible = used.reduce((total, { requests }) => total + requests, 0);
  return { eligible, overridden: eligible - used.reduce((total, { routed }) => total + routed, 0) };
}
