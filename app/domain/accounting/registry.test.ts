import { expect, test } from "vitest";
import { Registry } from "./registry";

test("knows what is in flight, however much has come and gone", () => {
  const registry = new Registry<number>();
  for (let entry = 0; entry < 5_000; entry += 1) {
    registry.set(`call ${entry}`, entry);
    if (entry >= 3) registry.delete(`call ${entry - 3}`);
  }
  expect(registry.size).toBe(3);
  expect(registry.all()).toEqual([
    ["call 4997", 4_997],
    ["call 4998", 4_998],
    ["call 4999", 4_999],
  ]);
  expect(registry.get("call 4998")).toBe(4_998);
  expect(registry.get("call 4996")).toBeUndefined();
});

test("an entry that is there longer than thousands of others stays", () => {
  const registry = new Registry<string>();
  registry.set("long", "first");
  for (let entry = 0; entry < 3_000; entry += 1) registry.set(`kept ${entry}`, "kept");
  registry.set("long", "second");
  registry.delete("never there");
  expect(registry.size).toBe(3_001);
  expect(registry.get("long")).toBe("second");
});
