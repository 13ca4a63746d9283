import type { Namespace, TFunction } from "i18next";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useSearchParams } from "react-router";
import type { z } from "zod";
import { type Choice, FilterInput, FilterSelect } from "../forms/FilterFields";
import { addressWith } from "./list-address";

/** How a list shows one filter: as a select box with `options`, as a text field without, or as `field`. */
export type FilterField = {
  label: string;
  /** Label of the chip, if different from the field's; null: the filter has no chip. */
  chip?: string | null;
  /** Text of the chip's value; default: the text of its option, else the value. */
  text?: (value: string) => string;
  /** Filters that are removed together with this one. */
  also?: readonly string[];
  options?: readonly Choice[];
  /** Text of the option that removes the filter; default: the label. */
  any?: string;
  type?: "search" | "text" | "date";
  wide?: boolean;
  /** The id of a `datalist` with suggested values. */
  list?: string;
  /** A field of another kind; null: only links set this filter. */
  field?: ReactNode;
  /** The field is under "More filters". */
  more?: boolean;
  /** A filter without a field stays when another filter is applied. */
  kept?: boolean;
};
export type { Choice };
export type FilterFields = Readonly<Record<string, FilterField>>;

/** A filter that has no field and no chip; `kept`: it stays when another filter is applied. */
export const unseen = (kept: boolean): FilterField => ({ label: "", chip: null, field: null, kept });

/** The options of a select box, each with its text. */
export const choices = <Value extends string>(values: readonly Value[], text: (value: Value) => string): Choice[] =>
  values.map((value) => [value, text(value)]);

/** The options of named objects by id; `isShown`: the filter has a select box. */
export const named = (list: readonly { id: number; name: string }[], isShown = list.length > 0) => ({
  options: list.map(({ id, name }): Choice => [String(id), name]),
  text: (value: string) => list.find(({ id }) => String(id) === value)?.name ?? `#${value}`,
  ...(isShown ? {} : { field: null }),
});

export type Chip = {
  label: ReactNode;
  value: ReactNode;
  /** Address of the same list without this filter. */
  without: string;
};

/** The filters of a list with their values in the address. */
export type FilterState = { fields: FilterFields; chips: readonly Chip[]; kept: Readonly<Record<string, string>> };

type Declared<Spaces extends Namespace, Query extends z.ZodRawShape, View> = {
  /** Namespaces of the texts. */
  texts: Spaces;
  /** The schema of each filter in the address. */
  query: Query;
  /** The field and the chip of each filter, in page order. */
  fields: (t: TFunction<Spaces>, view: View) => Readonly<Record<keyof Query & string, FilterField>>;
};

/**
 * Declares the filters of a list: the server spreads `query` into the schema of the page and of its file, and
 * `useFilters` gives the page their fields, chips and kept values. The compiler requires a field for each filter.
 */
export const defineFilters = <const Spaces extends Namespace, Query extends z.ZodRawShape, View>(
  filters: Declared<Spaces, Query, View>,
) => filters;

/** The state of declared filters. `view`: the data of the page that the options and texts need. */
export function useFilters<Spaces extends Namespace, Query extends z.ZodRawShape, View>(
  { texts, fields }: Declared<Spaces, Query, View>,
  view: View,
): FilterState {
  const { t } = useTranslation(texts as never);
  return useFilterState(fields(t as unknown as TFunction<Spaces>, view));
}

/** The state of filters whose schemas are declared elsewhere. */
export function useFilterState(fields: FilterFields): FilterState {
  const [query] = useSearchParams();
  const active = Object.entries(fields).filter(([name]) => query.get(name));
  return {
    fields,
    chips: active.filter(([, { chip }]) => chip !== null).map(([name, field]) => chipOf(query, name, field)),
    kept: Object.fromEntries(active.filter(([, { kept }]) => kept).map(([name]) => [name, query.get(name) ?? ""])),
  };
}

function chipOf(query: URLSearchParams, name: string, { label, chip, text, also = [], options = [] }: FilterField) {
  const value = query.get(name) ?? "";
  const cleared = Object.fromEntries([name, ...also, "after", "before"].map((each) => [each, null]));
  return {
    label: chip ?? label,
    value: text?.(value) ?? options.find(([option]) => option === value)?.[1] ?? value,
    without: addressWith(query, cleared),
  };
}

/** One field of a list's filters. */
export function FieldOf({
  name,
  of: { label, any = label, options, field, ...input },
}: {
  name: string;
  of: FilterField;
}) {
  if (field !== undefined) return field;
  if (options !== undefined) return <FilterSelect name={name} label={label} first={any} options={options} />;
  return <FilterInput name={name} label={label} type={input.type} wide={input.wide} list={input.list} />;
}
