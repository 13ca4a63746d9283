import { expect, test } from "vitest";
import type { PriceList } from "~/domain/catalogue/shared";
import { exampleReceipt } from "./example-receipt.server";

const PRICE: PriceList = {
  version: 1,
  inputPerMtok: 1_000_000_000n,
  cachedInputPerMtok: 100_000_000n,
  cacheWritePerMtok: 0n,
  outputPerMtok: 2_000_000_000n,
  perRequest: 0n,
  perSecond: 0n,
  perMchar: 0n,
};

test("the parts of the example are what is charged, and less than what was held", () => {
  const { held, lines, charged } = exampleReceipt(PRICE);
  expect(lines.map(({ amount }) => amount)).toEqual([572_000n, 64_000n, 776_000n]);
  expect(charged).toBe(1_412_000n);
  expect(held).toBe(1_212_000n + 8_192_000n);
});
