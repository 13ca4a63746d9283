export type CsvCell = string | number | Date | boolean | null;

/** First character of a file for people: without it, spreadsheets on Windows read UTF-8 in the local code page. */
export const BYTE_ORDER_MARK = "\ufeff";

/** A plain number, which is not a formula, and which programs read as it is. */
const DECIMAL = /^-?\d+(\.\d+)?$/;

/**
 * Beginning of a formula in the middle of a text. A spreadsheet that splits at semicolons, tabs or line breaks starts a
 * new cell there even in a quoted text, because it treats a quotation mark in the middle of its own cell as a letter.
 */
const FORMULA_WITHIN = /([;\t\r\n])(?=\s*[=+\-@＝＋－＠])/g;
/** Spreadsheets with East Asian input also treat the full-width signs as formulas. */
const FORMULA = /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/;

/**
 * Returns one line of comma-separated values (RFC 4180). Adds an apostrophe before texts that a spreadsheet would run
 * as a formula, including positions where a spreadsheet with another separator would start a cell.
 */
export function csvLine(cells: readonly CsvCell[]): string {
  return `${cells.map(csvCell).join(",")}\r\n`;
}

function csvCell(cell: CsvCell): string {
  if (cell === null) return "";
  if (cell instanceof Date) return cell.toISOString();
  if (typeof cell !== "string") return String(cell);
  const inner = cell.replace(FORMULA_WITHIN, "$1'");
  const text = FORMULA.test(cell) && !DECIMAL.test(cell) ? `'${inner}` : inner;
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
