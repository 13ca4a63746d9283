// The tables of the benchmark.

/** A line of a table: the name, then values. */
export const line = (...cells) =>
  cells.map((cell, i) => (i === 0 ? String(cell).padEnd(40) : String(cell).padStart(10))).join("");

export const times = (value, base) => `${(value / base).toFixed(2)} x`;
export const rounded = (value) => (value === null ? "unseen" : value.toFixed(0));
