/**
 * The texts of PostgreSQL for composites and arrays, and back. `pg` sends text anyway, and a row built here is several times cheaper
 * than arrays of values or JSON, for this process and for the database. Writes a value into a field of a composite, and reads it back; null: the field is empty, which is NULL. */
export type Codec<Value, Read = Value> = {
  readonly write: (value: Value) => string | number | bigint;
  readonly read: (field: string | null) => Read;
};

const MAX_TEXT_LENGTH = 400;
const LARGEST_COUNT = 2_147_483_647;
const PLAIN = /^[\w./:-]+$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: NUL is what the database cannot keep
const NUL = /\u0000/g;

const read = (field: string | null) => field ?? "";

/** A text of any content, shortened. */
export const text: Codec<string> = { write: fieldText, read };
/** A text that many calls share, such as a model. */
export const sharedText: Codec<string> = { write: nameOf, read };
/** A text without special characters. */
export const word = <Word extends string>(): Codec<Word> => ({ write: (value) => value, read: read as () => Word });
export const flag: Codec<boolean> = { write: (value) => (value ? "t" : "f"), read: (field) => field === "t" };
export const integer: Codec<number> = { write: (value) => value, read: Number };
/** A number of tokens, milliseconds, …: fitted into an integer column. */
export const quantity: Codec<number> = { write: count, read: Number };
export const nanoUsd: Codec<bigint> = { write: (value) => value, read: (field) => BigInt(read(field)) };
/** Milliseconds since 1970. */
export const time: Codec<Date> = { write: (value) => value.getTime(), read: (field) => new Date(Number(field)) };
export const jsonDocument: Codec<object> = {
  write: (value) => escaped(json(value)),
  read: (field) => JSON.parse(field!),
};

export const optional = <Value>(codec: Codec<Value>): Codec<Value | null | undefined, Value | null> => ({
  write: (value) => (value === null || value === undefined ? "" : codec.write(value)),
  read: (field) => (field === null ? null : codec.read(field)),
});

/** A quantity that is absent for most calls. */
export const unit: Codec<number | undefined> = {
  write: (value) => (value === undefined ? "" : count(value)),
  read: (field) => (field === null ? undefined : Number(field)),
};

/** The same codec for several columns. */
export const all = <Name extends string, Kind>(codec: Kind, ...names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, codec])) as Record<Name, Kind>;

/** Consecutive columns of a composite. */
export type Columns<Row> = {
  readonly write: (row: Row) => string;
  /** Takes these columns from the begin of a list of fields; absent ones are read as NULL. */
  readonly read: (fields: (string | null)[]) => Row;
};

/** Columns with the names and in the order of `codecs`. */
export function columns<Row>(codecs: { readonly [Name in keyof Row]-?: Codec<Row[Name]> }): Columns<Row> {
  const list = Object.entries(codecs as object) as [keyof Row, Codec<unknown>][];
  const names = list.map(([key]) => key);
  const writers = list.map(([, { write }]) => write);
  return {
    write: (row) => {
      let written = "";
      for (let at = 0; at < names.length; at += 1) written += `,${writers[at]!(row[names[at]!])}`;
      return written;
    },
    read: (fields) => Object.fromEntries(list.map(([key, codec]) => [key, codec.read(fields.shift() ?? null)])) as Row,
  };
}

/** The fields of a composite inside an array literal; null for an empty unquoted field. */
export function fieldsOf(composite: string): (string | null)[] {
  const row = composite.slice(1, -1).replace(/\\(.)/gs, "$1");
  return [...row.slice(1, -1).matchAll(/(?:^|,)(?:"((?:[^"\\]|\\.|"")*)"|([^,]*))/gs)].map(([, quoted, plain]) =>
    quoted === undefined ? plain || null : quoted.replace(/""|\\(.)/gs, (_, kept) => kept ?? '"'),
  );
}

/** Encodes ids, numbers or null as an array literal. */
export function arrayText(values: readonly (string | number | bigint | null)[]): string {
  return `{${values.map((value) => (typeof value === "string" ? quoted(value) : (value ?? "NULL"))).join(",")}}`;
}

/** Encodes a text inside a composite inside an array. An empty text is quoted, because an empty field would be NULL. */
function fieldText(value: string): string {
  return value.length <= MAX_TEXT_LENGTH && PLAIN.test(value) ? value : escaped(storable(value));
}

const MAX_NAMES = 1_000;
const plainNames = new Set<string>();

function nameOf(value: string): string {
  if (plainNames.has(value)) return value;
  const written = fieldText(value);
  if (written === value && plainNames.size < MAX_NAMES) plainNames.add(value);
  return written;
}

/** Quotes a text for the composite, and the result for the array. */
const escaped = (value: string) => `\\"${value.replace(/["\\]/g, (mark) => (mark === '"' ? '\\"\\"' : "\\\\\\\\"))}\\"`;

function quoted(value: string): string {
  // Four letters are always quoted, because an unquoted NULL is no text.
  if (value.length <= MAX_TEXT_LENGTH && value.length !== 4 && PLAIN.test(value)) return value;
  return `"${storable(value).replace(/["\\]/g, "\\$&")}"`;
}

/** The part of a text that PostgreSQL can store: no NUL, no lone surrogate, bounded length. */
function storable(value: string): string {
  return value
    .slice(0, MAX_TEXT_LENGTH)
    .replace(NUL, "")
    .replace(/\p{Surrogate}/gu, "\ufffd");
}

/** Fits a number into an integer column: whole, at least 0, bounded. A value out of range would fail the whole batch. */
export function count(value: number): number {
  return value >= 0 ? Math.min(Math.trunc(value), LARGEST_COUNT) : 0;
}

/** JSON that `jsonb` accepts: without NUL and lone surrogates. */
export function json(value: object): string {
  const written = JSON.stringify(value);
  return written.includes("\\u") && /\\u(?:0000|d[89a-f])/i.test(written)
    ? JSON.stringify(value, (_, part) => (typeof part === "string" ? storable(part) : part))
    : written;
}
