// An organisation chooses one colour; text in that colour stays readable in the light and dark theme. Contrast as in
// WCAG 2.2: https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio.

type Rgb = readonly [number, number, number];

const PAPER: Rgb = [255, 255, 255];
const SUNKEN: Rgb = [243, 241, 236];
const NIGHT: Rgb = [22, 27, 25];
const MIN_CONTRAST = 4.5;

/**
 * Returns a style sheet that replaces the portal's green by a colour, in both themes. If the colour is too pale or too
 * dark, it is shifted until text in it is readable. `hex` is six hexadecimal digits; returns null for any other text.
 */
export function accentSheet(hex: string): string | null {
  if (!/^[0-9a-f]{6}$/i.test(hex)) return null;
  const chosen: Rgb = [0, 2, 4].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as unknown as Rgb;
  const light = readable(chosen, (colour) => [SUNKEN, softByDay(colour)], [0, 0, 0]);
  const dark = readable(chosen, (colour) => [NIGHT, softAtNight(colour)], [255, 255, 255]);
  const pair = (name: string, day: Rgb, night: Rgb) => `--${name}:light-dark(${text(day)},${text(night)});`;
  // The doubled selector has a higher specificity, so the sheet wins in any order.
  return `:root:root{${[
    pair("accent", light, dark),
    pair("accent-strong", mixed(light, [0, 0, 0], 0.2), mixed(dark, [255, 255, 255], 0.2)),
    pair("accent-soft", softByDay(light), softAtNight(dark)),
    pair("accent-ink", PAPER, contrast(dark, [0, 0, 0]) >= MIN_CONTRAST ? [8, 12, 10] : PAPER),
    pair("s1", light, dark),
    pair("s2", mixed(light, PAPER, 0.4), mixed(dark, NIGHT, 0.5)),
  ].join("")}}`;
}

/** Background of the open page's row: the accent colour is readable on a pale mix of itself. */
const softByDay = (colour: Rgb): Rgb => mixed(colour, PAPER, 0.88);
const softAtNight = (colour: Rgb): Rgb => mixed(colour, NIGHT, 0.8);

/** Shifts a colour towards another one until it is readable on all backgrounds, some of which are mixed from it. */
function readable(colour: Rgb, backgroundsOf: (colour: Rgb) => Rgb[], towards: Rgb): Rgb {
  for (let share = 0; share < 1; share += 0.05) {
    const moved = mixed(colour, towards, share);
    if (backgroundsOf(moved).every((background) => contrast(moved, background) >= MIN_CONTRAST)) return moved;
  }
  return towards;
}

const mixed = (colour: Rgb, other: Rgb, share: number): Rgb =>
  colour.map((part, at) => Math.round(part * (1 - share) + (other[at] ?? 0) * share)) as unknown as Rgb;

const text = (colour: Rgb): string => `#${colour.map((part) => part.toString(16).padStart(2, "0")).join("")}`;

/** Contrast ratio from 1 (same colour) to 21 (black on white). */
export function contrast(one: Rgb, other: Rgb): number {
  const [high, low] = [luminance(one), luminance(other)].toSorted((a, b) => b - a) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

function luminance(colour: Rgb): number {
  const [red = 0, green = 0, blue = 0] = colour.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
