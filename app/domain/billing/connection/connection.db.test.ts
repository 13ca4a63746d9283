import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { readConfig, setConfig } from "~/config.server";
import { db } from "~/connection/db.server";
import { type BillingBench, openBilling } from "../../../../tests/support/billing";
import type { Thing } from "../../../../tests/support/stand-in-processor/state";
import {
  checkConnection,
  compareEvents,
  emailPaymentProblems,
  handleEvent,
  readConnectionProblems,
  readDeadEvents,
  receiveEvent,
} from "../index.server";
import { NEEDED_TYPES, problemsOf } from "./check";

const never = new AbortController().signal;
const URL_HERE = "http://localhost:3000/api/billing/processor/webhook";
let bench: BillingBench;
beforeAll(async () => {
  bench = await openBilling();
}, 120_000);
afterAll(() => bench?.close());

/** A process that has just started, without proof of the connection. */
beforeEach(async () => {
  setConfig(readConfig(bench.settings));
  bench.processor.state.denied.clear();
  await bench.sql("DELETE FROM processor_problem");
});

async function deliver(event: Thing): Promise<void> {
  const { payload, signature } = bench.processor.signed(event);
  await handleEvent(db(), await receiveEvent(db(), new TextEncoder().encode(payload), signature));
}
const kinds = async () => (await readConnectionProblems(db()))?.map(({ kind }) => kind);
const stateOf = async ({ id }: Thing) =>
  (await bench.sql<{ state: string }>("SELECT state FROM processor_event WHERE id = $1", [id]))[0]?.state;
let count = 0;
/** An event about a payment of another account, which this key cannot see. */
const foreign = (more: Thing = {}): Thing => {
  count += 1;
  const object = { id: `pi_${count}`, object: "payment_intent", metadata: {} };
  const created = Math.floor(Date.now() / 1_000);
  return { id: `evt_${count}`, type: "payment_intent.succeeded", livemode: false, created, data: { object }, ...more };
};
/** An event of another product in gw's own account. */
const neighbour = (): Thing =>
  bench.processor.state.happen("payment_intent.succeeded", { id: "pi_next", metadata: {} });

describe("the check", () => {
  const endpoint = (more: Thing = {}): Thing => ({
    url: "https://gw.example/api/billing/processor/webhook",
    status: "enabled",
    application: null,
    enabled_events: ["*"],
    ...more,
  });

  test("asks for the account's endpoint, and is content with one", async () => {
    bench.processor.state.endpoints.length = 0;
    expect(await checkConnection(db())).toBe(1);
    expect(await readConnectionProblems(db())).toMatchObject([{ kind: "no_endpoint", detail: URL_HERE }]);
    bench.processor.state.endpoints.push(endpoint({ application: "ca_connect" }));
    expect(await checkConnection(db())).toBe(1);
    bench.processor.state.endpoints.push(endpoint());
    expect(await checkConnection(db())).toBe(0);
    expect(await kinds()).toEqual([]);
  });

  test("tells which right a key lacks, and does without that to read endpoints", async () => {
    bench.processor.state.denied.add("webhook_endpoints");
    expect(await checkConnection(db())).toBe(0);
    bench.processor.state.denied.add("events");
    await checkConnection(db());
    expect(await kinds()).toEqual(["rights"]);
  });

  test("tells that the processor does not take the key", async () => {
    setConfig(readConfig({ ...bench.settings, STRIPE_SECRET_KEY: "sk_test_of_yesterday" }));
    await checkConnection(db());
    expect(await kinds()).toEqual(["key"]);
  });

  test("changes nothing while the processor is away, and forgets what was not seen for days", async () => {
    await deliver(foreign({ livemode: true })).catch(() => undefined);
    await bench.sql("UPDATE processor_problem SET seen_at = app_now() - interval '4 days'");
    setConfig(readConfig({ ...bench.settings, STRIPE_API_BASE: "http://127.0.0.1:9" }));
    await checkConnection(db());
    expect(await kinds()).toEqual(["other_mode"]);
    setConfig(readConfig(bench.settings));
    await checkConnection(db());
    expect(await kinds()).toEqual([]);
  }, 60_000);

  test.each([
    ["an endpoint for everything", [endpoint()], []],
    ["one for what gw needs", [endpoint({ enabled_events: NEEDED_TYPES })], []],
    [
      "two that share it",
      [endpoint({ enabled_events: NEEDED_TYPES.slice(0, 2) }), endpoint({ enabled_events: NEEDED_TYPES.slice(2) })],
      [],
    ],
    ["one for half of it", [endpoint({ enabled_events: NEEDED_TYPES.slice(1) })], ["events_missing"]],
    ["one that is off", [endpoint({ status: "disabled" })], ["endpoint_disabled"]],
    ["one that is off beside one that is on", [endpoint({ status: "disabled" }), endpoint()], []],
    ["none", [], ["no_endpoint"]],
  ])("of %s", (_, endpoints, expected) => {
    const found = problemsOf(endpoints as never, { url: URL_HERE, isDelivered: false });
    expect(found.map(({ kind }) => kind)).toEqual(expected);
  });

  test("of none is content where events come all the same, by a relay", () => {
    expect(problemsOf([], { url: URL_HERE, isDelivered: true })).toEqual([]);
  });
});

describe("the first events", () => {
  test("of another account than the key's are told of, and no more once one of its own comes", async () => {
    await deliver(foreign());
    expect(await kinds()).toEqual(["other_account"]);
    await deliver(foreign());
    expect(await kinds()).toEqual(["other_account"]);
    await deliver(neighbour());
    expect(await kinds()).toEqual([]);
  });

  test("about another product of the same account prove that key and endpoint belong together", async () => {
    await deliver(neighbour());
    expect(await kinds()).toEqual([]);
    bench.processor.state.denied.add("events");
    await deliver(foreign());
    expect(await kinds()).toEqual([]);
  });

  test("about a payment of gw's prove it without asking", async () => {
    bench.processor.state.denied.add("events");
    const { sessionId } = await bench.aCheckout(await bench.anAdmin(), 10n);
    await deliver(bench.processor.state.pay(sessionId));
    await deliver(foreign());
    expect(await kinds()).toEqual([]);
  });

  test("with a key that may not read events tell which right it lacks", async () => {
    bench.processor.state.denied.add("events");
    await deliver(neighbour());
    expect(await readConnectionProblems(db())).toMatchObject([
      { kind: "rights", detail: expect.stringContaining("rak_event_read") },
    ]);
  });
});

describe("an event", () => {
  test("of the other mode is refused and told of", async () => {
    await expect(deliver(foreign({ livemode: true }))).rejects.toMatchObject({ code: "invalid_request" });
    expect(await kinds()).toEqual(["other_mode"]);
  });

  test("that is thin is refused and told of", async () => {
    const thin = { id: "evt_thin", object: "v2.core.event", type: "v1.charge.refunded", livemode: false };
    await expect(deliver({ ...thin, created: "2026-11-30T12:00:00Z" })).rejects.toMatchObject({
      code: "invalid_request",
    });
    expect(await kinds()).toEqual(["thin_events"]);
  });

  test.each([true, false])("of a connected account is taken and ignored, livemode %s", async (livemode) => {
    const event = foreign({ account: "acct_connected", livemode });
    await deliver(event);
    expect(await stateOf(event)).toBe("ignored");
    expect(await kinds()).toEqual([]);
  });

  test("of a connected account that names a payment of gw's credits nothing", async () => {
    const admin = await bench.anAdmin();
    const { id, sessionId } = await bench.aCheckout(admin, 10n);
    await bench.sql("UPDATE payment SET session_id = NULL WHERE id = $1", [id]);
    const paid = bench.processor.state.pay(sessionId);
    await deliver({ ...paid, id: "evt_of_a_stranger", account: "acct_connected" });
    expect(await bench.standing(admin.walletId)).toEqual({ wallet: 0n, owed: 0n });
    await deliver(paid);
    expect(await bench.standing(admin.walletId)).toEqual({ wallet: 10_000_000_000n, owed: 0n });
    expect(await readDeadEvents(db())).toEqual([]);
  });
});

test("events that had to be fetched are told of until a day passes without any; young ones may be on their way", async () => {
  const refund = () => bench.processor.state.happen("refund.created", { id: "re_1", amount: 1, currency: "usd" });
  await compareEvents(db(), never);
  refund();
  await compareEvents(db(), never);
  expect(await kinds()).toEqual([]);
  refund().created -= 7_200;
  await compareEvents(db(), never);
  expect(await readConnectionProblems(db())).toMatchObject([{ kind: "undelivered", detail: "refund.created" }]);
  await compareEvents(db(), never);
  expect(await kinds()).toEqual([]);
});

test("those who run the installation are told of a problem once", async () => {
  await bench.anAdmin("owner");
  const told: unknown[] = [];
  const tell = () => emailPaymentProblems(db(), async (_, __, { connection }) => void told.push(connection));
  await tell();
  told.length = 0;
  await deliver(foreign({ livemode: true })).catch(() => undefined);
  await tell();
  await deliver(foreign({ livemode: true })).catch(() => undefined);
  await tell();
  expect(told).toEqual([1]);
});

test("without a processor there is nothing to be wrong", async () => {
  setConfig(readConfig({}));
  expect(await checkConnection(db())).toBe(0);
  expect(await readConnectionProblems(db())).toBeNull();
});
