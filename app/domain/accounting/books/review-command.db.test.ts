import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { aHold, type Books, fundedWallet, openBooks, someParties } from "../../../../tests/support/accounting";
import type { Accounting } from "../accounting";
import { runReviewCommand } from "../index.server";

let books: Books;
let accounting: Accounting;
let walletId: number;
beforeAll(async () => {
  books = await openBooks();
  accounting = await books.start();
  walletId = await fundedWallet(books, 1_000_000n);
});
afterAll(() => books.close());

/** Creates a call in review with a hold of `amount`. Returns its id. */
async function inReview(amount: bigint): Promise<string> {
  const call = aHold(someParties(walletId), amount);
  await accounting.admit(call);
  await accounting.markForReview(call.callId, "the connection broke");
  return call.callId;
}
const run = (...words: string[]) => runReviewCommand(words, "operator ann");
const holdOf = async (id: string) =>
  (await books.sql("SELECT state, captured, reason FROM hold WHERE id = $1", [id]))[0];

test("lists what is in review, ends one at its cost and one without, and says what is left", async () => {
  expect(await run()).toEqual({ text: "No call is in review.\n", ok: true });
  const [worked, idle] = [await inReview(4_000n), await inReview(6_000n)];
  const listed = await run();
  expect(listed.ok).toBe(true);
  expect(listed.text).toContain("2 calls in review, holding 0.000010000 USD");
  for (const id of [worked, idle]) expect(listed.text).toContain(id);
  expect(listed.text).toContain("the connection broke");
  expect(listed.text.indexOf(worked)).toBeLessThan(listed.text.indexOf(idle));

  const settled = await run("settle", worked, "0.000003", "ticket", "4711");
  expect(settled).toEqual({ text: "Resolved: charged 0.000003000 USD.\n", ok: true });
  expect(await holdOf(worked)).toEqual({ state: "settled", captured: 3_000n, reason: "operator ann: ticket 4711" });
  expect(await run("release", idle, "unknown there")).toEqual({
    text: "Resolved: nothing is charged.\n",
    ok: true,
  });
  expect(await holdOf(idle)).toMatchObject({ state: "released", reason: "operator ann: unknown there" });
  expect((await run()).text).toBe("No call is in review.\n");
  expect(await run("release", idle, "again")).toEqual({
    text: "This request is not in review: its hold is released.\n",
    ok: false,
  });
  expect(await books.defects()).toEqual([]);
});

test("the customer pays no more than is held", async () => {
  const id = await inReview(4_000n);
  expect((await run("settle", id, "1", "billed")).text).toBe("Resolved: charged 0.000004000 USD.\n");
  expect(await books.defects()).toEqual([]);
});

test("what it does not understand changes nothing and shows how it is used", async () => {
  const id = await inReview(5_000n);
  const odd = [
    ["settle", id, "0.000001"],
    ["settle", id, "-1", "why"],
    ["settle", id, "much", "why"],
    ["settle", "key_1", "1", "why"],
    ["release", id],
    ["free", id, "why"],
  ];
  for (const words of odd) {
    const { text, ok } = await run(...words);
    expect([ok, text.includes("npm run reviews -- settle <call>")]).toEqual([false, true]);
  }
  expect(await run("release", randomUUID(), "why")).toEqual({ text: "There is no request with this ID.\n", ok: false });
  expect(await holdOf(id)).toMatchObject({ state: "review" });
});
