export type CsvCell = string | number | Date | boolean | null;

/** What a file for people begins with: without it spreadsheets on Windows read UTF-8 as the letters of their country. */
export const BYTE_ORDER_MARK = "\ufeff";

/** A number and nothing else is no formula, and programs read it. */
const DECIMAL = /^-?\d+(\.\d+)?$/;

/**
 * What a spreadsheet that divides at semicolons, tabs or lines takes for the beginning of a cell, whatever is quoted: to it a
 * quotation mark in the middle of its own cell is a letter.
 */
const FORMULA_WITHIN = /([;\t\r\n])(?=\s*[=+\-@＝＋－＠])/g;
/** Spreadsheets with East Asian input take the wide forms for the same signs. */
const FORMULA = /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/;

/**
 * One line of comma-separated values (RFC 4180). Texts that a spreadsheet would run as a formula get an apostrophe in front, also
 * where one that divides elsewhere would begin a cell.
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
