import { beforeEach, expect, test, vi } from "vitest";
import { checkpoint } from "~/domain/accounting/index.server";
import { aRoute } from "~/domain/routing/__fixtures__/routes";
import { anInferenceRequest, fakeDialect as fake } from "../__fixtures__/fake-suppliers";
import type { LiveStream } from "../call/live-stream";
import { Call } from "../call-record";
import { NO_USAGE, type Usage } from "../canonical/usage";
import type { Dialect } from "../dialects/dialect";
import type { PricedRoute } from "../route/route-plan";
import { countTokens } from "../settle/estimate";
import { checkpointOf } from "./checkpoint";

vi.mock("~/domain/accounting/index.server", () => ({ checkpoint: vi.fn() }));
vi.mock("../settle/estimate", () => ({ countTokens: vi.fn(async () => 9) }));
beforeEach(() => void vi.clearAllMocks());

const route = aRoute() as PricedRoute;
const fakeDialect = Object.assign(Object.create(fake) as Dialect, { promptText: () => "what the client has written" });

type Seen = { usage?: Partial<Usage>; promptUsage?: Partial<Usage>; text?: string };

function noted(reader: Seen) {
  noting(reader)();
  return lastNoted();
}

/** Input and output tokens of the last checkpoint; null if there was none. */
function lastNoted() {
  const progress = vi.mocked(checkpoint).mock.calls.at(-1)?.[1];
  return progress ? [progress.inputTokens, progress.outputTokens] : null;
}

function noting(reader: Seen) {
  const call = new Call(new Request("http://gw/v1/messages", { method: "POST" }));
  const full = (part?: Partial<Usage>) => (part === undefined ? null : { ...NO_USAGE, ...part });
  const { usage, promptUsage, text = "" } = reader;
  const live = { reader: { usage: full(usage), promptUsage: full(promptUsage), outputText: () => text } };
  const bounds = { inputTokens: 1_000, outputTokens: 1_000 };
  const admission = { held: true, bounds } as Parameters<typeof checkpointOf>[0]["admission"];
  call.close();
  return checkpointOf(
    { call, inference: anInferenceRequest(), admission, dialect: fakeDialect },
    { route, live: live as unknown as LiveStream },
  );
}

test("what was reported counts, without what came from a cache: its price is another one", () => {
  expect(noted({ usage: { inputTokens: 900, outputTokens: 70 } })).toEqual([900, 70]);
  expect(noted({ promptUsage: { inputTokens: 900, cachedInputTokens: 850 }, text: "x".repeat(40) })).toEqual([50, 10]);
});

test("figures that cannot be true are not noted, and zeros are no figures", () => {
  expect(noted({ usage: { inputTokens: Number.MAX_SAFE_INTEGER, outputTokens: 5 } })).toBeNull();
  const promptUsage = { inputTokens: 30 };
  expect(noted({ usage: {}, promptUsage, text: "x".repeat(40) })).toEqual([30, 10]);
});

test("a prompt that could not be counted is counted the next time, and the failure ends nothing", async () => {
  vi.mocked(countTokens).mockRejectedValueOnce(new Error("too many open files"));
  const note = noting({ text: "x".repeat(40) });
  for (let turn = 0; turn < 3; turn += 1) {
    note();
    await new Promise(setImmediate);
  }
  expect(lastNoted()).toEqual([9, 10]);
});
