import { beforeEach, expect, test, vi } from "vitest";
import { aRoute } from "~/domain/routing/__fixtures__/routes";
import { apiError } from "~/errors/app-error";
import { aCaller, anInferenceRequest, callContext } from "../__fixtures__/fake-suppliers";
import type { AdmittedCall } from "../admit/admission";
import { NO_ATTEMPTS } from "../call/attempts";
import type { StreamEnd } from "../call/live-stream";
import type { Reply } from "../call/reply";
import { Call } from "../call-record";
import { NO_USAGE } from "../canonical/usage";
import type { PricedRoute } from "../route/route-plan";
import { deliver } from ".";
import { saveConversation } from "./keep-conversation";

vi.mock("../settle", () => ({
  settle: async () => ({ usage: NO_USAGE, receipt: { chargedNanoUsd: 0n, repeated: false, durable: "database" } }),
}));
vi.mock("../log/log-call", () => ({ endCall: () => undefined }));
vi.mock("../stored-responses/keep", () => ({ storeResponse: () => undefined }));
vi.mock("./keep-conversation", () => ({ saveConversation: vi.fn() }));
vi.mock("./checkpoint", () => ({ checkpointOf: () => undefined }));
beforeEach(() => void vi.clearAllMocks());

const route = aRoute() as PricedRoute;
const OVER: readonly StreamEnd["kind"][] = ["complete", "client_gone"];
const FAILED: readonly StreamEnd["kind"][] = ["supplier_error", "supplier_cut", "drained", "refused"];

/** Returns the number of conversations handed over for storage after a reply is delivered. */
async function keptOf(reply: Record<string, unknown>): Promise<number> {
  const call = new Call(new Request("http://gw/v1/chat/completions", { method: "POST" }));
  const inquiry = callContext(anInferenceRequest(), { call, caller: aCaller() });
  const dialect = { ...inquiry.dialect, errorEvent: () => Buffer.from("error") };
  const admitted = { ...inquiry, dialect } as unknown as AdmittedCall;
  try {
    const response = await deliver(admitted, { route, attempts: NO_ATTEMPTS, ...reply } as unknown as Reply);
    await response.text();
  } catch {
    // A failed call throws, or ends its stream with an error.
  }
  await new Promise(setImmediate);
  call.close();
  return vi.mocked(saveConversation).mock.calls.length;
}

const streamed = (kind: StreamEnd["kind"]) => ({
  kind: "stream",
  live: {
    connect: () => undefined,
    abort: () => undefined,
    ended: Promise.resolve({ kind, code: null, message: "" }),
    reader: { terminal: Buffer.from("end"), failure: null, usage: null, outputText: () => "half an answer" },
  },
});
const whole = (more: object = {}) => ({
  ...{ kind: "whole", ...more },
  answer: { body: Buffer.from("{}"), usage: null, outputText: () => "an answer" },
});

test.each(OVER)("a stream that ends as %s is stored", async (kind) => {
  expect(await keptOf(streamed(kind))).toBe(1);
});

test.each(FAILED)("a stream that ends as %s has failed, and is not stored", async (kind) => {
  expect(await keptOf(streamed(kind))).toBe(0);
});

test("a whole answer is stored, and none that was refused or never came", async () => {
  expect(await keptOf(whole())).toBe(1);
  vi.clearAllMocks();
  expect(await keptOf(whole({ rejection: apiError("request_rejected") }))).toBe(0);
  expect(await keptOf({ kind: "failed", problem: apiError("upstream_error") })).toBe(0);
});
