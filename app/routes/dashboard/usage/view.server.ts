import type { z } from "zod";
import type { Db } from "~/connection/db.server";
import { type Actor, scopeOf } from "~/domain/accounts/shared";
import { readLastComparison } from "~/domain/billing/index.server";
import { groupsOf, MAX_GROUPS, questionOf, readUsage, usageScopeOf } from "~/domain/usage/index.server";
import type { UsagePageQuery } from "../../usage-query.server";

/** Number of groups on the page before the reader requests more. */
const GROUPS_ON_PAGE = 25;

/** Returns the data of the usage page. */
export async function readUsagePage(db: Db, actor: Actor, query: z.output<typeof UsagePageQuery>) {
  const scope = usageScopeOf(actor);
  const question = await questionOf(db, actor, { scope, query });
  const listed = query.groups === "all" ? MAX_GROUPS : GROUPS_ON_PAGE;
  const [usage, compared] = await Promise.all([readUsage(db, question, listed), readLastComparison(db)]);
  return {
    /** Whether the page can list more groups. */
    hasMore: usage.rest !== null && listed < MAX_GROUPS,
    /** Time of the last comparison of all usage with the ledger; null: not yet. */
    compared,
    place: scopeOf(actor).kind,
    window: question.window,
    zone: question.zone,
    group: question.group,
    metric: query.metric ?? ("cost" as const),
    groups: groupsOf(scope),
    usage,
    /** The name of the filtered group, if it is the only one. */
    only: usage.groups.length === 1 ? (usage.groups[0]?.name ?? null) : null,
  };
}

export type UsagePageView = Awaited<ReturnType<typeof readUsagePage>>;
