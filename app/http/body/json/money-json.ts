import { apiError } from "~/errors/app-error";
import { formatUsd } from "~/values/money";
import { topLevelMembers } from "./json-surgery";
import type { ParsedJson } from "./parse-json";

/** A number as the client wrote it; parsing a decimal as a float could change the amount. */
export class NumberText {
  constructor(readonly text: string) {}
}

/**
 * Parses a JSON text. Numbers of the members named in `amounts`, at the top of an object, become `NumberText`. With
 * `mayBeEmpty`, an empty text is an empty object. `parsed`: the value of the text, when it has already been parsed.
 * @throws AppError invalid_json
 */
export function parseJson(
  text: string,
  options: { amounts?: readonly string[]; mayBeEmpty?: boolean } = {},
  parsed: ParsedJson | null = null,
): unknown {
  if (options.mayBeEmpty && text.trim() === "") return {};
  const value = parsed === null ? jsonOf(text) : parsed.value;
  if (!isObject(value) || !options.amounts?.length) return value;
  // The last of several members with one name applies, as in JSON.parse.
  const members = new Map((parsed?.members ?? topLevelMembers(text)).map((member) => [member.key, member]));
  for (const name of options.amounts) {
    const member = members.get(name);
    if (member !== undefined && typeof value[name] === "number")
      value[name] = new NumberText(text.slice(member.valueStart, member.valueEnd));
  }
  return value;
}

/**
 * Writes a value as JSON text. A bigint is an amount in nano-USD and becomes an exact decimal of US dollars without
 * trailing zeros. A date becomes ISO 8601. Undefined members are omitted.
 */
export function moneyJson(value: unknown): string {
  if (typeof value === "bigint") return usdNumber(value);
  if (Array.isArray(value)) return `[${value.map(moneyJson).join(",")}]`;
  if (!isObject(value) || value instanceof Date) return JSON.stringify(value) ?? "null";
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${moneyJson(member)}`).join(",")}}`;
}

/** Returns an amount as the shortest exact decimal, such as `10`, `0.5` or `0.000000001`. */
export const usdNumber = (nanoUsd: bigint): string => formatUsd(nanoUsd).replace(/\.?0+$/, "");

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw apiError("invalid_json", { cause });
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
