import { isObject, type JsonObject } from "../events/reading";

/** Members of a schema that contain one schema, a list of schemas, or a map of names to schemas. */
export const ONE = new Set(["items", "additionalProperties", "contains", "propertyNames", "not", "if", "then", "else"]);
export const LISTS = new Set(["allOf", "anyOf", "oneOf", "prefixItems"]);
export const MAPS = new Set(["properties", "$defs", "definitions", "patternProperties", "dependentSchemas"]);

/** Members with plain values, which are not schemas even if they look like one. */
const VALUES = new Set(["const", "enum", "default", "examples"]);
/** Maximum nesting depth; deeper schemas stay unchanged. */
const DEEPEST = 200;

/**
 * Returns the parameters of a tool in a form that every supplier accepts: an object schema with properties, without
 * unions at the top, with the keywords of the current draft of JSON Schema. Returns the same object if nothing changes.
 */
export const plainParameters = (schema: unknown): JsonObject =>
  asObject(isObject(schema) ? (modernSchema(schema) as JsonObject) : {});

type Schema = Record<string, unknown>;

/**
 * Returns a schema with the keywords of the current draft. Suppliers reject older keywords and null members as invalid.
 */
export function modernSchema(schema: unknown, depth = 0): unknown {
  if (typeof schema !== "object" || schema === null || depth > DEEPEST) return schema;
  if (Array.isArray(schema)) return changed(schema, (each) => modernSchema(each, depth + 1));
  const plainMember = (name: string, value: unknown): unknown => {
    if (MAPS.has(name) && isObject(value)) return mapped(value, (each) => modernSchema(each, depth + 1));
    return ONE.has(name) || LISTS.has(name) ? modernSchema(value, depth + 1) : value;
  };
  const plain = mapped(schema as JsonObject, (value, name) => plainMember(name, value));
  return isOutdated(plain) ? current(plain) : plain;
}

const isOutdated = (schema: JsonObject): boolean => {
  const { items, required, exclusiveMinimum, exclusiveMaximum } = schema;
  if (Array.isArray(items) || typeof required === "boolean") return true;
  if (typeof exclusiveMinimum === "boolean" || typeof exclusiveMaximum === "boolean") return true;
  if (items == null && saysType(schema, "array")) return true;
  for (const name in schema) if (schema[name] === null && !VALUES.has(name)) return true;
  return false;
};

const saysType = ({ type }: JsonObject, name: string): boolean =>
  type === name || (Array.isArray(type) && type.includes(name));

function current(schema: JsonObject): JsonObject {
  const { items, additionalItems, required, ...given } = schema;
  const supported: Schema = Object.fromEntries(
    Object.entries(given).filter(([name, value]) => value !== null || VALUES.has(name)),
  );
  if (Array.isArray(required)) supported.required = required;
  for (const [limit, bound] of LIMITS) {
    if (typeof supported[limit] !== "boolean") continue;
    if (supported[limit] === true && supported[bound] !== undefined) {
      supported[limit] = supported[bound];
      delete supported[bound];
    } else delete supported[limit];
  }
  if (Array.isArray(items)) return { ...supported, prefixItems: items, items: additionalItems ?? {} };
  // An array schema always declares `items`, even if any item is valid.
  if (items == null) return saysType(schema, "array") ? { ...supported, items: {} } : supported;
  return { ...supported, items };
}

/** Keywords that older drafts defined as flags beside a bound. */
const LIMITS = [
  ["exclusiveMinimum", "minimum"],
  ["exclusiveMaximum", "maximum"],
] as const;

/** Maps a list; returns the same list if no value changes. */
function changed(list: readonly unknown[], change: (value: unknown) => unknown): readonly unknown[] {
  const after = list.map(change);
  return after.every((value, at) => value === list[at]) ? list : after;
}

/** Maps the values of an object; returns the same object if no value changes. */
function mapped(object: JsonObject, change: (value: unknown, name: string) => unknown): JsonObject {
  let after: Schema | null = null;
  for (const name in object) {
    const value = change(object[name], name);
    if (value === object[name]) continue;
    after ??= { ...object };
    after[name] = value;
  }
  return after ?? object;
}

const UNIONS = ["anyOf", "oneOf", "allOf"] as const;
/** Members that do not define properties; suppliers reject them at the top level. */
const REFUSED = ["not", "enum"] as const;

function asObject(schema: JsonObject): JsonObject {
  const isPlain =
    schema.type === "object" &&
    isObject(schema.properties) &&
    !("$ref" in schema) &&
    ![...UNIONS, ...REFUSED].some((name) => name in schema);
  if (isPlain) return schema;
  const {
    type: _type,
    properties,
    required,
    description,
    ...rest
  } = flattened(schema, {
    root: schema,
    left: MAX_BRANCHES,
  });
  const text = [description, ...descriptionsOf(schema)].filter((words) => typeof words === "string").join("\n\n");
  return {
    type: "object",
    ...(text === "" ? {} : { description: text }),
    properties: isObject(properties) ? properties : {},
    ...(Array.isArray(required) && required.length > 0 ? { required } : {}),
    ...rest,
  };
}

/** Maximum schemas visited per tool, because references can multiply them. */
const MAX_BRANCHES = 1_000;

type Within = { root: JsonObject; left: number };

/** Returns a schema with the properties of all its references and union branches. */
function flattened(schema: JsonObject, within: Within): JsonObject {
  within.left -= 1;
  if (within.left < 0) return {};
  const { $ref, ...own } = schema;
  const target = referred($ref, within.root);
  const {
    anyOf,
    oneOf,
    allOf,
    not: _not,
    enum: _enum,
    ...rest
  } = target === null ? own : { ...flattened(target, within), ...own };
  const branches = (list: unknown) =>
    Array.isArray(list) ? list.filter(isObject).map((each) => flattened(each, within)) : [];
  const all = branches(allOf);
  const choices = [branches(anyOf), branches(oneOf)].filter((choice) => choice.length > 0);
  if (all.length === 0 && choices.length === 0) return rest;
  const parts = [rest, ...all, ...choices.flat()];
  const always = choices.flatMap((choice) =>
    requiredBy(choice[0]!).filter((name) => choice.every((each) => requiredBy(each).includes(name))),
  );
  const required = [...new Set([...requiredBy(rest), ...all.flatMap(requiredBy), ...always])];
  return { ...rest, properties: joined(parts), required };
}

const requiredBy = ({ required }: JsonObject): string[] => (Array.isArray(required) ? required : []);

/** Merges the properties of several schemas. Different definitions of one property become an `anyOf`. */
function joined(schemas: readonly JsonObject[]): JsonObject {
  const all = new Map<string, Map<string, unknown>>();
  for (const { properties } of schemas)
    for (const [name, schema] of Object.entries(isObject(properties) ? properties : {})) {
      const members = all.get(name) ?? new Map<string, unknown>();
      all.set(name, members.set(JSON.stringify(schema), schema));
    }
  const schemaOf = (members: ReadonlyMap<string, unknown>): unknown => {
    // Skip branches that name the property without constraints.
    const filled = [...members].filter(([text]) => text !== "{}" && text !== "true").map(([, schema]) => schema);
    return filled.length > 1 ? { anyOf: filled } : (filled[0] ?? {});
  };
  return Object.fromEntries([...all].map(([name, members]) => [name, schemaOf(members)]));
}

/** References to definitions of the same schema. */
const DEFINED = /^#\/(\$defs|definitions)\/([^/]+)$/;

function referred($ref: unknown, root: JsonObject): JsonObject | null {
  const [, place, name] = DEFINED.exec(typeof $ref === "string" ? $ref : "") ?? [];
  const definitions = place === undefined ? undefined : root[place];
  const target = isObject(definitions) ? definitions[name!] : undefined;
  return isObject(target) ? target : null;
}

/** Describes the constraints that the flattened schema loses, such as which properties belong together. */
function descriptionsOf(schema: JsonObject): string[] {
  const groups = (["anyOf", "oneOf"] as const).flatMap((name) => {
    const choices = Array.isArray(schema[name]) ? schema[name].filter(isObject).map(requiredBy) : [];
    const required = choices.map((names) => JSON.stringify(names));
    return new Set(required).size < 2
      ? []
      : [`${name}: [${required.map((names) => `{required: ${names}}`).join(", ")}]`];
  });
  const others = REFUSED.filter((name) => schema[name] != null).map(
    (name) => `${name}: ${JSON.stringify(schema[name])}`,
  );
  const sentences = [...groups, ...others];
  return sentences.length === 0 ? [] : [`{${sentences.join(", ")}}`];
}
