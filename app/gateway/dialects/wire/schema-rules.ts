import type { SchemaRules } from "~/domain/catalogue/profiles";
import { isObject, type JsonObject } from "./reading";

/** Members of a schema that hold a schema, a list of them, or a map of names to them. */
const ONE = new Set(["items", "additionalProperties", "contains", "propertyNames", "not", "if", "then", "else"]);
const LISTS = new Set(["allOf", "anyOf", "oneOf", "prefixItems"]);
const MAPS = new Set(["properties", "$defs", "definitions", "patternProperties", "dependentSchemas"]);

/**
 * A schema as a model takes it: what it may not say stands in the description instead, as the vendors' own SDKs have it, and
 * objects are closed where they must be. The schema itself is left alone.
 */
export function fitSchema(schema: unknown, rules: SchemaRules): unknown {
  const { refused, formats, closed, top } = rules;
  if (refused.length === 0 && formats === null && !closed && top === null) return schema;
  const whole = fitted(schema, rules, new Set(refused));
  if (top === null || !isObject(whole)) return whole;
  return Object.fromEntries(Object.entries(whole).filter(([name]) => top.includes(name)));
}

function fitted(schema: unknown, rules: SchemaRules, refused: ReadonlySet<string>): unknown {
  if (Array.isArray(schema)) return schema.map((each) => fitted(each, rules, refused));
  if (!isObject(schema)) return schema;
  const kept: Record<string, unknown> = {};
  const told: string[] = [];
  const isObjects = [schema.type].flat().includes("object") || isObject(schema.properties);
  for (const [name, value] of Object.entries(schema)) {
    if (name === "description") continue;
    if (isRefused({ name, value }, rules, refused)) told.push(`${name}: ${JSON.stringify(value)}`);
    else if (name === "additionalProperties" && rules.closed) {
      if (value !== false) told.push(`additionalProperties: ${JSON.stringify(value)}`);
    } else if (MAPS.has(name) && isObject(value)) {
      kept[name] = Object.fromEntries(
        Object.entries(value).map(([key, inner]) => [key, fitted(inner, rules, refused)]),
      );
    } else kept[name] = ONE.has(name) || LISTS.has(name) ? fitted(value, rules, refused) : value;
  }
  const words = [
    ...(typeof schema.description === "string" ? [schema.description] : []),
    ...(told.length === 0 ? [] : [`{${told.join(", ")}}`]),
  ];
  return {
    ...kept,
    ...(words.length === 0 ? {} : { description: words.join("\n\n") }),
    ...(rules.closed && isObjects ? { additionalProperties: false } : {}),
  };
}

function isRefused(
  { name, value }: { name: string; value: unknown },
  rules: SchemaRules,
  refused: ReadonlySet<string>,
): boolean {
  if (name === "format") return rules.formats !== null && !rules.formats.includes(String(value));
  if (name === "minItems") return typeof value === "number" && value > rules.mostMinItems;
  return refused.has(name);
}

/** The parameters of a tool: an object, which says its properties where it has to. */
export function toolSchema(schema: unknown, rules: SchemaRules): unknown {
  if (!rules.properties || !lacksProperties(schema)) return fitSchema(schema, rules);
  return fitSchema({ type: "object", properties: {}, ...schema }, rules);
}

/** Whether the schema of a tool is an object that does not say its properties. */
export const lacksProperties = (schema: unknown): schema is JsonObject =>
  isObject(schema) &&
  (schema.type === undefined || schema.type === "object") &&
  schema.properties === undefined &&
  !["$ref", "anyOf", "oneOf", "allOf"].some((name) => name in schema);

/** Whether a schema may be called strict: where all must be required, every object is closed and requires all it has. */
export function maySayStrict(schema: unknown, rules: SchemaRules): boolean {
  return !rules.allRequired || requiresAll(schema);
}

function requiresAll(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.every(requiresAll);
  if (!isObject(schema)) return true;
  const { type, properties, required, additionalProperties } = schema;
  if ([type].flat().includes("object") || isObject(properties)) {
    const names = Object.keys(isObject(properties) ? properties : {});
    if (additionalProperties !== false) return false;
    if (!names.every((name) => Array.isArray(required) && required.includes(name))) return false;
  }
  return Object.entries(schema).every(([name, value]) => {
    if (MAPS.has(name) && isObject(value)) return Object.values(value).every(requiresAll);
    return !(ONE.has(name) || LISTS.has(name)) || requiresAll(value);
  });
}
