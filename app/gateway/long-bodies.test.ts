import { expect, test } from "vitest";
import { LongBodies } from "./long-bodies";

const MB = 1024 * 1024;
const soon = () => new Promise((resolve) => setImmediate(resolve));

/** Requests room for bodies and records which of them got it, in order. */
function asking(bodies: LongBodies) {
  const begun: string[] = [];
  const free = new Map<string, () => void>();
  const ask = (name: string, keyId: number, bytes: number, withinMs = 60_000) =>
    bodies.room(keyId, { bytes, withinMs }).then((leave) => {
      begun.push(name);
      free.set(name, leave);
    });
  return { begun, ask, leave: (name: string) => free.get(name)!() };
}

test("no more bytes of long bodies are there at once than the limit, and short ones never wait", async () => {
  const { begun, ask, leave } = asking(new LongBodies(20 * MB));
  for (const name of ["a", "b", "c"]) void ask(name, 1, 9 * MB);
  void ask("short", 1, 1_000);
  await soon();
  expect(begun).toEqual(["a", "b", "short"]);
  leave("a");
  leave("a");
  await soon();
  expect(begun).toEqual(["a", "b", "short", "c"]);
});

test("of those that wait, the key with the least under way comes first", async () => {
  const { begun, ask, leave } = asking(new LongBodies(20 * MB));
  for (const name of ["a1", "a2", "a3", "a4"]) void ask(name, 1, 9 * MB);
  void ask("b1", 2, 9 * MB);
  await soon();
  leave("a1");
  await soon();
  expect(begun).toEqual(["a1", "a2", "b1"]);
});

test("a body longer than all the room has it for itself, and one that waits too long is refused", async () => {
  const { begun, ask, leave } = asking(new LongBodies(20 * MB));
  void ask("huge", 1, 50 * MB);
  const late = ask("late", 2, 9 * MB, 5);
  await expect(late).rejects.toMatchObject({ code: "capacity_exceeded", status: 503 });
  void ask("next", 2, 9 * MB);
  await soon();
  expect(begun).toEqual(["huge"]);
  leave("huge");
  await soon();
  expect(begun).toEqual(["huge", "next"]);
});
