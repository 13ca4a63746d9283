import type { JsonSchema, OpenApiDocument } from "~/openapi/shared";
import type { ShownField } from "./shared";

/** Maximum depth; deeper fields repeat earlier ones or are of no use to readers. */
const MAX_DEPTH = 5;

type Schema = JsonSchema & {
  $ref?: string;
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  additionalProperties?: Schema | boolean;
  description?: string;
  format?: string;
};

/** Returns the fields of an object schema, or of the objects in an array. */
export function fieldsOf(document: OpenApiDocument, rawSchema: JsonSchema, depth = 0): ShownField[] {
  const schema = resolved(document, rawSchema as Schema);
  if (schema.type === "array" && schema.items) return fieldsOf(document, schema.items, depth);
  const objects = [schema, ...(schema.anyOf ?? schema.oneOf ?? [])].map((part) => resolved(document, part));
  const properties = objects.find((part) => part.properties)?.properties ?? {};
  const required = objects.find((part) => part.required)?.required ?? [];
  return Object.entries(properties).map(([name, property]) =>
    fieldOf({ document, name, given: property, isRequired: required.includes(name), depth }),
  );
}

export function fieldOf({
  document,
  name,
  given,
  isRequired,
  depth = 0,
}: {
  document: OpenApiDocument;
  name: string;
  given: JsonSchema;
  isRequired: boolean;
  depth?: number;
}): ShownField {
  const schema = resolved(document, given as Schema);
  return {
    name,
    type: typeOf(document, schema),
    isRequired,
    description: schema.description ?? (given.description as string | undefined) ?? "",
    rules: rulesOf(document, schema),
    inner: depth < MAX_DEPTH ? innerOf(document, schema, depth + 1) : [],
  };
}

function innerOf(document: OpenApiDocument, schema: Schema, depth: number): ShownField[] {
  const parts = [schema, ...choicesOf(schema)].map((part) => resolved(document, part));
  const holder = parts.find((part) => part.properties || (part.type === "array" && part.items));
  return holder ? fieldsOf(document, holder, depth) : [];
}

const choicesOf = (schema: Schema): Schema[] => schema.anyOf ?? schema.oneOf ?? [];

function resolved(document: OpenApiDocument, schema: Schema): Schema {
  const name = schema.$ref?.replace("#/components/schemas/", "");
  return name === undefined ? schema : ((document.components.schemas[name] ?? {}) as Schema);
}

function typeOf(document: OpenApiDocument, schema: Schema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  const choices = choicesOf(schema);
  if (choices.length > 0)
    return [...new Set(choices.map((choice) => typeOf(document, resolved(document, choice))))].join(" | ");
  if (schema.type === "array")
    return `list of ${schema.items ? typeOf(document, resolved(document, schema.items)) : "anything"}`;
  if (schema.format === "binary") return "file";
  if (Array.isArray(schema.type)) return schema.type.join(" | ");
  return schema.format ? `${schema.type ?? "string"}, ${schema.format}` : (schema.type ?? "anything");
}

const BOUNDS: readonly (readonly [keyword: string, words: (bound: string) => string])[] = [
  ["minimum", (bound) => `at least ${bound}`],
  ["exclusiveMinimum", (bound) => `more than ${bound}`],
  ["maximum", (bound) => `at most ${bound}`],
  ["minLength", (bound) => (bound === "1" ? "not empty" : `${bound} characters or more`)],
  ["maxLength", (bound) => `at most ${bound} characters`],
  ["minItems", (bound) => (bound === "1" ? "not empty" : `${bound} or more`)],
  ["maxItems", (bound) => `at most ${bound} of them`],
];

// Bounds of all integers in JavaScript and PostgreSQL; they describe no field.
const WIDEST: readonly number[] = [Number.MAX_SAFE_INTEGER, 2_147_483_647];

function rulesOf(document: OpenApiDocument, schema: Schema): string[] {
  const parts = [schema, ...choicesOf(schema).map((choice) => resolved(document, choice))];
  const bounds = parts.flatMap((part) =>
    BOUNDS.flatMap(([keyword, words]) => {
      const bound = part[keyword];
      return typeof bound === "number" && !WIDEST.includes(Math.abs(bound))
        ? [words(bound.toLocaleString("en-US"))]
        : [];
    }),
  );
  const usual = schema.default === undefined ? [] : [`default ${JSON.stringify(schema.default)}`];
  return [...new Set([...bounds, ...usual])];
}
