export type CsvCell = string | number | Date | boolean | null;

/** A number and nothing else is no formula, and programs read it. */
const DECIMAL = /^-?\d+(\.\d+)?$/;

/** One line of comma-separated values (RFC 4180). Texts that a spreadsheet would run as a formula get an apostrophe in front. */
export function csvLine(cells: readonly CsvCell[]): string {
  return `${cells.map(csvCell).join(",")}\r\n`;
}

function csvCell(cell: CsvCell): string {
  if (cell === null) return "";
  if (cell instanceof Date) return cell.toISOString();
  if (typeof cell !== "string") return String(cell);
  const text = /^\s*[=+\-@]|^[\t\r\n]/.test(cell) && !DECIMAL.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
