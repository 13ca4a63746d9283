import type { Caller } from "~/domain/keys/shared";
import { type Attempts, callSupplier, NO_ATTEMPTS } from "../call";
import type { LiveStream } from "../call/live-stream";
import { Call } from "../call-record";
import type { Ask } from "../canonical/ask";
import { type PricedLane, route } from "../route";
import type { Plan } from "../route/plan";
import { aCaller, asked, world } from "./fake-suppliers";

export type Ended = {
  plan: Plan | null;
  attempts: Attempts;
  reply: { lane: PricedLane; live?: LiveStream } | null;
  problem: unknown;
};

/** Routes an ask and calls the fake suppliers with it. What was dispatched before is forgotten. */
export async function callWith(
  ask: Ask,
  { caller = aCaller(), headers = {} }: { caller?: Caller; headers?: Record<string, string> } = {},
): Promise<Ended> {
  world.dispatched.length = 0;
  const call = new Call(new Request("http://gw/v1/chat/completions", { method: "POST", headers }));
  const inquiry = asked(ask, { call, caller });
  let plan: Plan | null = null;
  try {
    plan = route(inquiry);
    const reply = await callSupplier(inquiry, plan);
    const { attempts } = reply;
    if (reply.kind === "failed") return { plan, attempts, reply: null, problem: reply.problem };
    return { plan, attempts, reply, problem: null };
  } catch (problem) {
    return { plan, attempts: NO_ATTEMPTS, reply: null, problem };
  } finally {
    call.close();
  }
}
