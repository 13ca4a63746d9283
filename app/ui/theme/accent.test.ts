import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { accentSheet, contrast } from "./accent";

const hex = fc.integer({ min: 0, max: 0xffffff }).map((colour) => colour.toString(16).padStart(6, "0"));
type Rgb = [number, number, number];
const rgb = (text: string) => [1, 3, 5].map((at) => Number.parseInt(text.slice(at, at + 2), 16)) as Rgb;

/** Colours of the portal's style sheet around the accent, in the light and dark theme. */
const tokens = Object.fromEntries(
  [
    ...readFileSync(new URL("tokens.css", import.meta.url), "utf8").matchAll(
      /--([\w-]+): light-dark\((#\w+), (#\w+)\)/g,
    ),
  ].map(([, name, light, dark]) => [name, [light, dark]]),
) as Record<string, [string, string]>;
const surfaces = (at: 0 | 1) => ["bg", "surface", "sunken"].map((name) => tokens[name]![at]);
const TOKENS = { light: surfaces(0), dark: surfaces(1), ink: tokens.ink! };

test("whatever colour is chosen, text in it can be read in light and in dark, and so can the words on its buttons", () => {
  fc.assert(
    fc.property(hex, (colour) => {
      const pairs = Object.fromEntries(
        [...(accentSheet(colour) ?? "").matchAll(/--([\w-]+):light-dark\((#\w+),(#\w+)\)/g)].map(
          ([, name, light, dark]) => [name, [light, dark]],
        ),
      ) as Record<string, [string, string]>;
      for (const [at, surfaces] of [TOKENS.light, TOKENS.dark].entries()) {
        const [accent, strong, soft, ink] = ["accent", "accent-strong", "accent-soft", "accent-ink"].map((name) =>
          rgb(pairs[name]![at]!),
        ) as [Rgb, Rgb, Rgb, Rgb];
        // Links and figures appear on every surface, the open page's row on the soft colour, and button text on both
        // accent colours.
        for (const surface of [...surfaces.map(rgb), soft])
          expect(contrast(accent, surface)).toBeGreaterThanOrEqual(4.5);
        for (const button of [accent, strong]) expect(contrast(ink, button)).toBeGreaterThanOrEqual(4.5);
        expect(contrast(rgb(TOKENS.ink[at]!), soft)).toBeGreaterThanOrEqual(4.5);
      }
    }),
    { numRuns: 2_000 },
  );
});

test("only six hexadecimal digits are a colour", () => {
  for (const text of ["", "12345", "1234567", "red;}", "12345g"]) expect(accentSheet(text)).toBeNull();
});
