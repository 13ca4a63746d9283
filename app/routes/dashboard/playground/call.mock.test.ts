import { beforeEach, expect, test, vi } from "vitest";
import { readConfig, setConfig } from "~/config.server";
import type { Actor } from "~/domain/accounts/shared";
import { reservePlayground, settlePlayground } from "~/domain/payers/index.server";
import { aRoute } from "~/domain/routing/__fixtures__/routes";
import { NO_USAGE } from "~/gateway/canonical/usage";
import type { InternalCall } from "~/gateway/in-process";
import { callModel } from "./call.server";
import type { PlaygroundCall } from "./chat-body";

type End = Parameters<InternalCall["ended"]>[0];

const served = vi.hoisted(() => ({ request: null as Request | null, inProcess: null as InternalCall | null }));
vi.mock("~/connection/db.server", () => ({ db: () => null }));
vi.mock("~/domain/keys/index.server", () => ({ callerOfOwnKey: async () => ({}) }));
vi.mock("~/domain/payers/index.server", () => ({ reservePlayground: vi.fn(), settlePlayground: vi.fn() }));
vi.mock("~/gateway/dialects/chat", () => ({ chatDialect: {} }));
vi.mock("~/gateway/serve.server", () => ({
  serve: async (request: Request, _dialect: unknown, inProcess: InternalCall) => {
    Object.assign(served, { request, inProcess });
    await inProcess.reserve(1_000n);
    return new Response("data: {}\n\n");
  },
}));
beforeEach(() => {
  vi.clearAllMocks();
  setConfig(readConfig({}));
  vi.mocked(reservePlayground).mockResolvedValue(RESERVED);
});

const RESERVED = { userId: 1 } as unknown as Awaited<ReturnType<typeof reservePlayground>>;
const ASKED = {
  model: "sandbox-chat",
  system: "",
  message: "hello",
  image: "",
  max_tokens: 20,
} as unknown as PlaygroundCall;

/** The end of a call with a charged amount (null: not booked) and a number of attempts. */
const endWith = (chargedNanoUsd: bigint | null, tries: number) =>
  ({
    ...{ callId: "c1", ms: 5, status: 499, route: aRoute() },
    attempts: { records: Array.from({ length: tries }, () => ({})), firstByteMs: 1 },
    settled: chargedNanoUsd === null ? null : { usage: NO_USAGE, receipt: { chargedNanoUsd } },
  }) as unknown as End;

async function stopped(end: End): Promise<unknown> {
  const stop = new AbortController();
  const { receipt } = await callModel({ userId: 1 } as Actor, {
    ...{ keyId: 1, call: ASKED, stream: true, signal: stop.signal },
  });
  expect(served.request?.signal.aborted).toBe(false);
  stop.abort();
  expect(served.request?.signal.aborted).toBe(true);
  served.inProcess?.ended(end);
  return receipt;
}

test("Stop ends the call as a client does that leaves, and what was charged until then stays taken of the budget", async () => {
  expect(await stopped(endWith(700n, 1))).toMatchObject({ cost_usd: "0.000000700" });
  expect(reservePlayground).toHaveBeenCalledExactlyOnceWith(null, expect.objectContaining({ amountNanoUsd: 1_000n }));
  expect(settlePlayground).toHaveBeenCalledExactlyOnceWith(null, RESERVED, 700n);
});

test("of a call that was stopped before any supplier was asked nothing is taken; what one may have cost stays taken", async () => {
  await stopped(endWith(null, 0));
  expect(settlePlayground).toHaveBeenCalledExactlyOnceWith(null, RESERVED, 0n);
  vi.clearAllMocks();
  await stopped(endWith(null, 1));
  expect(settlePlayground).not.toHaveBeenCalled();
});
