import { expect, test, vi } from "vitest";
import { type Batch, CommitTurns } from "./commit-turns";
import type { SqlLink } from "./sql-link";
import type { SqlProblem } from "./sql-problem";

type Done = (problem: SqlProblem | null, answer: string) => void;

/** A link whose answers the test gives. */
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
  let batch: Batch | null = { statement, values: () => [], answered: vi.fn(), failed };
  turns.join({
    next: () => {
      const next = batch;
      batch = null;
      return next;
    },
    get waiting() {
      return batch === null ? 0 : 1;
    },
  });
  return failed;
}

test("batches that failed together are given back when the link breaks before they went one by one", async () => {
  const link = new FakeLink();
  const turns = new CommitTurns({ link: link as unknown as SqlLink, together: "both", timeoutMs: 1_000 });
  const [first, second] = [aSource(turns, "one"), aSource(turns, "two")];
  turns.wake();
  await turn();
  expect(link.sent.map(({ text }) => text)).toEqual(["both"]);
  link.sent[0]!.done({ kind: "data", cause: new Error("impossible"), sqlState: "22003" }, "");
  await turn();
  // The first of them is on its way; the other one has not been sent.
  expect(link.sent.map(({ text }) => text)).toEqual(["both", "one"]);
  link.lose();
  link.sent[1]!.done({ kind: "lost", cause: new Error("gone") }, "");
  expect(first).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ kind: "lost" }));
  expect(second).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ kind: "away" }));
  expect(turns.isIdle).toBe(true);
});
