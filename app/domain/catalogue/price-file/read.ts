import { z } from "zod";
import { type FilePrice, PriceEntry } from "../file/file-schema";
import { csvRows } from "./csv";
import {
  FILE_COLUMNS,
  type FileProblem,
  isJsonColumn,
  type LineProblem,
  MAX_FILE_CHARACTERS,
  MAX_FILE_LINES,
  PRICE_COLUMNS,
} from "./shared";

/** A parsed line. `price` null: it has no price. */
export type PriceLine = {
  /** Line number in a CSV file, entry number in JSON, from 1. */
  line: number;
  supplier: string;
  model: string;
  upstreamModel: string;
  price: FilePrice | null;
  problems: readonly LineProblem[];
};

type Fields = { line: number; fields: Readonly<Record<string, unknown>> };
type Read = { lines: readonly PriceLine[]; problem: null } | { lines: null; problem: FileProblem };

/**
 * Parses prices from CSV (commas, semicolons or tabs) with column names in the first line, or from JSON: a list of
 * objects with these fields, alone or as `prices`. Reads decimals from their source text. Validates each line
 * separately.
 */
export function readPriceFile(text: string): Read {
  if (text.length > MAX_FILE_CHARACTERS) return { lines: null, problem: { code: "tooLong" } };
  const plain = text.replace(/^\ufeff/, "").trim();
  if (plain === "") return { lines: null, problem: { code: "empty" } };
  const read = /^[[{]/.test(plain) ? jsonEntries(plain) : csvEntries(plain);
  if (!Array.isArray(read)) return { lines: null, problem: read };
  if (read.length === 0) return { lines: null, problem: { code: "empty" } };
  if (read.length > MAX_FILE_LINES) return { lines: null, problem: { code: "tooLong" } };
  return { lines: read.map(lineOf), problem: null };
}

function csvEntries(text: string): Fields[] | FileProblem {
  const [first = ""] = text.split(/[\r\n]/, 1);
  const divider = [",", ";", "\t"].find((each) => first.includes(each)) ?? ",";
  const read = csvRows(text, divider);
  if (read === null) return { code: "quote" };
  const [header = { line: 1, cells: [] }, ...rows] = read;
  const names = header.cells.map((name) => name.toLowerCase());
  const wrong = names.filter((name, at) => !FILE_COLUMNS.includes(name) || names.indexOf(name) !== at);
  if (wrong.length > 0) return { code: "columns", columns: wrong.map((name) => name.slice(0, 100)) };
  const missing = ["supplier", "model"].filter((name) => !names.includes(name));
  if (missing.length > 0) return { code: "columns", columns: missing };
  return rows.map(({ line, cells }) => {
    const fields = Object.fromEntries(names.flatMap((name, at) => (cells[at] ? [[name, unguarded(cells[at])]] : [])));
    // More cells than names, for example because of a decimal comma.
    return { line, fields: cells.length > names.length ? { ...fields, "": "" } : fields };
  });
}

/** Removes the apostrophe that keeps a spreadsheet from evaluating a cell. */
const unguarded = (cell: string): string => cell.replace(/^'(?=\s*[=+\-@])/, "");

function jsonEntries(text: string): Fields[] | FileProblem {
  const value = jsonOf(text);
  const list = Array.isArray(value) ? value : (value as { prices?: unknown } | null)?.prices;
  if (!Array.isArray(list)) return { code: "json" };
  return list.map((entry: unknown, at) => {
    const isEntry = typeof entry === "object" && entry !== null && !Array.isArray(entry);
    const fields = isEntry ? Object.entries(entry).filter(([, each]) => each !== null && each !== "") : [["", ""]];
    return { line: at + 1, fields: Object.fromEntries(fields) };
  });
}

/** Parses JSON with its numbers as their source texts; undefined: invalid JSON. */
function jsonOf(text: string): unknown {
  const quoted = text.replace(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g, (token) =>
    token.startsWith('"') ? token : `"${token}"`,
  );
  try {
    return JSON.parse(quoted);
  } catch {
    return undefined;
  }
}

const Name = z.string().trim().min(1).max(200);

function lineOf({ line, fields }: Fields): PriceLine {
  const problems: LineProblem[] = [];
  for (const column of Object.keys(fields))
    if (!FILE_COLUMNS.includes(column))
      problems.push(column === "" ? { code: "shape" } : { code: "column", column: column.slice(0, 100) });
  const name = (column: string, otherwise = ""): string => {
    const read = Name.safeParse(fields[column] ?? otherwise);
    if (!read.success && problems.every(({ code }) => code !== "name")) problems.push({ code: "name" });
    return read.data ?? "";
  };
  const [supplier, model] = [name("supplier"), name("model")];
  const names = { line, supplier, model, upstreamModel: name("upstream_model", model) };
  const { price, wrong } = priceOf(fields);
  return { ...names, price, problems: [...problems, ...wrong] };
}

function priceOf(fields: Fields["fields"]): Pick<PriceLine, "price"> & { wrong: LineProblem[] } {
  const prices = PRICE_COLUMNS.flatMap((column) =>
    fields[column] === undefined ? [] : [[column, fields[column]] as const],
  );
  if (prices.length === 0) return { price: null, wrong: [] };
  const entries = prices.map(([column, value]) =>
    isJsonColumn(column) && typeof value === "string" ? [column, jsonOf(value)] : [column, value],
  );
  const read = PriceEntry.safeParse(Object.fromEntries(entries));
  if (read.success) return { price: read.data, wrong: [] };
  const columns = new Set(read.error.issues.map(({ path }) => String(path[0] ?? prices[0]?.[0])));
  return { price: null, wrong: [...columns].map((column) => ({ code: "amount", column })) };
}
