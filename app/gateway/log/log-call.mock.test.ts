import { expect, test, vi } from "vitest";
import type { Caller } from "~/domain/keys/shared";
import { type Attempts, NO_ATTEMPTS } from "../call/attempts";
import type { Call } from "../call-record";
import type { InferenceRequest } from "../canonical/inference-request";
import type { PricedRoute } from "../route";
import type { Settled } from "../settle";
import { type Known, logCall } from "./log-call";

const log = vi.hoisted(() => ({ lines: [] as string[], wanted: true }));
vi.mock("~/observe/log.server", () => ({
  isCallLogged: () => log.wanted,
  writeLine: (line: string) => log.lines.push(line),
}));

const caller = { publicId: "key_a1", organisationId: 7 } as Caller;
const askFor = (requestedModel: string) =>
  ({ endpoint: "chat/completions", requestedModel, stream: true }) as InferenceRequest;
const known = (more: Partial<Known> = {}): Known => {
  const call = {
    id: "c1",
    clientRequestId: null,
    guardrailHits: [],
    webhookNotes: [],
    elapsedMs: () => 34,
  } as unknown as Call;
  return { call, caller: null, inference: null, ...more };
};
const attempts = { records: [{}, {}], tried: [], firstByteMs: 12 } as unknown as Attempts;

function logged(...about: Parameters<typeof logCall>): Record<string, unknown> {
  log.lines.length = 0;
  logCall(...about);
  expect(log.lines).toHaveLength(1);
  expect(log.lines[0]!.indexOf("\n")).toBe(log.lines[0]!.length - 1);
  return JSON.parse(log.lines[0]!);
}

test("a call is one line of JSON, whatever the client calls its model", () => {
  const model = 'a"b\\c\nd\u2028e\ud800';
  const route = { supplier: { name: 'o"ne', region: "eu" } } as PricedRoute;
  const usage = { inputTokens: 20, outputTokens: 34 };
  const settled = { usage, receipt: { chargedNanoUsd: 1_500n, repeated: false, durable: "database" } } as Settled;
  const { time, ...line } = logged(known({ caller, inference: askFor(model) }), {
    status: 200,
    route,
    settled,
    attempts,
  });
  expect(new Date(time as string).toISOString()).toBe(time);
  expect(line).toEqual({
    ...{ level: "info", call: "c1", key: "key_a1", organisation: 7, endpoint: "chat/completions" },
    ...{ model, stream: true, supplier: 'o"ne', region: "eu", attempts: 2, status: 200 },
    ...{ inputTokens: 20, outputTokens: 34, costUsd: "0.000001500", firstByteMs: 12, ms: 34, msg: "call" },
  });
});

test("whose count is charged, and which is not, where it is not the supplier's", () => {
  const route = { supplier: { name: "one", region: "eu" } } as PricedRoute;
  const usage = { inputTokens: 20, outputTokens: 34 };
  const refused = { outputTokens: 9_000, supplierCostNanoUsd: 5n };
  const receipt = { chargedNanoUsd: 1_500n, repeated: false, durable: "database" };
  const settled = { usage, receipt, source: "estimated", refused } as Settled;
  expect(logged(known(), { status: 200, route, settled, attempts })).toMatchObject({
    outputTokens: 34,
    tokenSource: "estimated",
    refusedUsage: { outputTokens: 9_000 },
  });
});

test("of a call that was refused early, what is known", () => {
  const { time: _, ...line } = logged(known(), {
    ...{ status: 401, route: null, settled: null, attempts: NO_ATTEMPTS },
    errorCode: "invalid_api_key",
  });
  expect(line).toEqual({
    ...{ level: "info", call: "c1", attempts: 0, status: 401, code: "invalid_api_key" },
    ...{ firstByteMs: null, ms: 34, msg: "call" },
  });
});

test("above level info there is no line", () => {
  log.lines.length = 0;
  log.wanted = false;
  logCall(known(), { status: 200, route: null, settled: null, attempts });
  log.wanted = true;
  expect(log.lines).toEqual([]);
});

test("the client's own id of the request stands beside gw's", () => {
  const call = {
    id: "c1",
    clientRequestId: 'a"b\\c',
    guardrailHits: [],
    webhookNotes: [],
    elapsedMs: () => 34,
  } as unknown as Call;
  const end = { status: 200, route: null, settled: null, attempts };
  expect(logged(known({ call }), end)).toMatchObject({ call: "c1", clientRequestId: 'a"b\\c' });
  expect(logged(known(), end)).not.toHaveProperty("clientRequestId");
});

test("what guardrails found is told by what was done, never by what it was", () => {
  const hit = { name: "Codename", by: "key", on: "input", action: "redact", count: 2 } as const;
  const call = {
    id: "c1",
    clientRequestId: null,
    guardrailHits: [hit],
    webhookNotes: [],
    elapsedMs: () => 34,
  } as unknown as Call;
  const end = { status: 200, route: null, settled: null, attempts: NO_ATTEMPTS };
  expect(logged(known({ call }), end).guardrails).toEqual([{ on: "input", action: "redact", count: 2 }]);
});
