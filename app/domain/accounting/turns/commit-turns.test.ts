import { afterEach, expect, test, vi } from "vitest";
import type { SqlLink } from "../link/sql-link";
import type { SqlProblem } from "../link/sql-problem";
import { type Batch, CommitTurns } from "./commit-turns";

type Done = (problem: SqlProblem | null, answer: string) => void;

/** A database link with scripted answers. */
class FakeLink {
  isUp = true;
  readonly sent: { text: string; done: Done }[] = [];
  readonly #down: (() => void)[] = [];
  onUp(): void {}
  onDown(listener: () => void): void {
    this.#down.push(listener);
  }
  send(text: string, _values: unknown[], _timeoutMs: number, done: Done): void {
    this.sent.push({ text, done });
  }
  lose(): void {
    this.isUp = false;
    for (const listener of this.#down) listener();
  }
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

function aSource(turns: CommitTurns, statement: string) {
  const failed = vi.fn<Batch["failed"]>();
  let batch: Batch | null = { statement, size: 1, values: () => [], answered: vi.fn(), failed };
  turns.join({
    next: () => {
      const next = batch;
      batch = null;
      return next;
    },
    isAwaited: true,
    get waiting() {
      return batch === null ? 0 : 1;
    },
  });
  return failed;
}

afterEach(() => {
  vi.useRealTimers();
});

test("a turn for which nobody waits leaves some milliseconds after the one before, or with what somebody waits for", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  const link = new FakeLink();
  const turns = new CommitTurns({ link: link as unknown as SqlLink, together: "both", timeoutMs: 1_000 });
  const source = {
    next: () => {
      const size = source.waiting;
      source.waiting = 0;
      source.isAwaited = false;
      return size === 0 ? null : { statement: "one", size, values: () => [], answered: vi.fn(), failed: vi.fn() };
    },
    waiting: 0,
    isAwaited: false,
  };
  const comes = async (isAwaited: boolean) => {
    source.waiting += 1;
    source.isAwaited ||= isAwaited;
    turns.wake();
    await turn();
  };
  turns.join(source);
  vi.advanceTimersByTime(1_000);
  await comes(false);
  expect(link.sent).toHaveLength(1);
  link.sent[0]!.done(null, "");
  await comes(false);
  await comes(false);
  expect(link.sent).toHaveLength(1);
  vi.advanceTimersByTime(10);
  await turn();
  expect(link.sent).toHaveLength(2);
  link.sent[1]!.done(null, "");
  await comes(false);
  await comes(true);
  expect(link.sent).toHaveLength(3);
  link.sent[2]!.done(null, "");
  vi.advanceTimersByTime(1_000);
  await turn();
  expect(link.sent).toHaveLength(3);
});

test.each([1, 12])(
  "a turn of %i leaves as soon as the one before it has come back: none waits to be fuller",
  async (items) => {
    vi.useFakeTimers({ toFake: ["setTimeout", "performance"] });
    const link = new FakeLink();
    const turns = new CommitTurns({ link: link as unknown as SqlLink, together: "both", timeoutMs: 1_000 });
    let waiting = 0;
    turns.join({
      next: () => {
        const size = waiting;
        waiting = 0;
        return { statement: "one", size, values: () => [], answered: vi.fn(), failed: vi.fn() };
      },
      isAwaited: true,
      get waiting() {
        return waiting;
      },
    });
    for (let sent = 0; sent < 20; sent += 1) {
      waiting = items;
      turns.wake();
      await turn();
      expect(link.sent).toHaveLength(sent + 1);
      link.sent[sent]!.done(null, "");
    }
  },
);

test("batches that failed together are given back when the link breaks before they went one by one", async () => {
  const link = new FakeLink();
  const turns = new CommitTurns({ link: link as unknown as SqlLink, together: "both", timeoutMs: 1_000 });
  const [first, second] = [aSource(turns, "one"), aSource(turns, "two")];
  turns.wake();
  await turn();
  expect(link.sent.map(({ text }) => text)).toEqual(["both"]);
  link.sent[0]!.done({ kind: "data", cause: new Error("impossible"), sqlState: "22003" }, "");
  await turn();
  // The first statement is in flight; the second has not been sent.
  expect(link.sent.map(({ text }) => text)).toEqual(["both", "one"]);
  link.lose();
  link.sent[1]!.done({ kind: "lost", cause: new Error("gone") }, "");
  expect(first).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ kind: "lost" }));
  expect(second).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ kind: "away" }));
  expect(turns.isIdle).toBe(true);
});

test("a lean turn that meets what it does not decide goes again in full, and after several in a row turns are full at once", async () => {
  const link = new FakeLink();
  const committed = vi.fn();
  const lean = { statement: "lean", values: () => [], fromItems: 0, allowed: () => true, committed };
  const turns = new CommitTurns({ link: link as unknown as SqlLink, together: "both", timeoutMs: 1_000, lean });
  const answered = { settled: vi.fn(), requested: vi.fn() };
  let waiting = 0;
  const source = (half: "settled" | "requested") => ({
    next: () => {
      waiting -= 1;
      const halves = { settled: { settled: [] }, requested: { requested: [] } };
      return {
        statement: half,
        size: 1,
        values: () => [],
        lean: () => halves[half],
        answered: answered[half],
        failed: vi.fn(),
      };
    },
    isAwaited: true,
    get waiting() {
      return waiting;
    },
  });
  turns.join(source("settled"));
  turns.join(source("requested"));
  /** Returns the statements of one turn. */
  const sent = async (isUsual: boolean) => {
    waiting = 2;
    link.sent.length = 0;
    turns.wake();
    await turn();
    if (link.sent[0]!.text === "lean" && !isUsual) {
      link.sent[0]!.done({ kind: "unusual", cause: new Error("no room"), sqlState: "GW010" }, "");
    }
    const full = link.sent.at(-1)!;
    full.done(null, full.text === "lean" ? "1C5" : "1C6|h");
    return link.sent.map(({ text }) => text).join(" ");
  };
  expect(await sent(true)).toBe("lean");
  expect([answered.settled.mock.lastCall, answered.requested.mock.lastCall]).toEqual([["1C5"], [""]]);
  expect(await sent(false)).toBe("lean both");
  expect([answered.settled.mock.lastCall, answered.requested.mock.lastCall]).toEqual([["1C6"], ["h"]]);
  expect(committed).toHaveBeenCalledOnce();
  expect(await sent(false)).toBe("lean both");
  expect([await sent(true), await sent(true)]).toEqual(["both", "both"]);
  expect(await sent(true)).toBe("lean");
  expect(await sent(false)).toBe("lean both");
  expect(await sent(true)).toBe("lean");
});
