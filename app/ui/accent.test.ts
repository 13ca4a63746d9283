import fc from "fast-check";
import { expect, test } from "vitest";
import { accentSheet, contrast } from "./accent";

const hex = fc.integer({ min: 0, max: 0xffffff }).map((colour) => colour.toString(16).padStart(6, "0"));
const rgb = (text: string) => [1, 3, 5].map((at) => Number.parseInt(text.slice(at, at + 2), 16)) as never;

test("whatever colour is chosen, text in it can be read in light and in dark, and so can the words on its buttons", () => {
  fc.assert(
    fc.property(hex, (colour) => {
      const pairs = Object.fromEntries(
        [...(accentSheet(colour) ?? "").matchAll(/--([\w-]+):light-dark\((#\w+),(#\w+)\)/g)].map(
          ([, name, light, dark]) => [name, [light, dark]],
        ),
      );
      expect(contrast(rgb(pairs.accent[0]), rgb("#ffffff"))).toBeGreaterThanOrEqual(4.5);
      expect(contrast(rgb(pairs.accent[0]), rgb("#f3f1ec"))).toBeGreaterThanOrEqual(4.5);
      expect(contrast(rgb(pairs.accent[1]), rgb("#161b19"))).toBeGreaterThanOrEqual(4.5);
      expect(contrast(rgb(pairs["accent-ink"][0]), rgb(pairs.accent[0]))).toBeGreaterThanOrEqual(4.5);
      expect(contrast(rgb(pairs["accent-ink"][1]), rgb(pairs.accent[1]))).toBeGreaterThanOrEqual(4.5);
    }),
  );
});

test("only six hexadecimal digits are a colour", () => {
  for (const text of ["", "12345", "1234567", "red;}", "12345g"]) expect(accentSheet(text)).toBeNull();
});
