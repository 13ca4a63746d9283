import type { AttemptRecord, Parties } from "~/domain/accounting/shared";
import type { WebhookNote } from "~/domain/guardrails/shared";
import type { AllowedRoutes, PricedRoute } from "~/domain/routing/index.server";
import { AppError } from "~/errors/app-error";
import { parseLongJson } from "~/http/body/json/parse-json";
import type { AdmittedCall } from "../admit";
import { boundsOf } from "../admit/bounds";
import type { Attempts } from "../call";
import { attemptEnd } from "../call/classify-failure";
import type { Reply } from "../call/reply";
import type { CallContext } from "../call-context";
import type { Call } from "../call-record";
import type { InferenceRequest } from "../canonical/inference-request";
import { SupplierFailure } from "../canonical/supplier-failure";
import { deliver } from "../deliver";
import type { Translator } from "../dialects/dialect";
import { translatorFor } from "../dialects/translators";
import { guardedAsSent, guardOutput } from "../guard";
import { refuse } from "../refuse";
import { lockOf } from "../route/lock";
import { planOf, type RoutePlan } from "../route/route-plan";
import { withStored } from "../stored-responses/resolve";
import { adapterOf } from "../suppliers/registry";
import { readFailure } from "../suppliers/toolkit/read-failure";
import { type DeferredCall, openCall } from "./deferred-call";

/**
 * A deferred call as it was sent: its payer, its route at the price frozen with its hold, and the earlier decisions of
 * guardrail webhooks.
 */
export type SentCall = { parties: Parties; route: PricedRoute; webhookNotes: readonly WebhookNote[] | null };

/** Result of a deferred call: a supplier's answer, or the failure. */
export type DeferredAnswer = { status: number; body: Buffer } | SupplierFailure;

/**
 * Second half of a deferred call. Reads, guards and settles its answer like every other, and returns the response that
 * a client would have got. May be repeated: the call is charged once.
 * @throws AppError supplier_settlement_failed if nothing could be settled; the caller must then repeat it
 */
export async function finishDeferred(
  deferredCall: DeferredCall,
  { parties, route, webhookNotes }: SentCall,
  answer: DeferredAnswer,
): Promise<Response> {
  const { caller, dialect, body } = deferredCall;
  const read = dialect.read(body, await parseLongJson(body));
  const inference = await Promise.resolve(withStored(read, caller)).catch(() => read);
  const call = openCall(deferredCall);
  try {
    call.webhookNotes.push(...(webhookNotes ?? []));
    const context = { call, caller, inference, dialect, sessionId: inference.sessionId, claim: null };
    const plan = planBy(context, route);
    const bounds = boundsOf(inference, plan);
    const admission = { parties, held: true, isFree: false, bounds, priceVersion: route.price.version, inference };
    // An error up to this point settles nothing, and the caller repeats the whole.
    const admitted = await guardedAsSent({ ...context, plan, admission });
    const reply = await guardOutput(admitted, await replyOf(context, route, answer));
    return await delivered(admitted, reply);
  } finally {
    call.close();
  }
}

async function delivered(admitted: AdmittedCall, reply: Reply): Promise<Response> {
  const { call, caller, inference, dialect } = admitted;
  try {
    return await deliver(admitted, reply);
  } catch (error) {
    if (error instanceof AppError && error.code === "supplier_settlement_failed") throw error;
    return refuse({ call, caller, inference, dialect, attempts: reply.attempts }, error);
  }
}

/** Rebuilds the plan of the sent call without checks: its route was allowed then, and nothing is sent now. */
function planBy({ caller, inference, dialect }: CallContext, route: PricedRoute): RoutePlan {
  const routes = [route] as unknown as AllowedRoutes;
  return planOf(route.model, {
    considered: routes,
    lock: lockOf(caller, inference, dialect),
    order: { routes, session: null, pin: null, pinnedCredential: null, standings: new Map() },
    auto: null,
  });
}

async function replyOf(
  { call, inference, dialect }: CallContext,
  route: PricedRoute,
  answer: DeferredAnswer,
): Promise<Reply> {
  const spoken = adapterOf(route.supplier)?.speaks(dialect.name, route) ?? null;
  const translator = spoken === null ? undefined : translatorFor(dialect.name, spoken);
  try {
    const answerBody = await readBy(translator, { inference, route }, answer);
    return { kind: "whole", route, answer: answerBody, attempts: attemptsOf(call, route, null) };
  } catch (error) {
    const failure = error instanceof SupplierFailure ? (translator?.translateError?.(error) ?? error) : null;
    return { kind: "failed", problem: failure ?? error, attempts: attemptsOf(call, route, failure) };
  }
}

function readBy(
  translator: Translator | undefined,
  { inference, route }: { inference: InferenceRequest; route: PricedRoute },
  answer: DeferredAnswer,
) {
  if (answer instanceof SupplierFailure) throw answer;
  const { status, body } = answer;
  if (status < 200 || status >= 300) throw readFailure({ status, headers: {}, body });
  if (translator === undefined)
    throw new SupplierFailure("protocol", "the supplier's answer is in a format that is not known", {
      executed: "yes",
    });
  return translator.readAnswer(inference, body, route);
}

/** Returns a single attempt without its hours of waiting for the supplier's batch. */
function attemptsOf(call: Call, { supplier, upstreamModel }: PricedRoute, failure: SupplierFailure | null): Attempts {
  const record: AttemptRecord = {
    supplier: supplier.name,
    region: supplier.region,
    upstreamModel,
    startedMs: 0,
    endedMs: call.elapsedMs(),
    ...attemptEnd(failure),
  };
  return { records: [record], tried: [], firstByteMs: null };
}
