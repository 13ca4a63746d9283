import { expect, test } from "vitest";
import { readConverseUsage } from "./usage";

const written = (cacheDetails: unknown) =>
  readConverseUsage({ inputTokens: 10, outputTokens: 7, cacheWriteInputTokens: 10, cacheDetails });

test("of what is written to the cache, what is kept for an hour is told apart", () => {
  const details = [
    { ttl: "5m", inputTokens: 5 },
    { ttl: "1h", inputTokens: 3 },
    { ttl: "1h", inputTokens: 2 },
  ];
  expect(written(details)).toMatchObject({ inputTokens: 20, cacheWriteTokens: 10, cacheWriteLongTokens: 5 });
  expect(written([{ ttl: "5m", inputTokens: 10 }])).not.toHaveProperty("cacheWriteLongTokens");
});

test.each([
  ["more than was written", [{ ttl: "1h", inputTokens: 11 }]],
  ["less than nothing", [{ ttl: "1h", inputTokens: -1 }]],
  [
    "nonsense beside a count",
    [
      { ttl: "1h", inputTokens: "many" },
      { ttl: "1h", inputTokens: 9 },
    ],
  ],
])("%s for an hour makes nonsense of the whole", (_, details) => {
  expect(written(details)).toBeNull();
});
