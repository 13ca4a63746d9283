import { Zip, ZipDeflate } from "fflate";
import type { CsvCell } from "~/values/csv";
import { headerOf, lineOf, type ReportQuestion } from "./answer";
import type { Encoder } from "./encoder";

// Own code by decision: the libraries that stream workbooks are unmaintained, and an unformatted table is five small documents.

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const PACKAGE = "http://schemas.openxmlformats.org/package/2006";
const SPREADSHEET = "application/vnd.openxmlformats-officedocument.spreadsheetml";
/** A fixed time, so that equal rows produce equal bytes. */
const WRITTEN_AT = "2000-01-01T12:00:00";
const MAX_CELL_LENGTH = 32_767;
const DAY_MS = 86_400_000;
/** Days from the spreadsheet epoch to 1970. */
const EPOCH_DAYS = 25_569;

const PARTS: readonly [name: string, content: string][] = [
  [
    "[Content_Types].xml",
    `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
      `<Override PartName="/xl/workbook.xml" ContentType="${SPREADSHEET}.sheet.main+xml"/>` +
      `<Override PartName="/xl/styles.xml" ContentType="${SPREADSHEET}.styles+xml"/>` +
      `<Override PartName="/xl/worksheets/sheet1.xml" ContentType="${SPREADSHEET}.worksheet+xml"/></Types>`,
  ],
  [
    "_rels/.rels",
    `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  ],
  [
    "xl/workbook.xml",
    `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets><sheet name="Report" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  ],
  [
    "xl/_rels/workbook.xml.rels",
    `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/worksheet" Target="worksheets/sheet1.xml"/>` +
      `<Relationship Id="rId2" Type="${OFFICE}/styles" Target="styles.xml"/></Relationships>`,
  ],
  [
    "xl/styles.xml",
    `<styleSheet xmlns="${MAIN}"><numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd\\ hh:mm"/></numFmts>` +
      '<fonts count="1"><font/></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>' +
      '<borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs>' +
      '<cellXfs count="2"><xf xfId="0"/><xf xfId="0" numFmtId="164" applyNumberFormat="1"/></cellXfs></styleSheet>',
  ],
];

/** Encodes a workbook with one sheet. Text cells are never formulas; times are in the question's time zone. */
export function xlsxEncoder(question: ReportQuestion): Encoder {
  let made: Uint8Array[] = [];
  const zip = new Zip((error, chunk) => {
    if (error) throw error;
    made.push(chunk);
  });
  const takeOutput = (): Uint8Array => {
    const chunks = made;
    made = [];
    return Buffer.concat(chunks);
  };
  const add = (name: string): ZipDeflate => {
    const part = new ZipDeflate(name, { level: 6 });
    part.mtime = WRITTEN_AT;
    zip.add(part);
    return part;
  };
  const clock = clockOf(question.window.timeZone);
  // Amounts and counts are number cells.
  const amounts = new Set(headerOf(question).flatMap((name, column) => (name === "charged_usd" ? [column] : [])));
  let sheet: ZipDeflate;
  const push = (text: string, isLast = false) => sheet.push(Buffer.from(text), isLast);
  return {
    begin() {
      for (const [name, content] of PARTS) add(name).push(Buffer.from(XML + content), true);
      sheet = add("xl/worksheets/sheet1.xml");
      push(`${XML}<worksheet xmlns="${MAIN}"><sheetData><row>${headerOf(question).map(textCell).join("")}</row>`);
      return takeOutput();
    },
    rows(rows) {
      const cell = (value: CsvCell, column: number) => cellOf(amounts.has(column) ? Number(value) : value, clock);
      push(rows.map((row) => `<row>${lineOf(question, row).map(cell).join("")}</row>`).join(""));
      return takeOutput();
    },
    end() {
      push("</sheetData></worksheet>", true);
      zip.end();
      return takeOutput();
    },
  };
}

function cellOf(value: CsvCell, clock: (at: Date) => number): string {
  if (value === null) return "<c/>";
  if (value instanceof Date) return `<c s="1"><v>${clock(value)}</v></c>`;
  if (typeof value === "number") return `<c><v>${value}</v></c>`;
  return textCell(String(value));
}

const textCell = (text: string): string =>
  `<c t="inlineStr"><is><t xml:space="preserve">${escaped(text.slice(0, MAX_CELL_LENGTH))}</t></is></c>`;

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

/**
 * Escapes a text. Removes characters that XML forbids, and escapes texts that look like `_x0041_` (ECMA-376, ST_Xstring).
 */
const escaped = (text: string): string =>
  text
    .replace(/_(?=x[0-9a-f]{4}_)/gi, "_x005F_")
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "")
    .replace(/[&<>]/g, (character) => ENTITIES[character] as string);

/** Local time in a zone as a spreadsheet's day number. */
function clockOf(timeZone: string): (at: Date) => number {
  const format = new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "medium" });
  let last = { at: Number.NaN, shown: 0 };
  return (at) => {
    // Rows are ordered by time, and many have the same time as the previous row.
    if (at.getTime() !== last.at) {
      const shown = Date.parse(`${format.format(at).replace(" ", "T")}Z`) / DAY_MS + EPOCH_DAYS;
      last = { at: at.getTime(), shown };
    }
    return last.shown;
  };
}
