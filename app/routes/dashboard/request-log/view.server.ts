import { config } from "~/config.server";
import type { Db } from "~/connection/db.server";
import { sumUnderWay } from "~/domain/accounting/index.server";
import { type Actor, atLeast, scopeOf } from "~/domain/accounts/shared";
import { isVisibleBatch } from "~/domain/batches/index.server";
import { readOwnFunding } from "~/domain/billing/index.server";
import { readPriceList } from "~/domain/catalogue/index.server";
import { SERVICE_TIERS, type ServiceTier } from "~/domain/catalogue/shared";
import { mayReadTurn } from "~/domain/conversations/index.server";
import type { GuardrailHit, WebhookNote } from "~/domain/guardrails/shared";
import { atBatchPrice, explainPrice, sumOfLines } from "~/domain/pricing/index.server";
import {
  type RequestPlace,
  readRejectedRequests,
  readRequest,
  readRequests,
  readSortedRequests,
} from "~/domain/request-log/index.server";
import type { RequestDetail } from "~/domain/request-log/shared";
import type { BatchNote, RoutingRecord } from "~/domain/routing/shared";
import { groupsOf, usageScopeOf } from "~/domain/usage/index.server";
import { sortOf } from "~/http/body/list-order";
import { holdScopeOf } from "../actor-facts.server";
import { modelsAndRegions } from "../keys/catalogue-choices.server";
import { readChart } from "./chart.server";
import { readInFlight } from "./in-flight.server";
import { namesOf } from "./named.server";
import { logQuestion, PAGE_SIZE, placeOf, type RequestLogValues } from "./query.server";
import { type RoutesShown, shownRoutes } from "./shown-routes";

const LATEST_FIRST = "-time";

/** Returns the data of the request log. */
export async function readRequestLog(db: Db, actor: Actor, query: RequestLogValues) {
  const { scope, filter, rejected, window, zone, meant, asked } = await logQuestion(db, actor, query);
  const isInFlight = query.outcome === "in_flight";
  const after = placeOf(query.after);
  const sorted = query.sort ?? LATEST_FIRST;
  const place = { beforeId: after?.id ?? null, limit: PAGE_SIZE };
  const [page, chart, underWay, inFlight] = await Promise.all([
    isInFlight
      ? { requests: [], nextBeforeId: null }
      : rejected !== null
        ? readRejectedRequests(db, scope, { filter: rejected, ...place })
        : sorted === LATEST_FIRST
          ? readRequests(db, scope, { filter, ...place })
          : readSortedRequests(db, scope, { filter, sort: sortOf(sorted), after, limit: PAGE_SIZE }),
    readChart(db, scope, { query, filter, window }),
    sumUnderWay(db, holdScopeOf(actor)),
    isInFlight ? readInFlight(db, actor, asked) : null,
  ]);
  const requests = "requests" in page ? page.requests : [];
  const rows = [...requests, ...("rejected" in page ? page.rejected : []), ...(inFlight ?? [])];
  return {
    place: scopeOf(actor).kind,
    window,
    zone,
    meant,
    /** Number of requests in flight in the reader's scope. */
    underWay: underWay.count,
    /** Null: the query is for other outcomes. */
    inFlight,
    requests,
    /** Null: the query is for other outcomes. */
    rejected: "rejected" in page ? page.rejected : null,
    next: nextOf(page),
    sorted,
    /** The list is sorted among this number of the latest requests; null: among all. */
    among: "among" in page ? page.among : null,
    chart,
    /** Dimensions for the reader's scope. */
    groups: groupsOf(usageScopeOf(actor)),
    names: await namesOf(db, actor, asked, rows.length > 0),
    ...modelsAndRegions(),
  };
}

type Next = { nextBeforeId: bigint | null } | { next: RequestPlace | null };

function nextOf(page: Next): string | null {
  if ("nextBeforeId" in page) return page.nextBeforeId === null ? null : String(page.nextBeforeId);
  return page.next === null ? null : `${page.next.value}_${page.next.id}`;
}

export type RequestLogView = Awaited<ReturnType<typeof readRequestLog>>;

/**
 * Returns the data of a request's page. `lines` are the parts of its cost; null if the cost is not the supplier's usage
 * at the price list, for example if it is an estimate. `id`: the client's, or the portal's number. Null: no finished
 * request has this id, or it is outside the reader's scope.
 */
export async function readRequestPage(db: Db, actor: Actor, id: bigint | string) {
  const request = await readRequest(db, usageScopeOf(actor), id);
  if (request === null) return null;
  const decisions = decisionsOf(request.routing);
  const routes = shownRoutes({ ...decisions, attemptList: request.attemptList }, routesShownTo(actor));
  const { batch, batchId } = decisions;
  const price = await readPriceList(db, request.priceVersion);
  const paid = price === null || batch === null ? price : atBatchPrice(price, batch.priceMillionths);
  const tier = batch === null ? tierOf(request.routing) : "batch";
  const lines = paid === null ? [] : explainPrice(paid, { ...usageOf(request), serviceTier: tier });
  return {
    request: { ...request, attemptList: [...routes.attemptList], routing: null },
    ...decisions,
    routing: routes.routing,
    /** The batch of a colleague, or a deleted one, is named but has no link. */
    mayOpenBatch: batchId !== null && (await isVisibleBatch(db, actor, batchId)),
    lines: lines.length > 0 && sumOfLines(lines) === request.costNanoUsd ? lines : null,
    /** The service tier of the price; undefined: the usual one. */
    tier: price?.tiers?.[tier ?? "flex"] === undefined ? undefined : tier,
    /** Whether its texts are stored, so that the playground can begin with them. */
    mayTryAgain: await mayReadTurn(db, actor, request.requestId),
    isOwn: scopeOf(actor).kind === "own",
    entry: await entryOf(db, actor, request),
  };
}

/** Customers see what the operator chose. */
export const routesShownTo = ({ role }: Actor): RoutesShown =>
  atLeast(role, "platform_admin") ? "all" : config().routesShown;

/** Returns the path of the ledger entry that charges a request, if the actor may see that wallet. */
async function entryOf(db: Db, actor: Actor, { walletId, entrySeq }: RequestDetail): Promise<string | null> {
  if (entrySeq === null) return null;
  const own = await readOwnFunding(db, actor);
  return own.mayFund && own.walletId === walletId ? `/dashboard/billing/ledger/${entrySeq}` : null;
}

/**
 * Reads the stored decisions: routing (null if there was only one way), matches of guardrails, decisions of webhooks,
 * and the batch of the supplier and of the client.
 */
function decisionsOf(stored: unknown): {
  routing: RoutingRecord | null;
  guardrails: GuardrailHit[];
  webhooks: WebhookNote[];
  batch: BatchNote | null;
  batchId: string | null;
} {
  type Noted = Partial<RoutingRecord> & { guardrails?: (GuardrailHit | WebhookNote)[] };
  const { guardrails: noted = [], batch = null, batchId = null, ...routing } = (stored ?? {}) as Noted;
  const guardrails: GuardrailHit[] = [];
  const webhooks: WebhookNote[] = [];
  for (const one of noted) {
    if ("kind" in one) webhooks.push(one);
    else guardrails.push(one);
  }
  return { routing: "lanes" in routing ? (routing as RoutingRecord) : null, guardrails, webhooks, batch, batchId };
}

/** The stored service tier of the answer. */
function tierOf(stored: unknown): ServiceTier | undefined {
  const { tier } = (stored ?? {}) as { tier?: unknown };
  return SERVICE_TIERS.find((each) => each === tier);
}

export type RequestView = NonNullable<Awaited<ReturnType<typeof readRequestPage>>>;

const usageOf = (request: RequestDetail) => ({
  inputTokens: request.inputTokens,
  cachedInputTokens: request.cachedInputTokens,
  cacheWriteTokens: request.cacheWriteTokens,
  outputTokens: request.outputTokens,
  cacheWriteLongTokens: request.cacheWriteLongTokens ?? undefined,
  audioInputTokens: request.audioInputTokens ?? undefined,
  audioOutputTokens: request.audioOutputTokens ?? undefined,
  milliseconds: request.milliseconds ?? undefined,
  characters: request.characters ?? undefined,
  requests: request.supplierRequests ?? undefined,
  toolUses: request.toolUses ?? undefined,
});
