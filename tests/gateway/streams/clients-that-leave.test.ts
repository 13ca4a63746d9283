import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eventually, pause, usageRows } from "../../support/chat-gateway";
import { freePort, type Gateway, startGateway } from "../../support/gateway";
import { type StandIn, startStandIn } from "../../support/stand-in-supplier";
import { fractionOf } from "../../support/stand-in-supplier/random.mjs";
import { catalogueFor, priceOf } from "../faults/catalogue";
import { modelName, PROTOCOLS, type Protocol } from "../faults/protocols";

const SEED = process.env.SEED ?? String(Date.now() % 1_000_000);
const RUNS = 12;

let standIn: StandIn;
let gateway: Gateway;
let key: string;
beforeAll(async () => {
  standIn = await startStandIn();
  gateway = await startGateway({ config: catalogueFor(standIn.url, await freePort()) });
  key = (await gateway.createKey({ budget_limit: 10_000, budget_period: "monthly" })).key;
  // The first calls only warm up the process.
  for (const protocol of PROTOCOLS) await (await send(protocol)).text();
  await standIn.plan({ tokens: [200, 200], paceMs: [15, 15], delayMs: [0, 0] });
});
afterAll(async () => {
  await gateway?.close();
  await standIn?.close();
});

function send({ path, models, body }: Protocol, signal?: AbortSignal): Promise<Response> {
  const content = body(modelName(models, "ok"));
  const isForm = content instanceof FormData;
  return fetch(`${gateway.url}${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, ...(isForm ? {} : { "content-type": "application/json" }) },
    body: isForm ? content : JSON.stringify(content),
    signal,
  });
}

/** Sends a request and disconnects after a random time. */
async function leave(protocol: Protocol, run: number): Promise<void> {
  const controller = new AbortController();
  const answered = send(protocol, controller.signal)
    .then((response) => response.arrayBuffer())
    .catch(() => undefined);
  await pause(50 + fractionOf(`${SEED}/${protocol.name}/${run}`) * 600);
  controller.abort();
  await answered;
}

describe.each(PROTOCOLS)(`$name (SEED=${SEED})`, (protocol) => {
  test(`${RUNS} clients leave: the supplier is let go, and each call is booked once`, async () => {
    await standIn.plan({
      tokens: [200, 200],
      paceMs: [15, 15],
      delayMs: protocol.shape === "whole" ? [1_000, 1_500] : [0, 0],
    });
    await standIn.forget();
    await Promise.all(Array.from({ length: RUNS }, (_, run) => leave(protocol, run)));
    const { requests } = await eventually(
      () => standIn.seen(),
      ({ inFlight }) => inFlight === 0,
    );
    expect(requests.length).toBeGreaterThan(0);
    for (const { id, endedAt } of requests) {
      expect(endedAt).not.toBeNull();
      const [hold] = await eventually(
        () => gateway.sql("SELECT state, amount, absorbed FROM hold WHERE id = $1", [id]),
        (rows) => rows.length > 0 && !/reserved|dispatched/.test(rows[0].state),
      );
      const usage = await usageRows(gateway, id);
      expect(usage).toHaveLength(hold.state === "review" ? 0 : 1);
      expect(BigInt(hold.absorbed)).toBe(0n);
      if (usage.length === 0) continue;
      expect(["client_abort", "complete"]).toContain(usage[0]!.outcome);
      await expectFair(protocol, id, usage[0]!.charged);
    }
  });
});

/** Asserts that the charge is close to the supplier's price; it is not equal, because gw counts tokens itself. */
async function expectFair({ models, shape }: Protocol, id: string, charged: bigint): Promise<void> {
  if (charged === 0n || shape !== "events") return;
  const bill = await eventually(
    () => standIn.bill(),
    (entries) => entries.some((entry) => entry.id === id),
  );
  const cost = bill.filter((entry) => entry.id === id).reduce((sum, entry) => sum + priceOf(models, entry), 0n);
  expect(charged).toBeLessThanOrEqual(3n * cost + priceOf(models, { promptTokens: 50, completionTokens: 10 }));
}

test("the books are in order", async () => {
  expect(await gateway.sql("SELECT * FROM ledger_audit")).toEqual([]);
  expect(await gateway.sql("SELECT id FROM hold WHERE state IN ('reserved', 'dispatched')")).toEqual([]);
  expect(gateway.output()).not.toMatch(/unexpected problem|uncaught|unhandled/i);
});
