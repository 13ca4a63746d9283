import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isRegionAllowed, orderRoutes } from "./policy";

describe("regions", () => {
  test("a restriction to an area admits its regions and nothing else", () => {
    expect(isRegionAllowed("eu-west", ["eu"], null)).toBe(true);
    expect(isRegionAllowed("EU", ["eu"], "eu")).toBe(true);
    expect(isRegionAllowed("eur", ["eu"], null)).toBe(false);
    expect(isRegionAllowed("us-east", ["eu"], null)).toBe(false);
    expect(isRegionAllowed("eu", ["eu-west"], null)).toBe(false);
  });

  test("the call can narrow the key's lock but never widen it", () => {
    expect(isRegionAllowed("us", ["eu"], "us")).toBe(false);
    expect(isRegionAllowed("eu-north", ["eu"], "eu-west")).toBe(false);
    expect(isRegionAllowed("us", [], null)).toBe(true);
  });

  test("without a region the supplier is inside nothing", () => {
    expect(isRegionAllowed("", ["eu"], null)).toBe(false);
  });
});

test("routes come by priority, and by weight within one", () => {
  const routes = [
    { id: "backup", priority: 2, weight: 100 },
    { id: "big", priority: 1, weight: 3 },
    { id: "small", priority: 1, weight: 1 },
    { id: "off", priority: 1, weight: 0 },
  ];
  let bigFirst = 0;
  let seed = 7;
  const random = () => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return seed / 2147483648;
  };
  for (let i = 0; i < 4000; i += 1) {
    const order = orderRoutes(routes, random).map(({ id }) => id);
    expect(order.at(-1)).toBe("backup");
    expect(order[2]).toBe("off");
    if (order[0] === "big") bigFirst += 1;
  }
  expect(bigFirst / 4000).toBeGreaterThan(0.72);
  expect(bigFirst / 4000).toBeLessThan(0.78);
});

test("ordering loses and invents no route", () => {
  const route = fc.record({ priority: fc.integer({ min: 0, max: 3 }), weight: fc.integer({ min: 0, max: 9 }) });
  fc.assert(
    fc.property(fc.array(route), (routes) => {
      const ordered = orderRoutes(routes);
      expect(ordered).toHaveLength(routes.length);
      expect(new Set(ordered)).toEqual(new Set(routes));
    }),
  );
});
