// Own implementation on purpose: equal requests get equal answers, and a client's schema is bounded in nodes and depth.
import { hashOf, nameOf } from "./chance";
import { textMatching } from "./pattern";

type Schema = Record<string, unknown>;

/** Limits of an instance, whatever its schema demands. */
const MAX_NODES = 2_000;
const MAX_RESOLUTIONS = 20_000;
/** Maximum members of merged schemas. */
const MAX_MERGED = 200_000;
const MAX_DEPTH = 24;
const MAX_CHARACTERS = 4_096;

/**
 * Returns a value that a JSON Schema accepts, the same for the same schema and text. Where the schema leaves a choice,
 * uses words and numbers of the text: for the weather in Paris, a `city` becomes "Paris".
 */
export function instanceOf(schema: unknown, text: string): unknown {
  return new Instances(schema, text).value(schema, "", 0);
}

class Instances {
  readonly #root: unknown;
  readonly #text: string;
  readonly #names: readonly string[];
  readonly #numbers: readonly number[];
  #nodes = 0;
  #resolutions = 0;
  #merged = 0;

  constructor(root: unknown, text: string) {
    this.#root = root;
    this.#text = text.slice(0, 4_000);
    this.#names = properNames(this.#text);
    this.#numbers = (this.#text.match(/-?\d{1,12}(\.\d{1,6})?/g) ?? []).map(Number);
  }

  value(subschema: unknown, name: string, depth: number): unknown {
    this.#nodes += 1;
    const schema = this.#resolved(subschema, 0);
    if (schema.const !== undefined) return schema.const;
    if (Array.isArray(schema.enum)) return this.#mentioned(schema.enum);
    if (schema.default !== undefined) return schema.default;
    for (const choice of [schema.anyOf, schema.oneOf]) {
      if (Array.isArray(choice) && choice.length > 0) return this.#oneOf({ choices: choice, schema, name, depth });
    }
    const type = typeOf(schema, this.#full(depth));
    switch (type) {
      case "object":
        return this.#object(schema, depth);
      case "array":
        return this.#array(schema, name, depth);
      case "integer":
      case "number":
        return this.#number(schema, type);
      case "boolean":
        return !/\b(no|not|never|off|false)\b/i.test(this.#text);
      case "null":
        return null;
      default:
        return this.#string(schema, name);
    }
  }

  #full = (depth: number) => depth > MAX_DEPTH || this.#nodes > MAX_NODES;

  /** Resolves `$ref`s of a schema and merges its `allOf`. */
  #resolved(subschema: unknown, hops: number): Schema {
    this.#resolutions += 1;
    if (typeof subschema !== "object" || subschema === null || Array.isArray(subschema)) return {};
    // References that contain themselves twice would double with every step.
    if (this.#resolutions > MAX_RESOLUTIONS || this.#merged > MAX_MERGED) return {};
    let schema = subschema as Schema;
    if (typeof schema.$ref === "string" && hops < 32) {
      const { $ref, ...beside } = schema;
      this.#merged += Object.keys(beside).length;
      schema = { ...this.#resolved(this.#at($ref as string), hops + 1), ...beside };
    }
    if (!Array.isArray(schema.allOf)) return schema;
    const { allOf, ...merged } = schema;
    for (const part of (allOf as unknown[]).slice(0, 50)) {
      const resolved = this.#resolved(part, hops + 1);
      const properties = { ...(merged.properties as Schema), ...(resolved.properties as Schema) };
      this.#merged += Object.keys(properties).length + listOf(merged.required).length;
      if (this.#merged > MAX_MERGED) break;
      const required = [...listOf(merged.required), ...listOf(resolved.required)];
      Object.assign(merged, resolved, { properties, required });
    }
    return merged;
  }

  #at(reference: string): unknown {
    if (!reference.startsWith("#")) return {};
    let target: unknown = this.#root;
    for (const step of reference.slice(1).split("/").slice(1)) {
      const key = decoded(step).replaceAll("~1", "/").replaceAll("~0", "~");
      target =
        typeof target === "object" && target !== null && Object.hasOwn(target, key) ? (target as Schema)[key] : {};
    }
    return target;
  }

  /** Returns the first alternative; in a deep instance one that ends it. */
  #oneOf({
    choices,
    schema,
    name,
    depth,
  }: {
    choices: unknown[];
    schema: Schema;
    name: string;
    depth: number;
  }): unknown {
    const { anyOf: _any, oneOf: _one, ...beside } = schema;
    const resolved = choices.slice(0, 50).map((choice) => this.#resolved(choice, 0));
    const ending = resolved.find(({ type }) => type === "null") ?? resolved.find(({ type }) => type !== "object");
    const opening = resolved.find(({ type }) => type !== "null") ?? {};
    const chosen = depth > MAX_DEPTH / 4 && ending !== undefined ? ending : opening;
    return this.value({ ...beside, ...chosen }, name, depth + 1);
  }

  #object(schema: Schema, depth: number): Record<string, unknown> {
    const properties = (
      typeof schema.properties === "object" && schema.properties !== null ? schema.properties : {}
    ) as Schema;
    const required = new Set(listOf(schema.required).filter((key): key is string => typeof key === "string"));
    const instance: Record<string, unknown> = {};
    for (const [key, property] of Object.entries(properties)) {
      // Omit optional members of a deep instance, because its schema may be recursive.
      if (!required.has(key) && (depth > MAX_DEPTH / 4 || this.#full(depth))) continue;
      define(instance, key, this.#full(depth + 1) ? null : this.value(property, key, depth + 1));
    }
    for (const key of required) {
      if (!Object.hasOwn(instance, key)) define(instance, key, this.#spare(schema.additionalProperties, key, depth));
    }
    return instance;
  }

  #spare(schema: unknown, key: string, depth: number): unknown {
    return typeof schema === "object" && schema !== null && !this.#full(depth + 1)
      ? this.value(schema, key, depth + 1)
      : this.#string({}, key);
  }

  #array(schema: Schema, name: string, depth: number): unknown[] {
    const minCount = integerOf(schema.minItems) ?? 0;
    const maxCount = integerOf(schema.maxItems) ?? Number.POSITIVE_INFINITY;
    const prefix = listOf(schema.prefixItems);
    const count = Math.min(maxCount, Math.max(minCount, prefix.length, depth > MAX_DEPTH / 4 ? 0 : 1), 64);
    const instances: unknown[] = [];
    for (let index = 0; index < count && !this.#full(depth + 1); index += 1) {
      const item = this.value(prefix[index] ?? schema.items ?? {}, name, depth + 1);
      instances.push(schema.uniqueItems === true ? different(item, index, instances) : item);
    }
    return instances;
  }

  #number(schema: Schema, type: "integer" | "number"): number {
    const step = finite(schema.multipleOf) ?? (type === "integer" ? 1 : null);
    const margin = step ?? 0.5;
    const exclusiveLow = schema.exclusiveMinimum === true ? finite(schema.minimum) : finite(schema.exclusiveMinimum);
    const exclusiveHigh = schema.exclusiveMaximum === true ? finite(schema.maximum) : finite(schema.exclusiveMaximum);
    const low = Math.max(
      finite(schema.minimum) ?? -Infinity,
      exclusiveLow === null ? -Infinity : exclusiveLow + margin,
    );
    const high = Math.min(
      finite(schema.maximum) ?? Infinity,
      exclusiveHigh === null ? Infinity : exclusiveHigh - margin,
    );
    const candidate = this.#numbers.find((number) => number >= low && number <= high && isMultiple(number, step));
    if (candidate !== undefined) return candidate;
    const near = Math.min(Math.max(1, low), high);
    if (step === null || step <= 0) return near;
    const up = Math.ceil(near / step) * step;
    return up <= high ? up : Math.floor(near / step) * step;
  }

  #string(schema: Schema, name: string): string {
    if (typeof schema.pattern === "string") {
      const matching = textMatching(schema.pattern.slice(0, 500));
      if (matching !== null) return matching;
    }
    const minLength = Math.min(integerOf(schema.minLength) ?? 0, MAX_CHARACTERS);
    const maxLength = Math.min(integerOf(schema.maxLength) ?? MAX_CHARACTERS, MAX_CHARACTERS);
    const formatted = typeof schema.format === "string" ? FORMATS[schema.format]?.(this.#text) : undefined;
    const text = formatted ?? this.#words(name);
    return text.slice(0, maxLength).padEnd(minLength, "·");
  }

  /** Returns a proper name from the text for a member that may be a place or person, else the text itself. */
  #words(name: string): string {
    const named = this.#names[0];
    if (named !== undefined && !TEXTUAL.test(name)) return named;
    const text = this.#text.trim().replace(/\s+/g, " ");
    return text === "" ? name || "sandbox" : text.slice(0, 120);
  }

  #mentioned(values: readonly unknown[]): unknown {
    const lower = this.#text.toLowerCase();
    return (
      values.find((value) => typeof value === "string" && value !== "" && lower.includes(value.toLowerCase())) ??
      values[0]
    );
  }
}

const TEXTUAL = /(^|_)(text|query|question|message|prompt|content|body|input|description|summary|reason|answer)s?$/i;

/** Capitalised words that do not begin a sentence. */
const properNames = (text: string): string[] =>
  [...text.matchAll(/(?<=[\p{L}\p{N},;:] )\p{Lu}[\p{L}\p{M}'-]+(?: \p{Lu}[\p{L}\p{M}'-]+)*/gu)].map(([name]) => name);

const FORMATS: Readonly<Record<string, (text: string) => string>> = {
  "date-time": () => "2026-01-15T09:30:00Z",
  date: () => "2026-01-15",
  time: () => "09:30:00Z",
  duration: () => "PT1H",
  email: () => "someone@example.com",
  hostname: () => "www.example.com",
  ipv4: () => "192.0.2.1",
  ipv6: () => "2001:db8::1",
  uri: () => "https://www.example.com/",
  url: () => "https://www.example.com/",
  uuid: (text) => {
    const hex = nameOf(text, 32);
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
  },
};

function typeOf(schema: Schema, ending: boolean): unknown {
  if (Array.isArray(schema.type)) {
    return (ending ? schema.type.find((type) => type === "null") : null) ?? schema.type.find((type) => type !== "null");
  }
  if (schema.type !== undefined) return schema.type;
  if (schema.properties !== undefined || schema.required !== undefined) return "object";
  if (schema.items !== undefined || schema.prefixItems !== undefined) return "array";
  return "string";
}

/** Makes an item differ from those before it, for `uniqueItems`. */
function different(item: unknown, index: number, before: readonly unknown[]): unknown {
  const known = new Set(before.map((other) => JSON.stringify(other)));
  if (!known.has(JSON.stringify(item))) return item;
  if (typeof item === "number") return item + index;
  if (typeof item === "string") return `${item} ${index + 1}`;
  return typeof item === "object" && item !== null && !Array.isArray(item)
    ? { ...item, n: hashOf(String(index)) }
    : item;
}

/** Sets a member of any name: an assignment to `__proto__` would change the object's prototype. */
const define = (object: object, key: string, value: unknown) =>
  Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const finite = (value: unknown): number | null => (typeof value === "number" && Number.isFinite(value) ? value : null);
const integerOf = (value: unknown): number | null =>
  Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : null;
const isMultiple = (value: number, step: number | null) =>
  step === null || step <= 0 || Math.abs(value / step - Math.round(value / step)) < 1e-9;

function decoded(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}
