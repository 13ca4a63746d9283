import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eventually } from "../../support/chat-gateway";
import { freePort, type Gateway, startGateway } from "../../support/gateway";
import { type StandIn, startStandIn } from "../../support/stand-in-supplier";
import { catalogueFor } from "../faults/catalogue";
import { ask, PROTOCOLS } from "../faults/protocols";

/** Maximum growth of gw's memory in MB: for a stream of any length, and for one event up to its limit of 64 MiB. */
const MAX_MB = 32;
const MAX_EVENT_MB = 160;

let standIn: StandIn;
let gateway: Gateway;
let key: string;
beforeAll(async () => {
  standIn = await startStandIn();
  gateway = await startGateway({ config: catalogueFor(standIn.url, await freePort()) });
  key = (await gateway.createKey({ budget_limit: 10_000, budget_period: "monthly" })).key;
});
afterAll(async () => {
  await gateway?.close();
  await standIn?.close();
});

async function residentMb(): Promise<number> {
  const status = await readFile(`/proc/${gateway.process.pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)![1]) / 1024;
}

/** Returns the peak growth of the gateway's memory during a run. */
async function riseDuring(run: () => Promise<unknown>): Promise<number> {
  const before = await residentMb();
  let peak = before;
  let running = true;
  const watching = (async () => {
    for (; running; await new Promise((resolve) => setTimeout(resolve, 10))) peak = Math.max(peak, await residentMb());
  })();
  try {
    await run();
  } finally {
    running = false;
    await watching;
  }
  return peak - before;
}

const streams = PROTOCOLS.filter(({ shape }) => shape === "events");

describe.runIf(process.platform === "linux").each(streams)("$name", (protocol) => {
  const play = (name: string) => ask({ url: gateway.url, key }, protocol, { name, ending: "exact" });

  test("a line beyond 64 MiB is left there, and memory rises by no more than that", async () => {
    for (let warm = 0; warm < 3; warm += 1) expect((await play("long-line:4194304")).status).toBe(200);
    await standIn.forget();
    const rise = await riseDuring(async () => expect((await play("long-line:100663296")).status).toBe(502));
    expect(rise).toBeLessThan(MAX_EVENT_MB);
    // The supplier's connection is released, even if the supplier has not sent everything by then.
    const { inFlight } = await eventually(
      () => standIn.seen(),
      (seen) => seen.inFlight === 0,
    );
    expect(inFlight).toBe(0);
  });

  test("a long stream of tiny events passes, and memory stays as it is", async () => {
    for (let warm = 0; warm < 3; warm += 1) await play("many:20000");
    const rise = await riseDuring(async () => expect((await play("many:100000")).status).toBe(200));
    expect(rise).toBeLessThan(MAX_MB);
  });
});
