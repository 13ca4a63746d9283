import type { Caller } from "~/domain/keys/shared";
import { callSupplier, type Reply } from "../call";
import { Call } from "../call-record";
import type { Ask } from "../canonical/ask";
import { route } from "../route";
import { aCaller, fakeDialect, world } from "./fake-suppliers";

export type Ended = { call: Call; reply: Reply | null; problem: unknown };

/** Routes an ask and calls the fake suppliers with it. What was dispatched before is forgotten. */
export async function callWith(
  ask: Ask,
  { caller = aCaller(), headers = {} }: { caller?: Caller; headers?: Record<string, string> } = {},
): Promise<Ended> {
  world.dispatched.length = 0;
  const call = new Call(new Request("http://gw/v1/chat/completions", { method: "POST", headers }));
  try {
    const plan = route(caller, ask, fakeDialect, call);
    return { call, reply: await callSupplier(call, ask, plan, fakeDialect), problem: null };
  } catch (problem) {
    return { call, reply: null, problem };
  } finally {
    call.close();
  }
}
