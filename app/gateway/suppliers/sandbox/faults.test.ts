import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { SANDBOX_FAULTS } from "./faults";

test("the documentation names every fault model, and no other one", () => {
  const page = readFileSync("docs/sandbox.md", "utf8");
  const named = [...page.matchAll(/^\| `(sandbox-fault-[a-z0-9-]+)`/gm)].map(([, name]) => name);
  expect(named.sort()).toEqual(SANDBOX_FAULTS.map(({ model }) => model).sort());
});
