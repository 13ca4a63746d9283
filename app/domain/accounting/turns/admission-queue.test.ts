import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { setLogLevel } from "~/observe/log.server";
import { aHold, someParties } from "../../../../tests/support/accounting";
import { Leases } from "../leases";
import type { SqlLink } from "../link/sql-link";
import type { SqlProblem } from "../link/sql-problem";
import { AdmissionQueue } from "./admission-queue";
import { MAX_QUEUED } from "./call-patience";
import { CommitTurns } from "./commit-turns";

beforeEach(() => {
  setLogLevel("silent");
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setImmediate", "performance"] });
});
afterEach(() => void vi.useRealTimers());

type Sent = { items: number; answer: (text: string, problem?: SqlProblem) => void };

/** Creates an admission queue on a database with scripted answers. */
function admission() {
  const sent: Sent[] = [];
  const released: string[] = [];
  const link = {
    isUp: true,
    downSinceMs: null,
    answeredMs: Number.NEGATIVE_INFINITY,
    onUp: vi.fn(),
    onDown: vi.fn(),
    send(_: string, values: string[], _ms: number, done: (problem: SqlProblem | null, answer: string) => void) {
      const items = values[0]!.split('","').length;
      const answer: Sent["answer"] = (text, problem) => {
        if (problem === undefined || problem.sqlState === "57014") link.answeredMs = performance.now();
        done(problem ?? null, text);
      };
      sent.push({ items, answer });
    },
  };
  const maintenance = { ask: vi.fn(async (_: string, values: string[]) => String(released.push(values[0]!))) };
  const turns = new CommitTurns({ link: link as unknown as SqlLink, together: "", timeoutMs: 1_500 });
  const queue = new AdmissionQueue({
    link: link as unknown as SqlLink,
    turns,
    maintenance: maintenance as unknown as SqlLink,
    leases: new Leases(maintenance as unknown as SqlLink, "me", 60_000),
    owner: "me",
    patienceMs: 10_000,
    makeRoomFor: () => null,
  });
  const who = someParties(1);
  const outcomes: Record<string, number> = {};
  const errors: { code: string; retryAfterSeconds?: number }[] = [];
  const count = (outcome: string) => {
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  };
  const ask = (calls: number) => {
    for (let each = 0; each < calls; each += 1)
      queue.admit(aHold(who, 1n)).then(
        ({ kind }) => count(kind),
        (error: { code: string }) => {
          errors.push(error);
          count(error.code);
        },
      );
  };
  return { ask, sent, outcomes, errors, released, link, queue };
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

test("calls wait while turns come back, however slowly, and all are served", async () => {
  const { ask, sent, outcomes } = admission();
  ask(1_000);
  for (let turn = 0; turn < 4; turn += 1) {
    await pass(1_400);
    sent.at(-1)!.answer("");
  }
  await pass(1);
  expect(sent).toHaveLength(4);
  expect(outcomes).toEqual({ held: 1_000 });
});

test("what turns that come back cannot serve in time is told so, with a time to come again, and holds nothing", async () => {
  const { ask, sent, outcomes, errors, released } = admission();
  ask(3_000);
  for (let turn = 0; turn < 8; turn += 1) {
    await pass(1_500);
    sent.at(-1)!.answer("");
  }
  await pass(100);
  sent.at(-1)!.answer("");
  await pass(1);
  // Calls in flight when the patience of the others ended are still served.
  expect(outcomes).toEqual({ held: 7 * 256, capacity_exceeded: 3_000 - 7 * 256 });
  for (const error of errors) expect(error).toMatchObject({ status: 503, retryAfterSeconds: 5 });
  // None of the rejected calls was in a statement, so there is nothing to release.
  expect(released).toEqual([]);
});

test("a database that stops answering in the middle of a rush is told of within two seconds", async () => {
  const { ask, sent, outcomes } = admission();
  ask(1_000);
  await pass(1_400);
  sent.at(-1)!.answer("");
  await pass(1_700);
  expect(outcomes).toEqual({ held: 256 });
  await pass(200);
  expect(outcomes).toEqual({ held: 256, billing_unavailable: 744 });
});

test("a call that was refused while it was in flight and is held after all is freed", async () => {
  const { ask, sent, outcomes, released } = admission();
  ask(1);
  await pass(1_900);
  expect(outcomes).toEqual({ billing_unavailable: 1 });
  sent.at(-1)!.answer("");
  await pass(1);
  expect(released).toHaveLength(1);
});

test("more calls than have room do not wait", async () => {
  const { ask, outcomes } = admission();
  ask(MAX_QUEUED + 300);
  await pass(1);
  expect(outcomes).toEqual({ capacity_exceeded: 300 });
});

test("turns that the server has no time for come again with half as many calls, until it has", async () => {
  const { ask, sent, outcomes } = admission();
  const tooSlow: SqlProblem = { kind: "away", cause: new Error("statement timeout"), sqlState: "57014" };
  ask(256);
  await pass(1_300);
  sent.at(-1)!.answer("", tooSlow);
  await pass(1_300);
  sent.at(-1)!.answer("", tooSlow);
  await pass(200);
  expect(sent.map(({ items }) => items)).toEqual([256, 128, 64]);
  for (let turn = 0; turn < 3; turn += 1) {
    sent.at(-1)!.answer("");
    await pass(1);
  }
  expect(sent.slice(2).map(({ items }) => items)).toEqual([64, 128, 64]);
  expect(outcomes).toEqual({ held: 256 });
});
