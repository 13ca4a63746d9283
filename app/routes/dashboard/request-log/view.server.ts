import type { Db } from "~/db.server";
import { sumUnderWay } from "~/domain/accounting/index.server";
import { isVisibleBatch } from "~/domain/batches/index.server";
import { readOwnFunding } from "~/domain/billing/index.server";
import { readPriceList } from "~/domain/catalogue/index.server";
import { SERVICE_TIERS, type ServiceTier } from "~/domain/catalogue/shared";
import type { GuardrailHit, WebhookNote } from "~/domain/guardrails/shared";
import { type Actor, scopeOf } from "~/domain/identity/shared";
import {
  atBatchPrice,
  explainPrice,
  readRejectedRequests,
  readRequest,
  readRequests,
  sumOfLines,
  usageScopeOf,
} from "~/domain/metering/index.server";
import type { RequestDetail } from "~/domain/metering/shared";
import type { BatchNote, RoutingRecord } from "~/domain/routing/shared";
import { modelsAndRegions } from "../keys/catalogue-choices.server";
import { holdScopeOf } from "../overview/view.server";
import { groupsOf } from "../usage/query.server";
import { readChart } from "./chart.server";
import { readInFlight } from "./in-flight.server";
import { namesOf } from "./named.server";
import { logQuestion, PAGE_SIZE, type RequestLogValues } from "./query.server";

/** What the page of the request log shows. */
export async function readRequestLog(db: Db, actor: Actor, query: RequestLogValues) {
  const { scope, filter, rejected, window, zone, meant, asked } = await logQuestion(db, actor, query);
  const isInFlight = query.outcome === "in_flight";
  const place = { beforeId: query.after ?? null, limit: PAGE_SIZE };
  const [page, chart, underWay, inFlight] = await Promise.all([
    isInFlight
      ? { requests: [], nextBeforeId: null }
      : rejected === null
        ? readRequests(db, scope, { filter, ...place })
        : readRejectedRequests(db, scope, { filter: rejected, ...place }),
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
    /** How many requests of the reader's are in flight. */
    underWay: underWay.count,
    /** Null: others were asked for. */
    inFlight,
    requests,
    /** Null: others were asked for. */
    rejected: "rejected" in page ? page.rejected : null,
    next: page.nextBeforeId === null ? null : String(page.nextBeforeId),
    chart,
    /** What requests can be told apart by. */
    groups: groupsOf(usageScopeOf(actor)),
    names: await namesOf(db, actor, asked, rows.length > 0),
    ...modelsAndRegions(),
  };
}

export type RequestLogView = Awaited<ReturnType<typeof readRequestLog>>;

/**
 * What the page of one request shows, with how its cost comes about: `lines` add up to it, or are null where it was settled by
 * something else than the supplier's usage at the price list, such as an estimate. `id`: as clients get it, or the portal's number.
 * Null: there is no finished request of it, or it is outside the reader's scope.
 */
export async function readRequestPage(db: Db, actor: Actor, id: bigint | string) {
  const request = await readRequest(db, usageScopeOf(actor), id);
  if (request === null) return null;
  const decisions = decisionsOf(request.routing);
  const { batch, batchId } = decisions;
  const price = await readPriceList(db, request.priceVersion);
  const paid = price === null || batch === null ? price : atBatchPrice(price, batch.priceMillionths);
  const tier = batch === null ? tierOf(request.routing) : "batch";
  const lines = paid === null ? [] : explainPrice(paid, { ...usageOf(request), serviceTier: tier });
  return {
    request,
    ...decisions,
    /** A colleague's batch is named and has no page for the reader, nor has one that is deleted. */
    mayOpenBatch: batchId !== null && (await isVisibleBatch(db, actor, batchId)),
    lines: lines.length > 0 && sumOfLines(lines) === request.costNanoUsd ? lines : null,
    /** The tier of service whose price that is; undefined: the ordinary one. */
    tier: price?.tiers?.[tier ?? "flex"] === undefined ? undefined : tier,
    isOwn: scopeOf(actor).kind === "own",
    entry: await entryOf(db, actor, request),
  };
}

/** The path of the ledger entry that charges a request, for who may see that wallet. */
async function entryOf(db: Db, actor: Actor, { walletId, entrySeq }: RequestDetail): Promise<string | null> {
  if (entrySeq === null) return null;
  const own = await readOwnFunding(db, actor);
  return own.mayFund && own.walletId === walletId ? `/dashboard/billing/ledger/${entrySeq}` : null;
}

/**
 * Why it went where it went, null where there was nothing to choose, what guardrails found, what webhooks decided, whether it was a
 * line of a supplier's batch, and of which of the client's.
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

/** The tier that answered, as it is stored. */
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
