import { BYTE_ORDER_MARK, csvLine } from "~/values/csv";
import { formatUsd } from "~/values/money";
import { headerOf, lineOf, type ReportQuestion, type ReportRow, rowAnswer } from "./answer";
import type { Encoder } from "./encoder";
import type { ExportFormat } from "./shared";
import { xlsxEncoder } from "./xlsx";

/** Maximum rows of a file by format. */
export const MAX_ROWS: Record<ExportFormat, number> = { csv: 2_000_000, jsonl: 2_000_000, xlsx: 1_048_575 };

/** Returns the encoder of a format. Equal rows produce equal bytes. */
export function encoderOf(format: ExportFormat, question: ReportQuestion): Encoder {
  switch (format) {
    case "csv":
      return textEncoder(BYTE_ORDER_MARK + csvLine(headerOf(question)), (row) => csvLine(lineOf(question, row)));
    case "jsonl":
      return textEncoder("", (row) => `${jsonOf(rowAnswer(question, row))}\n`);
    case "xlsx":
      return xlsxEncoder(question);
  }
}

function textEncoder(first: string, lineFor: (row: ReportRow) => string): Encoder {
  return {
    begin: () => Buffer.from(first),
    rows: (rows) => Buffer.from(rows.map(lineFor).join("")),
    end: () => new Uint8Array(0),
  };
}

/** Encodes a row as JSON; amounts are exact decimals of US dollars. */
function jsonOf(row: Record<string, unknown>): string {
  const members = Object.entries(row).map(([name, value]) => {
    const text = typeof value === "bigint" ? formatUsd(value).replace(/\.?0+$/, "") : JSON.stringify(value);
    return `${JSON.stringify(name)}:${text}`;
  });
  return `{${members.join(",")}}`;
}
