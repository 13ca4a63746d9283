import { beforeEach, expect, test, vi } from "vitest";
import * as accounting from "~/domain/accounting/index.server";
import { aRoute } from "~/domain/routing/__fixtures__/routes";
import type { AllowedRoutes } from "~/domain/routing/index.server";
import { anInferenceRequest, callContext, fakeDialect as fake } from "../__fixtures__/fake-suppliers";
import type { Admission } from "../admit";
import { NO_ATTEMPTS } from "../call/attempts";
import { Call } from "../call-record";
import { NO_USAGE } from "../canonical/usage";
import { readChatAnswer } from "../dialects/chat/answer";
import type { Dialect } from "../dialects/dialect";
import type { Claim } from "../idempotency";
import { type PricedRoute, planOf, type RoutePlan } from "../route/route-plan";
import { type Outcome, settle } from ".";

vi.mock("~/domain/accounting/index.server", () => ({
  settle: vi.fn(async () => ({ chargedNanoUsd: 0n, repeated: false, durable: "database" })),
  settleAhead: vi.fn(async () => ({ chargedNanoUsd: 0n, repeated: false, durable: "write_ahead" })),
  markForReview: vi.fn(async () => undefined),
}));

const admission: Admission = {
  inference: anInferenceRequest(),
  parties: {
    keyId: 1,
    userId: null,
    departmentId: null,
    projectId: null,
    organisationId: 1,
    walletId: 1,
    exempt: false,
  },
  held: true,
  isFree: false,
  bounds: { inputTokens: 100, outputTokens: 100 },
  priceVersion: 1,
};
const route = aRoute() as PricedRoute;
const fakeDialect = Object.assign(Object.create(fake) as Dialect, { promptText: () => "what the client has written" });
const call = () => new Call(new Request("http://gw/v1/chat/completions", { method: "POST" }));
const plan: RoutePlan = planOf(route.model, {
  considered: [route],
  lock: { models: [], regions: [], callRegion: null, reaches: () => true },
  order: {
    routes: [route] as unknown as AllowedRoutes,
    session: null,
    pin: null,
    pinnedCredential: null,
    standings: new Map(),
  },
  auto: null,
});
const settled = (made: Call, outcome: Outcome, claim: Claim | null = null) =>
  settle(
    { ...callContext(anInferenceRequest(), { call: made, dialect: fakeDialect, claim }), plan, admission },
    NO_ATTEMPTS,
    outcome,
  );

beforeEach(() => void vi.clearAllMocks());

test("a call that cannot be settled leaves its hold to a person and runs nothing a second time", async () => {
  const made = call();
  const leave = vi.fn();
  const claim = { leave, keep: async () => undefined } as unknown as Claim;
  vi.mocked(accounting.settle).mockRejectedValueOnce(new Error("neither database nor journal"));
  const usage = { ...NO_USAGE, inputTokens: 5, outputTokens: 5 };
  const outcome: Outcome = { kind: "completed", route, usage, outputText: () => "" };
  await expect(settled(made, outcome, claim)).rejects.toThrow("neither");
  expect(leave).toHaveBeenCalledOnce();
  expect(accounting.markForReview).toHaveBeenCalledExactlyOnceWith(made.id, "settlement_failed");
  made.close();
});

test("an answer without usage whose content cannot be written again is settled all the same", async () => {
  const deep = `${"[".repeat(20_000)}${"]".repeat(20_000)}`;
  const { usage, outputText } = readChatAnswer(Buffer.from(`{"choices":[{"message":{"content":${deep}}}]}`));
  const made = call();
  await settled(made, { kind: "completed", route, usage, outputText });
  expect(accounting.settleAhead).toHaveBeenCalledWith(
    expect.objectContaining({ tokenSource: "estimated", outputTokens: 0 }),
  );
  expect(accounting.markForReview).not.toHaveBeenCalled();
  made.close();
});

test.each([
  [[], null, null],
  [["eu", "us-east"], null, { lockedTo: ["eu", "us-east"] }],
  [["eu"], "eu-west", { lockedTo: ["eu-west"] }],
  [[], "eu", { lockedTo: ["eu"] }],
])("a call of a key for %j that asks for %j is stored with %j", async (regions, callRegion, routing) => {
  const made = call();
  const lock = { ...plan.trace.lock, regions, callRegion };
  const locked: RoutePlan = { ...plan, trace: { ...plan.trace, lock } };
  await settle(
    {
      ...callContext(anInferenceRequest(), { call: made, dialect: fakeDialect, claim: null }),
      ...{ plan: locked, admission },
    },
    NO_ATTEMPTS,
    { kind: "completed", route, usage: NO_USAGE, outputText: () => "" },
  );
  expect(accounting.settleAhead).toHaveBeenCalledWith(expect.objectContaining({ routing }));
  made.close();
});
