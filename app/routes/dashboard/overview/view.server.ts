import { z } from "zod";
import type { Db } from "~/connection/db.server";
import { readBudget, sumUnderWay } from "~/domain/accounting/index.server";
import type { BudgetView } from "~/domain/accounting/shared";
import { readPreferences } from "~/domain/accounts/index.server";
import { type Actor, atLeast, scopeOf } from "~/domain/accounts/shared";
import { nameKeys, summariseKeys } from "~/domain/keys/index.server";
import { organisationsForSwitch, readBillingDuties } from "~/domain/organisations/index.server";
import { keysOutOfMoney, recentRequests } from "~/domain/request-log/index.server";
import { readRouteHealth } from "~/domain/routing/index.server";
import { rejectionReasons, usageScopeOf } from "~/domain/usage/index.server";
import { RANGES, timeZoneNamed, windowOf } from "~/values/time-range";
import { canSpend, holdScopeOf } from "../actor-facts.server";
import { readGetStarted } from "../get-started/facts.server";
import { freeModel } from "../keys/sample-models.server";
import { recallOverviewUsage } from "./usage-memory.server";

/** An empty choice means the default. */
const orDefault = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((value) => (value === "" ? undefined : value), schema);

export const OverviewQuery = z.object({
  range: orDefault(z.enum(RANGES).default("7d")),
  tz: orDefault(z.enum(["utc", "local"]).default("utc")),
});

const TOP = 5;
const RECENT = 8;
const BUDGETS = 5;
const LANES = 3;
const OUT_OF_MONEY = 5;

/** Returns the data of the overview. */
export async function readOverview(db: Db, actor: Actor, { range, tz }: z.output<typeof OverviewQuery>) {
  const preferences = await readPreferences(db, actor);
  const { timeZone: chosen, onboarding } = preferences;
  const zone = chosen === null ? null : timeZoneNamed(chosen);
  const timeZone = tz === "local" && zone !== null ? zone : "UTC";
  const [usage, recent, keys, scopes, started, place, duties, funds, reasons, underWay] = await Promise.all([
    recallOverviewUsage(db, usageScopeOf(actor), range, timeZone),
    recentRequests(db, actor, RECENT),
    summariseKeys(db, actor, BUDGETS),
    scopeBudgets(db, actor),
    onboarding.hidden ? null : readGetStarted(db, actor, preferences),
    scopeNameOf(db, actor),
    readBillingDuties(db, actor),
    canSpend(db, actor),
    rejectionReasons(db, usageScopeOf(actor), windowOf(range, timeZone, new Date())),
    sumUnderWay(db, holdScopeOf(actor)),
  ]);
  const topKeys = usage.keys.slice(0, TOP);
  const isBroke = (reasons ?? []).some(({ code }) => code === "budget_exceeded" || code === "billing_limit_reached");
  const broke = isBroke ? await keysOutOfMoney(db, usageScopeOf(actor), OUT_OF_MONEY) : [];
  const names = await nameKeys(
    db,
    actor,
    [...topKeys, ...(reasons ?? []), ...broke].map(({ keyId }) => keyId),
  );
  return {
    range,
    tz: timeZone === "UTC" ? ("utc" as const) : ("local" as const),
    zone,
    timeZone,
    place,
    usage: {
      buckets: usage.buckets,
      figures: usage.figures,
      totalNanoUsd: usage.totalNanoUsd,
      rejected: usage.rejected,
    },
    rejectionReasons: (reasons ?? []).map((reason) => ({ keyName: names.get(reason.keyId) ?? null, ...reason })),
    /** Keys whose requests are all rejected for lack of money. */
    outOfMoney: broke.map((key) => ({ name: names.get(key.keyId) ?? `#${key.keyId}`, ...key })),
    models: usage.models,
    keys: topKeys.map((key) => ({ name: names.get(key.keyId) ?? null, ...key })),
    recent,
    /** Requests in flight, and the holds of these and of calls in review. */
    underWay,
    budgets: [
      ...scopes,
      ...keys.fullest.map(({ key, budget }) => ({ scope: "key" as const, id: key.id, name: key.name, budget })),
    ].slice(0, BUDGETS + scopes.length),
    expiring: keys.expiring,
    lanes: atLeast(actor.role, "platform_admin") && actor.adminMode ? lanesInTrouble() : [],
    /** The organisation that asks the person to pay for it. */
    askedToPay: duties?.asked ? duties.organisation : null,
    canSpend: funds,
    hasFree: freeModel({ allowedModels: [], allowedRegions: [] }) !== null,
    start: started === null || started.next === null ? null : startOf(started),
  };
}

export type OverviewView = Awaited<ReturnType<typeof readOverview>>;

export type ScopeBudget = {
  scope: "user" | "department" | "organisation" | "key";
  id: number;
  name: string;
  budget: BudgetView;
};

/** Budgets above keys that the actor may see. */
async function scopeBudgets(db: Db, actor: Actor): Promise<ScopeBudget[]> {
  const scope = scopeOf(actor);
  const wanted = [
    { kind: "user" as const, id: actor.userId as number | null },
    { kind: "department" as const, id: actor.role === "department_admin" ? actor.departmentId : null },
    { kind: "organisation" as const, id: scope.kind === "organisation" ? scope.organisationId : null },
  ];
  const results = await Promise.all(
    wanted.map(async ({ kind, id }) => {
      const budget = id === null ? null : await readBudget(db, { kind, id });
      return id === null || budget === null || budget.limitNanoUsd === null
        ? null
        : { scope: kind, id, name: kind === "user" ? actor.name || actor.email : "", budget };
    }),
  );
  return results.filter((each) => each !== null);
}

async function scopeNameOf(
  db: Db,
  actor: Actor,
): Promise<{ kind: "own" | "department" | "organisation" | "everything"; name: string }> {
  const scope = scopeOf(actor);
  if (scope.kind !== "organisation") return { kind: scope.kind, name: "" };
  const choices = await organisationsForSwitch(db, actor);
  return { kind: "organisation", name: choices.find(({ id }) => id === scope.organisationId)?.name ?? "" };
}

function lanesInTrouble() {
  const lanes = readRouteHealth().filter(({ state, reason }) => state !== "closed" && reason !== null);
  return lanes
    .slice(0, LANES)
    .map(({ model, supplier, region, reason }) => ({ model, supplier, region, reason: reason ?? "" }));
}

const startOf = ({ steps, next }: Awaited<ReturnType<typeof readGetStarted>>) => ({
  done: steps.filter(({ done }) => done).length,
  all: steps.length,
  next,
});
