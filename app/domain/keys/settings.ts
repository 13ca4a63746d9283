import { z } from "zod";
import { issue } from "~/errors/message";
import type { CsvCell } from "~/values/csv";
import { originOf } from "./origin";

/** Text that the database can store: no NUL, no lone surrogate, and no control characters. */
const line = (maximum: number) =>
  z
    .string()
    .max(maximum)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it refuses
    .refine((text) => !/[\u0000-\u001f\u007f]|\p{Surrogate}/u.test(text), issue("problems:textUnreadable"));

export const KeyName = line(200)
  .transform((text) => text.trim())
  .refine((text) => /[^\p{Z}\p{C}]/u.test(text), issue("problems:nameEmpty"));

const AllowedModels = z
  .array(line(200).min(1))
  .max(500)
  .nullable()
  .transform((models) => [...new Set(models ?? [])]);

const Region = z.string().regex(/^[0-9A-Za-z][0-9A-Za-z_-]{0,62}$/, issue("problems:region"));

/** One region, several separated by commas, or a list. */
const AllowedRegions = z
  .union([z.string(), z.array(z.string())], issue("problems:regions"))
  .nullable()
  .transform((input) => (typeof input === "string" ? (input.trim() === "" ? [] : input.split(",")) : (input ?? [])))
  .transform((regions) => [...new Set(regions.map((region) => region.trim()))])
  .pipe(z.array(Region).max(50));

const AllowedOrigins = z
  .array(line(255).refine((origin) => originOf(origin.trim()) !== null, issue("problems:origin")))
  .max(50)
  .nullable()
  .transform((origins) => [...new Set((origins ?? []).map((origin) => originOf(origin.trim()) ?? origin))]);

const Metadata = z.preprocess(
  (value: Record<string, string> | null, context) => {
    // `z.record` would drop this entry silently.
    if (typeof value === "object" && value !== null && Object.hasOwn(value, "__proto__"))
      context.addIssue({
        code: "custom",
        message: issue("problems:entryName", { name: "__proto__" }),
        path: ["__proto__"],
      });
    return value;
  },
  z
    .record(line(64).min(1), line(512))
    .nullable()
    .transform((metadata) => metadata ?? {})
    .refine((metadata) => Object.keys(metadata).length <= 64, issue("problems:tooMany", { most: 64 })),
);

/** ISO 8601 with an offset. */
const ExpiresAt = z.iso
  .datetime({ offset: true })
  .transform((text) => new Date(text))
  .refine((date) => date.getUTCFullYear() >= 2000 && date.getUTCFullYear() <= 9999, issue("problems:years"))
  .nullable();

type Setting<Input extends z.ZodType, Output extends z.ZodType> = {
  /** The input schema of the management API. The form converts a browser's values to it. */
  input: Input;
  /** The output schema of the management API. */
  output: Output;
  /** The value when it is not set: the result of `input` for null. */
  none: z.output<Input>;
  /** A typical value, which a form suggests. */
  example: z.output<Input>;
  /** Converts the value for `output`, if it differs from the value itself. */
  answer?(value: z.output<Input>): z.input<Output>;
  /** The value in an export of keys; without it the export has no such column. */
  cell?(value: z.output<Input>): CsvCell;
};

const setting = <Input extends z.ZodType, Output extends z.ZodType>(row: Setting<Input, Output>) => row;

const list = { none: [], output: z.array(z.string()), cell: (entries: string[]) => entries.join(" ") };

/**
 * The settings of a key that can change at any time and have their own column, by their name in programs, forms, files
 * and the audit log. Code uses the same names in camel case. Types, requests, answers and files are derived from this
 * table.
 */
export const KEY_SETTINGS = {
  /** Models that the key may call; empty: every model. */
  allowed_models: setting({ ...list, input: AllowedModels, example: ["sandbox-chat"] }),
  /** Regions that the key is locked to; empty: every region. */
  allowed_regions: setting({
    ...list,
    input: AllowedRegions,
    example: ["eu"],
    // A string, as in requests: several regions are separated by commas.
    output: z.string().nullable(),
    answer: (regions) => (regions.length === 0 ? null : regions.join(",")),
  }),
  /** Web origins whose pages may call with the key, as browsers send them; empty: none. */
  allowed_origins: setting({ ...list, input: AllowedOrigins, example: ["https://app.example.com"] }),
  /** Requests a minute; null: no limit. */
  rate_limit_rpm: setting({
    input: z.int().min(1).max(1_000_000).nullable(),
    output: z.int().nullable(),
    none: null,
    example: 60,
    cell: (limit) => limit,
  }),
  /** Free-form strings by name. */
  metadata: setting({
    input: Metadata,
    output: z.record(z.string(), z.string()),
    none: {},
    example: { team: "search" },
  }),
  /** The time from which the key is rejected; null: never. */
  expires_at: setting({
    input: ExpiresAt,
    output: z.iso.datetime().nullable(),
    none: null,
    example: new Date("2030-12-31T23:59:59Z"),
    answer: (at) => at?.toISOString() ?? null,
    cell: (at) => at,
  }),
};

type Table = typeof KEY_SETTINGS;
export type SettingName = keyof Table;
type Camel<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : Name;

/** The settings as code and the table have them. */
export type KeySettings = { [Name in SettingName as Camel<Name>]: z.output<Table[Name]["input"]> };
/** Settings as read from a request or a form; missing ones are not changed. */
type SettingFields = { [Name in SettingName]?: z.output<Table[Name]["input"]> };
type Column<Part extends "input" | "output"> = { [Name in SettingName]: Table[Name][Part] };
type AnySetting = Setting<z.ZodType, z.ZodType>;

const SETTINGS = Object.entries<AnySetting>(KEY_SETTINGS).map(([field, row]) => ({
  field: field as SettingName,
  name: field.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase()) as keyof KeySettings,
  row,
}));

const column = <Part extends "input" | "output">(part: Part) =>
  Object.fromEntries(SETTINGS.map(({ field, row }) => [field, row[part]])) as Column<Part>;

/** The optional members of a request body that set them. */
export const SETTING_INPUTS = z.object(column("input")).partial().shape;
/** The members of an answer that show them. */
export const SETTING_OUTPUTS = column("output");

/** Returns the settings among the fields of a request or a form, in camel case. */
export const settingsOf = (fields: SettingFields): Partial<KeySettings> =>
  Object.fromEntries(
    SETTINGS.filter(({ field }) => fields[field] !== undefined).map(({ field, name }) => [name, fields[field]]),
  ) as Partial<KeySettings>;

/** Returns all settings of a new key. */
export const completeSettings = (partial: Partial<KeySettings>): KeySettings =>
  Object.fromEntries(SETTINGS.map(({ name, row }) => [name, partial[name] ?? row.none])) as KeySettings;

/** The settings of a key for which nothing is set. */
export const NO_SETTINGS = completeSettings({});

const show = <Shown>(key: KeySettings, how: (value: unknown, row: AnySetting) => Shown) =>
  Object.fromEntries(SETTINGS.map(({ field, name, row }) => [field, how(key[name], row)])) as Record<
    SettingName,
    Shown
  >;

/** Returns the settings of a key for the audit log. */
export const settingValues = (key: KeySettings) => show(key, (value) => value);

/** Returns the settings of a key as the management API shows them. */
export const settingAnswers = (key: KeySettings) =>
  show(key, (value, row) => (row.answer === undefined ? value : row.answer(value)));

/** Returns the settings of a key as cells of an export, whose columns are `SETTING_COLUMNS`. */
export const settingCells = (key: KeySettings) => show(key, (value, row) => row.cell?.(value) ?? null);

export const SETTING_COLUMNS = SETTINGS.filter(({ row }) => row.cell !== undefined).map(({ field }) => field);
