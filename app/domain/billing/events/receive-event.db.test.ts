import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { db } from "~/connection/db.server";
import { AppError } from "~/errors/app-error";
import { type BillingBench, openBilling } from "../../../../tests/support/billing";
import { applyEvent, readDeadEvents, receiveEvent } from "../index.server";

let bench: BillingBench;
beforeAll(async () => {
  bench = await openBilling();
}, 120_000);
afterAll(() => bench?.close());

const good = { id: "evt_1", type: "charge.refunded", livemode: false, created: 1_790_000_000, data: { object: {} } };

/** Delivers a body that the processor has signed; returns the error's code, or null when the event is recorded. */
async function deliver(body: unknown): Promise<string | null> {
  const { payload, signature } = bench.processor.signed(body as object);
  try {
    const { id } = await receiveEvent(db(), new TextEncoder().encode(payload), signature);
    await applyEvent(db(), id);
    return null;
  } catch (error) {
    if (error instanceof AppError) return error.code;
    throw error;
  }
}
const onRecord = async () => (await bench.sql<{ n: number }>("SELECT count(*)::int AS n FROM processor_event"))[0]?.n;

describe("what the processor has signed", () => {
  test.each<[string, unknown]>([
    ["null", null],
    ["a number", 7],
    ["a text", "event"],
    ["a list", [good]],
    ["nothing", {}],
    ["an id that is a number", { ...good, id: 7 }],
    ["an id of 5,000 letters", { ...good, id: "e".repeat(5_000) }],
    ["an empty id", { ...good, id: "" }],
    ["a NUL in the id", { ...good, id: "evt_\u0000" }],
    ["half a character in the id", { ...good, id: "evt_\ud800" }],
    ["a NUL in the type", { ...good, type: "charge\u0000" }],
    ["no type", { ...good, type: undefined }],
    ["a time beyond all calendars", { ...good, created: 1e18 }],
    ["a time before the first", { ...good, created: -1 }],
    ["half a second", { ...good, created: 0.5 }],
    ["a time in words", { ...good, created: "today" }],
    ["a mode in words", { ...good, livemode: "false" }],
    ["no data", { ...good, data: undefined }],
    ["data that is a list", { ...good, data: null }],
  ])("and is no event is refused as bad input, and not on record: %s", async (_, body) => {
    const before = await onRecord();
    expect(await deliver(body)).toBe("invalid_request");
    expect(await onRecord()).toBe(before);
  });

  test.each<[string, unknown]>([
    ["a NUL", { payment_intent: "pi_\u0000", amount_refunded: 1, currency: "usd" }],
    ["half a character", { payment_intent: "pi_\udfff", amount_refunded: 1, currency: "usd" }],
    ["an amount beyond all banks", { payment_intent: "pi_1", amount_refunded: 1e300, currency: "usd" }],
    ["an amount below nothing", { payment_intent: "pi_1", amount_refunded: -1, currency: "usd" }],
    ["a list", []],
    ["null", null],
  ])("and cannot be read is on record for a person to look at: %s", async (what, object) => {
    const id = `evt_unreadable_${what.replaceAll(" ", "_")}`;
    expect(await deliver({ ...good, id, data: { object } })).toBeNull();
    expect(await readDeadEvents(db())).toContainEqual(
      expect.objectContaining({ id, error: "the event is not shaped as expected" }),
    );
  });

  test.each(["constructor", "toString", "__proto__", "hasOwnProperty"])(
    "and is of a type that only an object has says nothing: %s",
    async (type) => {
      const id = `evt_of_${type}`;
      const body = JSON.stringify({ ...good, id, data: { object: { secret: "of a customer" } } });
      expect(await deliver(JSON.parse(body.replace("charge.refunded", type)))).toBeNull();
      expect(await bench.sql("SELECT state, facts FROM processor_event WHERE id = $1", [id])).toEqual([
        { state: "ignored", facts: null },
      ]);
    },
  );

  test("in any shape is on record or refused as bad input, and never an error of gw", async () => {
    const odd = fc.oneof(
      fc.anything({ maxDepth: 3, withNullPrototype: false }),
      fc.constantFrom(null, [], {}, -1, 1e18, "", "\u0000", "\ud800", "e".repeat(5_000), "constructor", { id: {} }),
    );
    const types = [
      "checkout.session.completed",
      "charge.refunded",
      "charge.dispute.created",
      "payment_intent.succeeded",
    ];
    const object = fc.record(
      {
        ...{ id: odd, mode: odd, metadata: odd, payment_status: odd, amount: odd, amount_refunded: odd, currency: odd },
        ...{ payment_intent: odd, status: odd, amount_total: odd, total_details: odd, last_payment_error: odd },
      },
      { requiredKeys: [] },
    );
    const event = fc.record({
      id: fc.oneof({ weight: 5, arbitrary: fc.uuid() }, odd),
      type: fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...types) }, odd),
      livemode: fc.oneof({ weight: 5, arbitrary: fc.constant(false) }, odd),
      created: fc.oneof({ weight: 5, arbitrary: fc.constant(1_790_000_000) }, odd),
      data: fc.oneof({ weight: 5, arbitrary: fc.record({ object }) }, odd),
    });
    const body = fc.oneof({ weight: 9, arbitrary: event }, odd).map((value) => {
      try {
        return JSON.parse(
          JSON.stringify(value, (_, each) => (typeof each === "bigint" ? String(each) : each)) ?? "null",
        );
      } catch {
        return null;
      }
    });
    await fc.assert(
      fc.asyncProperty(body, async (each) => {
        expect([null, "invalid_request"]).toContain(await deliver(each));
      }),
      { numRuns: Number(process.env.RUNS ?? 300) },
    );
  }, 120_000);
});
