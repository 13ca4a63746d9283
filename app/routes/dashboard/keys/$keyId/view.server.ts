import { config } from "~/config.server";
import type { Db } from "~/connection/db.server";
import { listHolds } from "~/domain/accounting/index.server";
import { type Actor, scopeOf } from "~/domain/accounts/shared";
import { readAuditEvents } from "~/domain/activity/index.server";
import { forecastOf } from "~/domain/budgets/shared";
import { keyChoices, readActorKey, readInheritedLimits, readLimiter } from "~/domain/keys/index.server";
import { lastUses, outOfMoney, recentRejections, rejectionsSince } from "~/domain/request-log/index.server";
import { keyUseSince, usageSeries } from "~/domain/usage/index.server";
import { windowOf } from "~/values/time-range";
import { modelsAndRegions } from "../catalogue-choices.server";
import { sampleModels } from "../sample-models.server";
import { samplesFor } from "../samples";

const DAY_MS = 86_400_000;
const MAX_HOLDS = 10;
const MAX_AUDIT_EVENTS = 20;
const MAX_REJECTIONS = 20;

/** Returns the data of a key's page. @throws AppError not_found */
export async function readKeyPage(db: Db, actor: Actor, id: number) {
  const now = new Date();
  const key = await readActorKey(db, actor, id);
  const month = windowOf("30d", "UTC", now);
  const scope = { organisationId: key.organisation.id, keyIds: [id] };
  const [
    inheritedLimits,
    limiter,
    holds,
    rejections,
    events,
    uses,
    today,
    rejectedToday,
    spend,
    choices,
    outOfMoneyKeys,
  ] = await Promise.all([
    readInheritedLimits(db, actor, id),
    readLimiter(db, actor, id),
    listHolds(db, { keyId: id }, { limit: MAX_HOLDS }),
    recentRejections(db, id, MAX_REJECTIONS),
    readAuditEvents(db, {
      targetKind: "key",
      targetId: String(id),
      organisationId: key.organisation.id,
      limit: MAX_AUDIT_EVENTS,
    }),
    lastUses(db, [id]),
    keyUseSince(db, [id], new Date(now.getTime() - DAY_MS)),
    rejectionsSince(db, [id], new Date(now.getTime() - DAY_MS)),
    usageSeries(db, scope, { ...month, groupBy: "model" }),
    key.rights.limits ? keyChoices(db, actor) : null,
    outOfMoney(db, [id]),
  ]);
  const samples = samplesFor(config().baseUrl, sampleModels(key));
  return {
    now,
    key,
    gates: inheritedLimits,
    limiter,
    /** Admins read the limiter from the administration's path. */
    limiterUrl:
      scopeOf(actor).kind === "own"
        ? `/dashboard/keys/${id}/limiter`
        : `/dashboard/admin/api/key-rate-limit-state?key_id=${id}`,
    holds,
    refusals: rejections,
    auditEvents: events.map(({ id: actId, at, actorLabel, action, before, after }) => ({
      id: String(actId),
      at,
      author: actorLabel,
      action,
      fields: changedFields(before, after),
    })),
    lastUsedAt: uses.get(id) ?? null,
    outOfMoney: outOfMoneyKeys.get(id) ?? null,
    requestsToday: today.get(id)?.requests ?? 0,
    rejectedToday: rejectedToday.get(id) ?? 0,
    spend: {
      buckets: spend.buckets,
      points: spend.points.map(({ bucket, group, chargedNanoUsd, requests }) => ({
        bucket,
        model: String(group ?? ""),
        nanoUsd: chargedNanoUsd,
        requests,
      })),
    },
    forecast: key.budget === null ? null : forecastOf(key.budget, now),
    choices: choices === null ? null : { projects: choices.projects, ...modelsAndRegions(key) },
    samples,
  };
}

export type KeyPageView = Awaited<ReturnType<typeof readKeyPage>>;

function changedFields(before: unknown, after: unknown): { name: string; before: string; after: string }[] {
  const [old, fresh] = [before, after].map((fields) => (fields ?? {}) as Record<string, unknown>) as [
    Record<string, unknown>,
    Record<string, unknown>,
  ];
  return Object.keys(fresh).map((name) => ({ name, before: shown(old[name]), after: shown(fresh[name]) }));
}

function shown(value: unknown): string {
  if (value === null || value === undefined || value === "") return "–";
  if (Array.isArray(value)) return value.length === 0 ? "–" : value.join(", ");
  if (typeof value === "object") {
    const entries = Object.entries(value as Record<string, unknown>).map(([name, entry]) => `${name}=${entry}`);
    return entries.length === 0 ? "–" : entries.join(", ");
  }
  return String(value);
}
