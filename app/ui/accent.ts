// An organisation chooses one colour; what is written in it stays readable on paper and at night. Contrast after WCAG 2.2,
// https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio.

type Rgb = readonly [number, number, number];

const PAPER: Rgb = [255, 255, 255];
const SUNKEN: Rgb = [243, 241, 236];
const NIGHT: Rgb = [22, 27, 25];
const MIN_CONTRAST = 4.5;

/**
 * The style sheet that puts a colour in place of the portal's green, in light and dark. Too pale or too dark a colour is
 * moved towards ink or paper until text in it can be read. `hex` is six hexadecimal digits; null for anything else.
 */
export function accentSheet(hex: string): string | null {
  if (!/^[0-9a-f]{6}$/i.test(hex)) return null;
  const chosen: Rgb = [0, 2, 4].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as unknown as Rgb;
  const light = readable(chosen, (colour) => [SUNKEN, softByDay(colour)], [0, 0, 0]);
  const dark = readable(chosen, (colour) => [NIGHT, softAtNight(colour)], [255, 255, 255]);
  const pair = (name: string, day: Rgb, night: Rgb) => `--${name}:light-dark(${text(day)},${text(night)});`;
  // Twice the selector, so that the sheet wins wherever it stands.
  return `:root:root{${[
    pair("accent", light, dark),
    pair("accent-strong", mixed(light, [0, 0, 0], 0.2), mixed(dark, [255, 255, 255], 0.2)),
    pair("accent-soft", softByDay(light), softAtNight(dark)),
    pair("accent-ink", PAPER, contrast(dark, [0, 0, 0]) >= MIN_CONTRAST ? [8, 12, 10] : PAPER),
    pair("s1", light, dark),
    pair("s2", mixed(light, PAPER, 0.4), mixed(dark, NIGHT, 0.5)),
  ].join("")}}`;
}

/** What marks the page that is open: the colour is written on a little of itself. */
const softByDay = (colour: Rgb): Rgb => mixed(colour, PAPER, 0.88);
const softAtNight = (colour: Rgb): Rgb => mixed(colour, NIGHT, 0.8);

/** Moves a colour towards another one until it can be read on every background, of which some are made of it. */
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

/** From 1, the same, to 21, black on white. */
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
