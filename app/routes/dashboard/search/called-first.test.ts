import { expect, test } from "vitest";
import { calledFirst } from "./called-first";

test("what is called so comes before what is only found by something else, and nothing else moves", () => {
  const things = ["Tara's laptop", "New Alpine", "Ines", "Alpine Partners", "alpine"].map((label) => ({ label }));
  expect(calledFirst(things, " ALPINE ").map(({ label }) => label)).toEqual([
    ...["Alpine Partners", "alpine", "New Alpine", "Tara's laptop", "Ines"],
  ]);
});
