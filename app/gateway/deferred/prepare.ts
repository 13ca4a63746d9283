import type { WebhookNote } from "~/domain/guardrails/shared";
import { atBatchPrice } from "~/domain/pricing/index.server";
import { apiError } from "~/errors/app-error";
import { parseLongJson } from "~/http/body/json/parse-json";
import { type AdmittedCall, admit } from "../admit";
import { NO_ATTEMPTS } from "../call";
import type { WireName } from "../canonical/exchange";
import type { Guarded } from "../canonical/guarded";
import type { InferenceRequest } from "../canonical/inference-request";
import { deliver } from "../deliver";
import { translatorFor } from "../dialects/translators";
import { guardInput, outgoingBody } from "../guard";
import { refuse } from "../refuse";
import { type RoutePlan, route } from "../route";
import { TokenBudget } from "../settle/estimate";
import { withStored } from "../stored-responses/resolve";
import { adapterOf } from "../suppliers/registry";
import { type DeferredCall, openCall } from "./deferred-call";

/** Outcome of the preparation; `elsewhere`: the call may not use this route now. Only a `ready` call has a hold. */
export type Prepared =
  | { kind: "ready"; dialect: WireName; body: string & Guarded; webhookNotes: readonly WebhookNote[] }
  | { kind: "refused"; response: Response }
  | { kind: "elsewhere" };

/**
 * First half of a deferred call, in the stages of every other: route, hold and guardrails. A `ready` call has its hold,
 * at the batch price; a caller that does not send it must release that hold. Never rejects.
 */
export async function prepareDeferred(
  deferredCall: DeferredCall,
  by: { routeId: number; priceVersion: number },
): Promise<Prepared> {
  const { caller, dialect, body } = deferredCall;
  const call = openCall(deferredCall);
  let inference: InferenceRequest | null = null;
  try {
    inference = await withStored(dialect.read(body, await parseLongJson(body)), caller);
    const context = { call, caller, inference, dialect, sessionId: inference.sessionId, claim: null };
    const plan = planBy(route(context), by.routeId, deferredCall);
    if (plan === null) return { kind: "elsewhere" };
    if (plan.routes[0]!.price.version !== by.priceVersion)
      throw apiError("service_unavailable", { userMessage: "The price has changed meanwhile." });
    const admission = await admit(context, plan);
    return await prepared({ ...context, inference: admission.inference, plan, admission });
  } catch (error) {
    return { kind: "refused", response: refuse({ call, caller, inference, dialect, attempts: NO_ATTEMPTS }, error) };
  } finally {
    inference?.release?.();
    call.close();
  }
}

/** Reduces the plan to one route at the batch price; null if that route may not be used. */
function planBy(plan: RoutePlan, routeId: number, { deferred }: DeferredCall): RoutePlan | null {
  const chosen = plan.routes.find((each) => each.routeId === routeId);
  if (chosen === undefined) return null;
  return { ...plan, routes: [{ ...chosen, price: atBatchPrice(chosen.price, deferred.batch.priceMillionths) }] };
}

async function prepared(admitted: AdmittedCall): Promise<Prepared> {
  try {
    const { inference, dialect, plan } = await guardInput(admitted);
    const by = plan.routes[0]!;
    const budget = new TokenBudget();
    await dialect.verify?.(inference, (text, enough) => budget.count(text, enough));
    const spoken = adapterOf(by.supplier)?.speaks(dialect.name, by) ?? null;
    const translator = spoken === null ? undefined : translatorFor(dialect.name, spoken);
    const body = translator === undefined ? undefined : outgoingBody(translator, inference, { route: by });
    if (spoken === null || typeof body !== "string") throw apiError("no_providers_available");
    return { kind: "ready", dialect: spoken, body, webhookNotes: admitted.call.webhookNotes };
  } catch (error) {
    // Settles the call as not executed; `deliver` throws its error.
    return {
      kind: "refused",
      response: await deliver(admitted, { kind: "failed", problem: error, attempts: NO_ATTEMPTS }),
    };
  }
}
