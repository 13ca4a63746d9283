import fc from "fast-check";
import { expect, test } from "vitest";
import { LANGUAGES } from "~/i18n/languages";
import { formatUsd, parseUsd } from "~/values/money";
import {
  countText,
  decimalUsdText,
  durationText,
  intervalText,
  meanMoneyText,
  moneyText,
  percentText,
  relativeText,
} from "./format";

/** Replaces the non-breaking spaces of number formats by plain ones. */
const plain = (text: string) => text.replace(/[\u00a0\u202f]/g, " ");

test("an amount is written with every place that it has, two at least, and never as another", () => {
  expect(moneyText(4_182_068_914_203n, "en")).toBe("$4,182.068914203");
  expect(moneyText(37_500n, "en")).toBe("$0.0000375");
  expect(moneyText(1n, "en")).toBe("$0.000000001");
  expect(moneyText(0n, "en")).toBe("$0.00");
  expect(moneyText(-1_284_000_000n, "en")).toBe("−$1.284");
  expect(moneyText(1_500_000_000n, "en", 9)).toBe("$1.500000000");
  fc.assert(
    fc.property(fc.bigInt(-(10n ** 18n), 10n ** 18n), fc.constantFrom(undefined, 9 as const), (nano, places) => {
      const digits = moneyText(nano, "en", places).replace("−", "-").replace(/[$,]/g, "");
      expect(parseUsd(digits)).toBe(nano);
    }),
  );
});

test("a decimal is written as an amount is, in every language, and keeps places beyond the nano-dollar", () => {
  fc.assert(
    fc.property(
      fc.bigInt(-(10n ** 18n), 10n ** 18n),
      fc.constantFrom(...LANGUAGES),
      fc.constantFrom(undefined, 9 as const),
      (nano, language, places) => {
        expect(decimalUsdText(formatUsd(nano), language, places)).toBe(moneyText(nano, language, places));
      },
    ),
  );
  expect(decimalUsdText("0.000000000037500", "en", 9)).toBe("$0.0000000000375");
});

test("a mean is rounded, and never to nothing", () => {
  expect(meanMoneyText(1_284_417_920n, "en")).toBe("$1.28");
  expect(meanMoneyText(3_625_600n, "en")).toBe("$0.0036");
  expect(meanMoneyText(362_560n, "en")).toBe("$0.0004");
  expect(meanMoneyText(36_256n, "en")).toBe("$0.000036");
  expect(meanMoneyText(362n, "en")).toBe("$0.000000362");
  fc.assert(
    fc.property(fc.bigInt(1n, 10n ** 18n), fc.constantFrom(...LANGUAGES), (nano, language) => {
      expect(meanMoneyText(nano, language)).toMatch(/[1-9]/);
    }),
  );
});

test("amounts are written as the language writes them", () => {
  const written = LANGUAGES.map((language) => plain(moneyText(1_234_560_000_000n, language)));
  expect(written).toEqual(["$1,234.56", "1.234,56 $", "1 234,56 $US", "1234,56 US$"]);
  expect(plain(moneyText(6_999_999_999n, "de"))).toBe("6,999999999 $");
  expect(plain(moneyText(7_000_000_000n, "de"))).toBe("7,00 $");
});

test("counts are whole while they are small", () => {
  expect(countText(9_999, "en")).toBe("9,999");
  expect(countText(612_000_000, "en")).toBe("612M");
  expect(countText(2_910_000_000n, "en")).toBe("2.9B");
});

test("small shares keep two places", () => {
  expect(percentText(0.0021, "en")).toBe("0.21%");
  expect(percentText(0.687, "en")).toBe("68.7%");
  expect(percentText(0, "en")).toBe("0%");
});

test("durations use the two largest units", () => {
  expect(durationText(612, "en")).toBe("612 ms");
  expect(durationText(1_786, "en")).toBe("1.79 s");
  expect(durationText(1_786, "de")).toBe("1,79 s");
  expect(durationText(125_900, "en")).toBe("2 min 5 s");
  expect(durationText(900_000_000, "en")).toBe("10 d 10 h");
  expect(durationText(900_000_000, "fr")).toBe("10 j 10 h");
});

test("an interval is told in the largest unit of which it has two", () => {
  const told = [20_000, 90_000, 120_000, 3_600_000, 7_200_000, 86_400_000, 172_800_000];
  expect(told.map((ms) => intervalText(ms, "en"))).toEqual([
    ...["20 seconds", "90 seconds", "2 minutes", "60 minutes", "2 hours", "24 hours", "2 days"],
  ]);
  expect(intervalText(600_000, "fr")).toBe("10 minutes");
});

test("times are told in the reader's language", () => {
  const now = new Date("2026-11-21T12:00:00Z");
  expect(relativeText(new Date("2026-11-21T11:57:00Z"), now, "en")).toBe("3 min. ago");
  expect(relativeText(new Date("2026-11-20T12:00:00Z"), now, "de")).toBe("gestern");
});
