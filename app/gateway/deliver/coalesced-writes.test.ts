import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { CoalescedWrites } from "./coalesced-writes";

beforeEach(() => void vi.useFakeTimers({ now: 1_000_000 }));
afterEach(() => void vi.useRealTimers());

function outlet() {
  const written: string[] = [];
  const to = {
    written,
    writableNeedDrain: false,
    write(bytes: Buffer) {
      written.push(bytes.toString());
      return !to.writableNeedDrain;
    },
  };
  return to;
}

test("a piece behind a pause goes out at once", () => {
  const to = outlet();
  const writes = new CoalescedWrites(to);
  for (const piece of ["one", "two", "three"]) {
    expect(writes.write(Buffer.from(piece))).toBe(true);
    expect(to.written.at(-1)).toBe(piece);
    vi.advanceTimersByTime(5);
  }
  expect(to.written).toEqual(["one", "two", "three"]);
});

test("pieces within a millisecond go out together, in their order, and soon", () => {
  const to = outlet();
  const writes = new CoalescedWrites(to);
  for (const piece of ["a", "b", "c", "d"]) writes.write(Buffer.from(piece));
  expect(to.written).toEqual(["a"]);
  vi.advanceTimersByTime(1);
  expect(to.written).toEqual(["a", "bcd"]);
  // A piece that directly follows a combined write waits again.
  writes.write(Buffer.from("e"));
  writes.write(Buffer.from("f"));
  vi.advanceTimersByTime(2);
  expect(to.written).toEqual(["a", "bcd", "ef"]);
});

test("each of several streams gets its own bytes", () => {
  const outlets = [outlet(), outlet(), outlet()];
  const streams = outlets.map((to) => new CoalescedWrites(to));
  for (let piece = 0; piece < 3; piece++)
    for (const [at, writes] of streams.entries()) writes.write(Buffer.from(`${at}${piece} `));
  vi.advanceTimersByTime(2);
  expect(outlets.map(({ written }) => written)).toEqual([
    ["00 ", "01 02 "],
    ["10 ", "11 12 "],
    ["20 ", "21 22 "],
  ]);
});

test("many bytes do not wait", () => {
  const to = outlet();
  const writes = new CoalescedWrites(to);
  writes.write(Buffer.from("first"));
  writes.write(Buffer.alloc(20_000, "x"));
  expect(to.written.map((bytes) => bytes.length)).toEqual([5, 20_000]);
  vi.advanceTimersByTime(5);
  expect(to.written).toHaveLength(2);
});

test("whoever ends the answer takes what still waits, once", () => {
  const to = outlet();
  const writes = new CoalescedWrites(to);
  expect(writes.take()).toBeNull();
  for (const piece of ["a", "b", "c"]) writes.write(Buffer.from(piece));
  expect(writes.take()?.toString()).toBe("bc");
  expect(writes.take()).toBeNull();
  vi.advanceTimersByTime(5);
  expect(to.written).toEqual(["a"]);
});

test("a client that does not keep up holds the supplier back, also while pieces wait", () => {
  const to = outlet();
  const writes = new CoalescedWrites(to);
  expect(writes.write(Buffer.from("a"))).toBe(true);
  to.writableNeedDrain = true;
  expect(writes.write(Buffer.from("b"))).toBe(false);
  vi.advanceTimersByTime(5);
  expect(writes.write(Buffer.from("c"))).toBe(false);
  expect(to.written).toEqual(["a", "b", "c"]);
});
