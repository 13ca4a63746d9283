/** Parses comma-separated values (RFC 4180) into rows with their first line numbers; null: a quote is not closed. */
export function csvRows(text: string, divider: string): { line: number; cells: string[] }[] | null {
  const rows: { line: number; cells: string[] }[] = [];
  const field = new RegExp(
    `(?:"((?:[^"]|"")*)"|([^"${divider}\\r\\n][^${divider}\\r\\n]*)?)(${divider}|\\r\\n|\\n|\\r|$)`,
    "y",
  );
  let [line, cells]: [number, string[]] = [1, []];
  let started = 1;
  while (field.lastIndex < text.length) {
    const match = field.exec(text);
    if (match === null) return null;
    const [whole, quoted, plain = "", end] = match;
    cells.push(quoted === undefined ? plain.trim() : quoted.replaceAll('""', '"'));
    line += whole.match(/\r\n|\r|\n/g)?.length ?? 0;
    if (end === divider && field.lastIndex < text.length) continue;
    if (end === divider) cells.push("");
    if (cells.some((cell) => cell !== "")) rows.push({ line: started, cells });
    cells = [];
    started = line;
  }
  return rows;
}
