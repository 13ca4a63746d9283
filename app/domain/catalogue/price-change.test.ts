import { expect, test } from "vitest";
import type { FilePrice } from "./file/file-schema";
import { changedPrice } from "./price-change";

const BEFORE: FilePrice = {
  ...{ input_per_mtok: 2n, output_per_mtok: 8n, cached_input_per_mtok: 1n, audio_input_per_mtok: 9n, per_tool_use: 5n },
  long_context: [{ above_input_tokens: 200_000, input_per_mtok: 4n, output_per_mtok: 12n }],
  tiers: {
    flex: { input_per_mtok: 1n, output_per_mtok: 4n, audio_input_per_mtok: 3n, asked_only: true },
    priority: { input_per_mtok: 4n, output_per_mtok: 16n },
  },
};

test("one part is changed and every other one stays", () => {
  expect(changedPrice(BEFORE, { input_per_mtok: 3n })).toEqual({ ...BEFORE, input_per_mtok: 3n });
  expect(changedPrice(BEFORE, {})).toEqual(BEFORE);
});

test("null takes a part away, and nothing else", () => {
  const { cached_input_per_mtok: _, ...rest } = BEFORE;
  expect(changedPrice(BEFORE, { cached_input_per_mtok: null })).toEqual(rest);
  const { long_context: __, ...short } = BEFORE;
  expect(changedPrice(BEFORE, { long_context: null })).toEqual(short);
});

test("a tier is changed, taken away or added by itself, and keeps what is not said of it", () => {
  expect(changedPrice(BEFORE, { tiers: { flex: { input_per_mtok: 2n } } }).tiers).toEqual({
    ...BEFORE.tiers,
    flex: { ...BEFORE.tiers?.flex, input_per_mtok: 2n },
  });
  expect(changedPrice(BEFORE, { tiers: { flex: { asked_only: null } } }).tiers?.flex?.asked_only).toBeUndefined();
  expect(changedPrice(BEFORE, { tiers: { flex: null } }).tiers).toEqual({ priority: BEFORE.tiers?.priority });
  expect("tiers" in changedPrice(BEFORE, { tiers: { flex: null, priority: null } })).toBe(false);
  expect(changedPrice(BEFORE, { tiers: { batch: { input_per_mtok: 1n, output_per_mtok: 4n } } }).tiers).toEqual({
    ...BEFORE.tiers,
    batch: { input_per_mtok: 1n, output_per_mtok: 4n },
  });
});

test("where there was no price, only what is said is there", () => {
  expect(changedPrice(null, { input_per_mtok: 2n, output_per_mtok: null })).toEqual({ input_per_mtok: 2n });
});
