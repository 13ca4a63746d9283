import { ticks } from "d3-array";

/**
 * Returns round values for an axis from zero to at least `maximum`, and the highest of them. No two have the same text.
 */
export function axisOf(
  maximum: number,
  format: (value: number) => string = String,
): { ticks: readonly number[]; top: number } {
  const top = maximum > 0 ? maximum : 1;
  // Four steps, or fewer if their texts would not differ.
  for (const count of [4, 3, 2]) {
    const axis = axisWith(count, top);
    if (new Set(axis.ticks.map(format)).size === axis.ticks.length) return axis;
  }
  return axisWith(1, top);
}

function axisWith(count: number, top: number) {
  const steps = ticks(0, top, count);
  const step = (steps[1] ?? top) - (steps[0] ?? 0);
  const last = steps.at(-1) ?? 0;
  return last >= top || step === 0
    ? { ticks: steps, top: last || top }
    : { ticks: [...steps, last + step], top: last + step };
}

/** Step between visible labels, so that at most `maximum` are visible. */
export const labelEvery = (labels: number, maximum: number): number => Math.max(1, Math.ceil(labels / maximum));

/** The colours of series in order; all further series share the last one. */
const SERIES_COLOURS = ["var(--s1)", "var(--s2)", "var(--s3)", "var(--s4)", "var(--s6)", "var(--s5)"] as const;
export const colourOf = (index: number): string =>
  SERIES_COLOURS[Math.min(index, SERIES_COLOURS.length - 1)] ?? "var(--s5)";
