import type { Route } from "~/domain/catalogue/shared";
import { apiError } from "~/errors/app-error";
import { editMembers, type Member, topLevelMembers } from "~/http/body/json/json-surgery";
import { membersInText, membersInValue } from "~/http/body/json/member-count";
import type { ParsedJson } from "~/http/body/json/parse-json";
import { steers } from "./steering-fields";

/**
 * Returns a request body as an object; `parsed` is the result if it was parsed before. Rejects objects with duplicate
 * members, because the supplier could read a different value than the one that gw checked.
 * @throws AppError invalid_json
 */
export function parseBody(text: string, parsed: ParsedJson | null = null): Record<string, unknown> {
  const body = parsed === null ? jsonOf(text) : parsed.value;
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    throw apiError("invalid_json", { userMessage: "The request body must be a JSON object." });
  }
  if (parsed === null ? membersInValue(body) < membersInText(text) : parsed.namesTwice) {
    // Throws an error that names the field if the duplicate is a decisive one.
    membersOf(text, parsed);
    throw apiError("invalid_json", {
      userMessage: "An object in the request body has two members of the same name. Give each of them once.",
    });
  }
  return body as Record<string, unknown>;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw apiError("invalid_json", { cause });
  }
}

/** Fields that decide the route of a request, the form of its answer or its maximum cost. */
const DECISIVE: ReadonlySet<string> = new Set(
  [
    "model region metadata stream stream_options store background",
    "messages system tools input instructions query documents prompt web_search_options",
    "n max_tokens max_completion_tokens max_output_tokens top_n service_tier speed inference_geo",
    "previous_response_id conversation container mcp_servers rank_fields stream_format voice thread fallbacks",
  ].flatMap((names) => names.split(" ")),
);
const SMALL = /^[a-z0-9_]*$/;

/**
 * Returns the top-level members of a body. A decisive field may occur once, in lower case. Some parsers take the first
 * of two members and some the last, and some ignore case: a supplier could read a different value than gw.
 * @throws AppError invalid_request; invalid_json if values are nested too deeply.
 */
export function membersOf(text: string, parsed: ParsedJson | null = null): readonly Member[] {
  const members = parsed === null ? topLevelMembers(text) : parsed.members;
  const seen = new Set<string>();
  for (const { key } of members) {
    // Upper case first, so that the long s and the Kelvin sign become plain letters too.
    const name = SMALL.test(key) ? key : key.toUpperCase().toLowerCase();
    if (!DECISIVE.has(name)) continue;
    check(key === name, name, "must be written in small letters");
    check(!seen.has(name), name, "may be given once");
    seen.add(name);
  }
  return members;
}

/** Throws invalid_request with the field's name unless `fine`. */
export function check(fine: boolean, param: string, rule: string): asserts fine {
  if (!fine) throw apiError("invalid_request", { userMessage: `The field ${param} ${rule}.`, param });
}

/** Returns the requested model. @throws AppError missing_model */
export function modelOf(body: Readonly<Record<string, unknown>>): string {
  const { model } = body;
  if (model === undefined || model === "") throw apiError("missing_model", { param: "model" });
  check(typeof model === "string" && model.length <= 256, "model", "must be the id of a model");
  return model;
}

/** Returns the region of this call in lower case; null if there is none. */
export function regionOf(body: Readonly<Record<string, unknown>>): string | null {
  const { region } = body;
  if (region == null) return null;
  check(typeof region === "string" && region !== "", "region", "must be a region name");
  return region.toLowerCase();
}

/** Returns the session id from gw's two fields in `metadata`, in order of precedence. `serve` reads the header. */
export function sessionIdOf(metadata: Readonly<Record<string, unknown>> | null | undefined): string | null {
  for (const name of ["session_id", "sticky_key"]) {
    const value = metadata?.[name];
    if (typeof value === "string" && value !== "") return value.slice(0, 256);
  }
  return null;
}

export function checkNumber({
  body,
  name,
  low,
  high,
}: {
  body: Readonly<Record<string, unknown>>;
  name: string;
  low: number;
  high: number;
}): void {
  const value = body[name];
  if (value == null) return;
  check(typeof value === "number" && value >= low && value <= high, name, `must be a number from ${low} to ${high}`);
}

export function checkFlag(body: Readonly<Record<string, unknown>>, name: string): void {
  check(body[name] == null || typeof body[name] === "boolean", name, "must be true or false");
}

export function checkObject(body: Readonly<Record<string, unknown>>, name: string): void {
  const value = body[name];
  check(value == null || (typeof value === "object" && !Array.isArray(value)), name, "must be an object");
}

/** Returns an integer from `low` to `high`; null if the field is missing. */
export function wholeNumber(
  body: Readonly<Record<string, unknown>>,
  name: string,
  { low = 1, high = 10_000_000 }: { low?: number; high?: number } = {},
): number | null {
  const value = body[name];
  if (value == null) return null;
  check(
    Number.isInteger(value) && (value as number) >= low && (value as number) <= high,
    name,
    `must be a whole number from ${low} to ${high}`,
  );
  return value as number;
}

/**
 * Returns the edits, for `editMembers`, that set the supplier's model name and remove gw's own fields and fields that
 * would steer the supplier.
 */
export function ownFieldEdits(
  { text, body, members }: { text: string; body: Readonly<Record<string, unknown>>; members: readonly Member[] },
  { upstreamModel, supplier }: Route,
): Record<string, string | null> {
  const edits: Record<string, string | null> = { model: JSON.stringify(upstreamModel) };
  for (const { key } of members) if (steers(key, supplier)) edits[key] = null;
  if (Object.hasOwn(body, "region")) edits.region = null;
  const metadata = body.metadata as Record<string, unknown> | null | undefined;
  if (metadata && OWN_METADATA.some((name) => name in metadata)) {
    const member = members.find(({ key }) => key === "metadata")!;
    const original = text.slice(member.valueStart, member.valueEnd);
    const rest = editMembers(
      original,
      topLevelMembers(original),
      Object.fromEntries(OWN_METADATA.map((name) => [name, null])),
    );
    edits.metadata = rest === "{}" ? null : rest;
  }
  return edits;
}

const OWN_METADATA: readonly string[] = ["session_id", "sticky_key", "autorouter"];
