import type { Db } from "~/connection/db.server";
import { readBudget } from "~/domain/accounting/index.server";
import { hasCompany, readPreferences } from "~/domain/accounts/index.server";
import { type Actor, atLeast } from "~/domain/accounts/shared";
import { catalogue } from "~/domain/catalogue/index.server";
import { listActorKeys } from "~/domain/keys/index.server";
import type { PortalKey } from "~/domain/keys/shared";
import { firstRequestOf, readRejectedRequests } from "~/domain/request-log/index.server";
import type { RecentRequest, RejectedRequests } from "~/domain/request-log/shared";
import { usageScopeOf } from "~/domain/usage/index.server";
import { freeModel, sampleModels } from "../keys/sample-models.server";
import type { Remedy } from "../remedy";
import { readRemedy } from "../remedy.server";
import { nextStep, type Step, stepsOf } from "./steps";

export type GetStarted = {
  steps: Step[];
  next: Step["name"] | null;
  hidden: boolean;
  /** The person's newest usable inference key. */
  key: PortalKey | null;
  firstRequest: RecentRequest | null;
  /** The newest rejected request, until another one gets further, and its remedy. */
  rejected: { burst: RejectedRequests; remedy: Remedy } | null;
  /** Changes when the page should reload: after an answer, or another rejection. */
  news: string;
};

/**
 * Returns the steps according to the current data of the person and their organisation. Actors always have a confirmed
 * address, so that step is done.
 */
export async function readGetStarted(
  db: Db,
  actor: Actor,
  known?: Awaited<ReturnType<typeof readPreferences>>,
): Promise<GetStarted> {
  const own: Actor = { ...actor, adminMode: false };
  const [{ onboarding }, { keys }, firstRequest, userBudget, company] = await Promise.all([
    known ?? readPreferences(db, actor),
    listActorKeys(db, own, {
      filter: { status: "active" },
      sort: { by: "created", descending: true },
      after: null,
      limit: 100,
    }),
    firstRequestOf(db, actor.userId),
    readBudget(db, { kind: "user", id: actor.userId }),
    atLeast(actor.role, "department_admin") ? hasCompany(db, actor) : false,
  ]);
  const steps = stepsOf({
    role: actor.role,
    verified: true,
    hasKey: keys.length > 0,
    firstRequestAt: firstRequest?.startedAt ?? null,
    hasBudget: [userBudget, ...keys.map(({ budget }) => budget)].some((budget) => budget?.limitNanoUsd != null),
    hasCompany: company,
    hasSupplier: [...catalogue().routes.values()].flat().some(({ supplier }) => supplier.kind !== "sandbox"),
    marked: onboarding.done,
  });
  const key = keys.find(({ kind }) => kind === "inference") ?? null;
  const rejected = firstRequest === null ? await readRejected(db, own, key) : null;
  return {
    steps,
    next: nextStep(steps),
    hidden: onboarding.hidden,
    key,
    firstRequest,
    rejected,
    news: firstRequest?.requestId ?? rejected?.burst.requestId ?? "",
  };
}

async function readRejected(db: Db, actor: Actor, key: PortalKey | null): Promise<GetStarted["rejected"]> {
  const { rejected } = await readRejectedRequests(db, usageScopeOf(actor), { filter: {}, beforeId: null, limit: 1 });
  const [burst] = rejected;
  if (burst === undefined) return null;
  const sample =
    key === null ? null : freeModel(key) !== null ? "free" : sampleModels(key).chat === null ? null : "usable";
  return { burst, remedy: await readRemedy(db, actor, burst, sample) };
}
