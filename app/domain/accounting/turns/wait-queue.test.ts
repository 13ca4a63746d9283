import { expect, test } from "vitest";
import { aHold, someParties } from "../../../../tests/support/accounting";
import { scopeKey, type Waiter, WaitQueue } from "./wait-queue";

const waiter = (): Waiter => ({ request: aHold(someParties(1), 1n), waitsFor: null, trying: true });

test("calls are woken in the order in which they came, and one that fails again keeps its place", () => {
  const room = new WaitQueue();
  const [first, second, third] = [waiter(), waiter(), waiter()];
  for (const each of [first, second, third]) room.enter(each, "key:1");
  expect(room.wake("key:1", 2)).toEqual([first, second]);
  expect(room.wake("key:1", 2)).toEqual([third]);
  room.enter(second, "key:1");
  room.enter(first, "key:1");
  expect(room.wake("key:1", 5)).toEqual([first, second]);
});

test("a call waits for one scope at a time, and for nothing after it has left", () => {
  const room = new WaitQueue();
  const each = waiter();
  room.enter(each, "key:1");
  room.enter(each, "wallet:9");
  expect(room.wake("key:1", 1)).toEqual([]);
  expect(room.scopes()).toEqual(["wallet:9"]);
  room.leave(each);
  room.leave(each);
  expect([room.size, room.wake("wallet:9", 1), [...room.all()]]).toEqual([0, [], []]);
});

test("scopes are named by kind and id", () => {
  const parties = someParties(7, { userId: 4 });
  expect([scopeKey("wallet", parties), scopeKey("user", parties), scopeKey("key", parties)]).toEqual([
    "wallet:7",
    "user:4",
    "key:1",
  ]);
});
