import fc from "fast-check";
import { expect, test } from "vitest";
import { countText, durationText, moneyText, percentText, relativeText } from "./format";

test("amounts show as many places as they need, and never vanish", () => {
  expect(moneyText(4_182_068_914_203n)).toBe("$4,182.07");
  expect(moneyText(3_625_600n)).toBe("$0.0036");
  expect(moneyText(12_300n)).toBe("$0.000012");
  expect(moneyText(1n)).toBe("$0.000000001");
  expect(moneyText(0n)).toBe("$0.00");
  expect(moneyText(-1_284_417_920n)).toBe("−$1.28");
  expect(moneyText(1_234_567_000_000n, "de")).toBe("$1.234,57");
  fc.assert(
    fc.property(fc.bigInt(1n, 10n ** 18n), (nano) => {
      expect(moneyText(nano)).toMatch(/[1-9]/);
    }),
  );
});

test("counts are whole while they are small", () => {
  expect(countText(9_999)).toBe("9,999");
  expect(countText(612_000_000)).toBe("612M");
  expect(countText(2_910_000_000n)).toBe("2.9B");
});

test("small shares keep two places", () => {
  expect(percentText(0.0021)).toBe("0.21%");
  expect(percentText(0.687)).toBe("68.7%");
  expect(percentText(0)).toBe("0%");
});

test("durations use the two largest units", () => {
  expect(durationText(612)).toBe("612 ms");
  expect(durationText(1_786)).toBe("1.79 s");
  expect(durationText(125_000)).toBe("2 min 5 s");
  expect(durationText(900_000_000)).toBe("10 d 10 h");
});

test("times are told in the reader's language", () => {
  const now = new Date("2026-11-21T12:00:00Z");
  expect(relativeText(new Date("2026-11-21T11:57:00Z"), now)).toBe("3 min. ago");
  expect(relativeText(new Date("2026-11-20T12:00:00Z"), now, "de")).toBe("gestern");
});
