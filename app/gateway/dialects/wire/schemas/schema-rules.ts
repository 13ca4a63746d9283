import type { SchemaRules } from "~/domain/catalogue/profiles";
import { isObject, type JsonObject } from "../events/reading";
import { LISTS, MAPS, modernSchema, ONE, plainParameters } from "./plain-schema";

/**
 * Returns a schema in the form that a model accepts. Refused keywords move into the description, as in the vendors' own
 * SDKs, and objects are closed if required. Does not modify its input.
 */
export function fitSchema(schema: unknown, rules: SchemaRules): unknown {
  const { refused, formats, closed, top, typed } = rules;
  const current = modernSchema(schema);
  if (refused.length === 0 && formats === null && !closed && top === null && !typed) return current;
  const fittedSchema = fitted(current, rules, new Set(refused));
  if (top === null || !isObject(fittedSchema)) return fittedSchema;
  return Object.fromEntries(Object.entries(fittedSchema).filter(([name]) => top.includes(name)));
}

function fitted(schema: unknown, rules: SchemaRules, refused: ReadonlySet<string>): unknown {
  if (Array.isArray(schema)) return schema.map((each) => fitted(each, rules, refused));
  if (!isObject(schema)) return schema;
  const supported: Record<string, unknown> = {};
  const sentences: string[] = [];
  const fittedMember = (name: string, inner: unknown) => (rules.typed && TYPED.has(name) ? typed(inner) : inner);
  const isObjects = [schema.type].flat().includes("object") || isObject(schema.properties);
  for (const [name, value] of Object.entries(schema)) {
    if (name === "description") continue;
    if (isRefused({ name, value }, rules, refused)) sentences.push(`${name}: ${JSON.stringify(value)}`);
    else if (name === "additionalProperties" && rules.closed) {
      if (value !== false) sentences.push(`additionalProperties: ${JSON.stringify(value)}`);
    } else if (MAPS.has(name) && isObject(value)) {
      supported[name] = Object.fromEntries(
        Object.entries(value).map(([key, inner]) => [key, fittedMember(name, fitted(inner, rules, refused))]),
      );
    } else if (ONE.has(name) || LISTS.has(name)) supported[name] = fittedMember(name, fitted(value, rules, refused));
    else supported[name] = value;
  }
  if (rules.typed) moveType(supported);
  const text = [
    ...(typeof schema.description === "string" ? [schema.description] : []),
    ...(sentences.length === 0 ? [] : [`{${sentences.join(", ")}}`]),
  ];
  return {
    ...supported,
    ...(text.length === 0 ? {} : { description: text.join("\n\n") }),
    ...(rules.closed && isObjects ? { additionalProperties: false } : {}),
  };
}

function isRefused(
  { name, value }: { name: string; value: unknown },
  rules: SchemaRules,
  refused: ReadonlySet<string>,
): boolean {
  if (name === "format") return rules.formats !== null && !rules.formats.includes(String(value));
  if (name === "minItems") return typeof value === "number" && value > rules.maxMinItems;
  return refused.has(name);
}

/** Members whose schemas get a type if the model requires one in every schema. */
const TYPED = new Set(["properties", "items", "anyOf"]);

/** Adds the type to a schema, or to each schema of a list. */
function typed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(typed);
  if (!isObject(schema) || UNTYPED.some((name) => name in schema)) return schema;
  return { type: typeOf(schema), ...schema };
}

/** A schema with one of these members has a type, or needs none. */
const UNTYPED = ["type", "anyOf", "oneOf", "allOf", "$ref", "not"];

/** Infers the type of a schema from its values or members; "string" by default. */
function typeOf({ const: only, enum: values, ...schema }: JsonObject): string {
  const value = Array.isArray(values) ? values.find((each) => each !== null) : only;
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  if (typeof value === "boolean") return "boolean";
  return "properties" in schema ? "object" : "items" in schema || "prefixItems" in schema ? "array" : "string";
}

/** Moves the type of a union into each of its schemas, and removes `items` beside `prefixItems`. */
function moveType(schema: Record<string, unknown>): void {
  const { type, anyOf } = schema;
  if (Array.isArray(anyOf) && type !== undefined) {
    schema.anyOf = anyOf.map((each) =>
      isObject(each) && !("$ref" in each) ? { ...each, type: each.type ?? type } : each,
    );
    delete schema.type;
  }
  if (Array.isArray(schema.prefixItems)) delete schema.items;
}

/** Returns the parameters of a tool as an object schema with properties, for any input schema. */
export const toolSchema = (schema: unknown, rules: SchemaRules): unknown => fitSchema(plainParameters(schema), rules);

/** Whether the model would reject the parameters of a tool as the client wrote them. */
export function mustFit(schema: unknown, rules: SchemaRules): boolean {
  if (!rules.plain) return false;
  if (plainParameters(schema) !== schema) return true;
  return rules.typed && JSON.stringify(fitSchema(schema, rules)) !== JSON.stringify(schema);
}

/** Whether a schema may be strict. Some models require that its objects are closed and require all properties. */
export function canBeStrict(schema: unknown, rules: SchemaRules): boolean {
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
