import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eventually, expectCleanBooks, usageRows } from "../../support/chat-gateway";
import { freePort, type Gateway, startGateway } from "../../support/gateway";
import { type StandIn, startStandIn } from "../../support/stand-in-supplier";
import { catalogueFor } from "./catalogue";
import { faultsOf, resetsAt } from "./faults";
import { ask, PROTOCOLS, textOf } from "./protocols";
import { expectSettled } from "./settlement";

/** `npm run test:faults` repeats every cell and includes the slow ones. */
const REPEATS = Number(process.env.FAULT_REPEATS ?? 1);
const WITH_SLOW = REPEATS > 1;

let standIn: StandIn;
let gateway: Gateway;
let key: string;
let calls = 0;
beforeAll(async () => {
  standIn = await startStandIn();
  await standIn.plan({ tokens: [8, 8] });
  gateway = await startGateway({ config: catalogueFor(standIn.url, await freePort(), resetsAt(REPEATS)) });
  key = (await gateway.createKey({ budget_limit: 10_000, budget_period: "monthly" })).key;
});
afterAll(async () => {
  await gateway?.close();
  await standIn?.close();
});

for (const protocol of PROTOCOLS) {
  const faults = faultsOf(protocol.shape)
    .filter(({ slow }) => WITH_SLOW || !slow)
    .map((fault) => ({ ...fault, ending: protocol.endings?.[fault.name] ?? fault.ending }));
  describe.concurrent(protocol.name, () => {
    test.each(faults)("$name is $ending", { timeout: 60_000 * REPEATS }, async (fault) => {
      for (let run = 0; run < (fault.slow ? 1 : REPEATS); run += 1) {
        const told = await ask({ url: gateway.url, key }, protocol, fault);
        await expectSettled({ gateway, standIn }, protocol, fault, told);
        calls += 1;
      }
    });
  });
}

describe.each(PROTOCOLS.filter(({ shape }) => shape === "events"))("$name, reset at any byte", (protocol) => {
  test("one dispatch, at most one usage row, valid as far as it came, and nothing is paid that was not seen", async () => {
    const answers = await Promise.all(
      resetsAt(REPEATS).map((fault) => ask({ url: gateway.url, key }, protocol, fault)),
    );
    for (const told of answers) {
      const [hold] = await eventually(
        () => gateway.sql("SELECT state FROM hold WHERE id = $1", [told.callId]),
        (rows) => rows.length > 0 && !/reserved|dispatched/.test(rows[0].state),
      );
      const usage = await usageRows(gateway, told.callId);
      expect(usage).toHaveLength(hold.state === "review" ? 0 : 1);
      expect((await standIn.seen(told.callId)).requests).toHaveLength(1);
      calls += 1;
      if (told.status !== 200) continue;
      expect(protocol.violations(told)).toEqual([]);
      expect("w0 w1 w2 w3 w4 w5 w6 w7".startsWith(textOf(told))).toBe(true);
      if (usage[0]!.charged === 0n) expect(textOf(told)).toBe("");
    }
  });
});

describe("afterwards", () => {
  test("the books are in order, and no hold is open", async () => {
    await expectCleanBooks(gateway);
    expect(await gateway.sql("SELECT id FROM hold WHERE state IN ('reserved', 'dispatched')")).toEqual([]);
  });

  test("every call has at most one usage row, and all of them together are what was asked", async () => {
    await eventually(
      () => gateway.sql("SELECT 1 FROM unposted_turn"),
      (left) => left.length === 0,
    );
    const [rows] = await gateway.sql(
      "SELECT count(*)::int AS n, count(DISTINCT request_id)::int AS calls FROM usage_event",
    );
    const [review] = await gateway.sql("SELECT count(*)::int AS n FROM hold WHERE state = 'review'");
    expect(rows.n).toBe(rows.calls);
    expect(rows.n + review.n).toBe(calls);
  });

  test("no work is left at the supplier, and no connection stays open", async () => {
    const { inFlight, sockets } = await eventually(
      () => standIn.seen("none"),
      (seen) => seen.inFlight === 0 && seen.sockets === 0,
      15_000,
    );
    expect({ underWay: inFlight, sockets }).toEqual({ underWay: 0, sockets: 0 });
  });

  test("the gateway has thrown nothing that it did not expect", () => {
    expect(gateway.output()).not.toMatch(/unexpected problem|uncaught|unhandled/i);
  });
});
