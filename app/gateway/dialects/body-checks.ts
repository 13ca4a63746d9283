import { refusal } from "~/errors/app-error";

/** A request body as an object. @throws AppError invalid_json */
export function parseBody(text: string): Record<string, unknown> {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch (cause) {
    throw refusal("invalid_json", { cause });
  }
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    throw refusal("invalid_json", { human: "The request body must be a JSON object." });
  }
  return body as Record<string, unknown>;
}

/** Refuses with invalid_request, naming the field, unless it is `fine`. */
export function check(fine: boolean, param: string, rule: string): asserts fine {
  if (!fine) throw refusal("invalid_request", { human: `The field ${param} ${rule}.`, param });
}

/** The model that is asked for. @throws AppError missing_model */
export function modelOf(body: Readonly<Record<string, unknown>>): string {
  const { model } = body;
  if (model === undefined || model === "") throw refusal("missing_model", { param: "model" });
  check(typeof model === "string" && model.length <= 256, "model", "must be the id of a model");
  return model;
}

/** The per-call region, lower-case; null when there is none. */
export function regionOf(body: Readonly<Record<string, unknown>>): string | null {
  const { region } = body;
  if (region == null) return null;
  check(typeof region === "string" && region !== "", "region", "must be a region name");
  return region.toLowerCase();
}

/** gw's own two fields inside `metadata`, in their order of precedence; the header is read by `serve`. */
export function sessionIdOf(metadata: Readonly<Record<string, unknown>> | null | undefined): string | null {
  for (const name of ["session_id", "sticky_key"]) {
    const value = metadata?.[name];
    if (typeof value === "string" && value !== "") return value.slice(0, 256);
  }
  return null;
}

export function checkNumber(body: Readonly<Record<string, unknown>>, name: string, low: number, high: number): void {
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

/** A whole number from `low` to `high`; null when the field is not there. */
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

/** The edits that take gw's own fields out of a body and name the supplier's model, for `editMembers`. */
export function ownFieldEdits(
  body: Readonly<Record<string, unknown>>,
  upstreamModel: string,
): Record<string, string | null> {
  const edits: Record<string, string | null> = { model: JSON.stringify(upstreamModel) };
  if (Object.hasOwn(body, "region")) edits.region = null;
  const metadata = body.metadata as Record<string, unknown> | null | undefined;
  if (metadata && OWN_METADATA.some((name) => name in metadata)) {
    const rest = Object.entries(metadata).filter(([name]) => !OWN_METADATA.includes(name));
    edits.metadata = rest.length === 0 ? null : JSON.stringify(Object.fromEntries(rest));
  }
  return edits;
}

const OWN_METADATA: readonly string[] = ["session_id", "sticky_key", "autorouter"];
