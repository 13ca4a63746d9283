import type { Caller } from "~/domain/keys/shared";
import { type Attempts, callSupplier, NO_ATTEMPTS } from "../call";
import type { LiveStream } from "../call/live-stream";
import { Call } from "../call-record";
import type { InferenceRequest } from "../canonical/inference-request";
import { guardInput } from "../guard";
import { type PricedRoute, route } from "../route";
import type { RoutePlan } from "../route/route-plan";
import { aCaller, callContext, world } from "./fake-suppliers";

export type Ended = {
  plan: RoutePlan | null;
  attempts: Attempts;
  reply: { route: PricedRoute; live?: LiveStream } | null;
  problem: unknown;
};

/** Routes a request and calls the fake suppliers with it. Clears the earlier dispatches. */
export async function callWith(
  inference: InferenceRequest,
  { caller = aCaller(), headers = {} }: { caller?: Caller; headers?: Record<string, string> } = {},
): Promise<Ended> {
  world.dispatched.length = 0;
  const call = new Call(new Request("http://gw/v1/chat/completions", { method: "POST", headers }));
  const inquiry = callContext(inference, { call, caller });
  let plan: RoutePlan | null = null;
  try {
    plan = route(inquiry);
    const reply = await callSupplier(await guardInput(inquiry), plan);
    const { attempts } = reply;
    if (reply.kind === "failed") return { plan, attempts, reply: null, problem: reply.problem };
    return { plan, attempts, reply, problem: null };
  } catch (error) {
    return { plan, attempts: NO_ATTEMPTS, reply: null, problem: error };
  } finally {
    call.close();
  }
}
