import { expect } from "vitest";
import { type Booked, eventually, usageRows } from "../../support/chat-gateway";
import type { Gateway } from "../../support/gateway";
import type { BillEntry, StandIn } from "../../support/stand-in-supplier";
import { priceOf } from "./catalogue";
import type { Ending, Fault } from "./faults";
import { type Protocol, SPOKEN, type Told, textOf } from "./protocols";

/** Compares the answer, the hold and the usage of a call with the settlement matrix. */
export async function expectSettled(
  { gateway, standIn }: { gateway: Gateway; standIn: StandIn },
  protocol: Protocol,
  fault: Fault,
  told: Told,
): Promise<void> {
  expectTold(protocol, fault, told);
  const { hold, usage } = await booked(gateway, told.callId);
  // The supplier may write its bill after the last byte of its answer.
  const bill = await eventually(
    async () => (await standIn.bill()).filter(({ id }) => id === told.callId),
    (entries) => entries.length > 0 || fault.ending !== "exact",
  );
  // At most one attempt, and at most one usage row.
  expect((await standIn.seen(told.callId)).requests.length).toBeLessThanOrEqual(1);
  expect(hold, "the hold").not.toBeNull();
  expect(hold!.absorbed).toBe(0n);
  expect(usage).toHaveLength(hold!.state === "review" ? 0 : 1);
  const [row] = usage;
  if (row !== undefined) {
    expect(row.charged).toBeLessThanOrEqual(hold!.amount);
    expect(row.charged).toBe(row.cost);
    if (hold!.state === "settled") expect(hold!.captured).toBe(row.charged);
    if (hold!.state === "released") expect(row.charged).toBe(0n);
  }
  MATRIX[fault.ending]({ protocol, told, hold: hold!, row, bill });
}

type Seen = {
  protocol: Protocol;
  told: Told;
  hold: NonNullable<Booked["hold"]>;
  row: Booked["usage"][number] | undefined;
  bill: BillEntry[];
};

const MATRIX: Readonly<Record<Ending, (seen: Seen) => void>> = {
  refused: ({ hold, row }) => {
    expect(hold.state).toBe("released");
    expect(row).toMatchObject({ outcome: "not_executed", charged: 0n });
  },
  unpaid: ({ hold, row }) => {
    expect(hold.state).toBe("settled");
    expect(row).toMatchObject({ outcome: "error", charged: 0n });
  },
  unknown: ({ protocol, told, hold, bill }) => {
    expect(hold.state).toBe("review");
    expect(told.headers.get("x-should-retry")).toBe("false");
    // The hold still covers the amount that the supplier may bill later.
    const [asked] = bill;
    if (asked !== undefined) expect(hold.amount).toBeGreaterThanOrEqual(priceOf(protocol.models, asked));
  },
  exact: ({ protocol, hold, row, bill }) => {
    expect(bill).toHaveLength(1);
    expect(hold.state).toBe("settled");
    expect(row).toMatchObject({ outcome: "complete", tokenSource: "supplier", status: 200 });
    expect(row!.charged).toBe(priceOf(protocol.models, bill[0]!));
  },
  counted: ({ hold, row }) => {
    expect(hold.state).toBe("settled");
    expect(row).toMatchObject({ outcome: "complete", tokenSource: "estimated", status: 200 });
    expect(row!.charged).toBeGreaterThan(0n);
    expect(row!.outputTokens).toBeLessThan(100);
  },
  partial: ({ protocol, hold, row }) => {
    expect(hold.state).toBe("settled");
    expect(row!.outcome).toBe("upstream_abort");
    expect(row!.charged).toBeGreaterThan(0n);
    // Speech is charged by the characters of its text, which gw counts exactly.
    if (protocol.shape === "sound") expect(row!.charged).toBe(BigInt(SPOKEN.length) * 15_000n);
    else expect(row!.tokenSource).toBe("estimated");
  },
  reported: ({ hold, row }) => {
    expect(hold.state).toBe("settled");
    expect(row).toMatchObject({ outcome: "upstream_abort", tokenSource: "supplier", outputTokens: 8 });
  },
};

/** Asserts that the client received a valid answer, a valid error, or a valid stream that ends in an error. */
function expectTold({ path, models, shape, violations }: Protocol, { name, ending }: Fault, told: Told): void {
  const isAnswered = ending === "exact" || ending === "counted";
  const isBroken = ending === "partial" || ending === "reported";
  expect(told.callId).toMatch(/^[0-9a-f-]{36}$/);
  if (!isAnswered && !isBroken) {
    expect(told.status).toBeGreaterThanOrEqual(400);
    expect(told.headers.get("content-type")).toMatch(/^application\/json/);
    expect(told.broken).toBe(false);
    expectEnvelope(path, told);
    return;
  }
  expect(told.status).toBe(200);
  if (!passesAsItCame(models, path, name)) expect(violations(told)).toEqual([]);
  if (shape === "sound") expect(told.broken).toBe(isBroken);
  else expect(told.broken).toBe(false);
  if (CONVERSATIONS.has(path)) expectText(name, ending, textOf(told));
  if (shape !== "events") return;
  expect(/\[DONE\]|message_stop|response\.completed/.test(told.body)).toBe(isAnswered);
  expect(/"(?:gateway_)?code":"stream_(error|interrupted)"|response\.failed/.test(told.body)).toBe(isBroken);
}

const CONVERSATIONS = new Set(["/v1/chat/completions", "/v1/messages", "/v1/vendorb/responses"]);

/** Asserts that no word is lost or repeated. */
function expectText(fault: string, ending: Ending, text: string): void {
  if (fault.startsWith("many")) expect(text).toMatch(/^x+$/);
  else if (fault.startsWith("long-line")) expect(text).toBe("y".repeat(Number(fault.split(":")[1])));
  else if (fault === "split-utf8") expect(text).toContain("☃🌨é");
  else if (fault === "usage-early") expect(text).toBe("w0");
  else if (ending === "partial" && fault !== "finish-without-done") expect(text).toBe("w0 w1 w2 w3");
  else expect(text).toBe("w0 w1 w2 w3 w4 w5 w6 w7");
}

/** Whether a fault violates the messages dialect itself, and passes through unchanged to its clients. */
const passesAsItCame = (models: string, path: string, fault: string): boolean =>
  models === "messages" && path === "/v1/messages" && (fault === "usage-early" || fault === "no-usage");

function expectEnvelope(path: string, { status, headers, body }: Told): void {
  expect(body).not.toContain("<");
  const envelope = JSON.parse(body);
  expect(envelope.error.code).toMatch(/^[a-z0-9_]+$/);
  expect(typeof envelope.error.type).toBe("string");
  expect(typeof (envelope.error.message ?? envelope.error.human_message)).toBe("string");
  if (path === "/v1/messages") expect(envelope.type).toBe("error");
  if (status === 429 || status === 503) expect(headers.get("retry-after")).toMatch(/^\d+$/);
}

async function booked(gateway: Gateway, callId: string): Promise<Booked> {
  const read = () => gateway.sql("SELECT state, amount, captured, absorbed FROM hold WHERE id = $1", [callId]);
  const [hold] = await eventually(read, (rows) => rows.length > 0 && !/reserved|dispatched/.test(rows[0].state));
  if (hold === undefined) return { hold: null, usage: await usageRows(gateway, callId) };
  const { state, amount, captured, absorbed } = hold;
  return {
    hold: { state, amount: BigInt(amount), captured: BigInt(captured), absorbed: BigInt(absorbed) },
    usage: await usageRows(gateway, callId),
  };
}
