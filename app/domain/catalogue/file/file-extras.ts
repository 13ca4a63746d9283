import { z } from "zod";
import { isHeaderName, isOwnHeader, isOwnParameter, isParameterName, MAX_EXTRAS } from "../extras-rules";
import type { SupplierExtras, SupplierKind } from "../shared";

const SIGN_IN = new Set(["authorization", "api-key", "x-api-key", "x-goog-api-key"]);

const headerName = z
  .string("must be a text")
  .refine(isHeaderName, "must be the name of a header")
  .transform((name) => name.toLowerCase())
  .refine((name) => !isOwnHeader(name), "is a header that gw sets itself");

const value = z
  .string("must be a text")
  .min(1, "must not be empty")
  .max(4_000, "is longer than 4000 characters")
  .regex(/^[\x20-\x7e]*$/, "must be printable ASCII")
  .refine((text) => text.trim() === text, "must not begin or end with a space");

const parameterName = z
  .string()
  .refine(isParameterName, "must be the name of a query parameter")
  .refine((name) => !isOwnParameter(name), "is a parameter that gw sets itself");

/** Texts by name; a mistake in a name is reported at its entry. */
const entriesBy = (name: typeof headerName | typeof parameterName) =>
  z.record(z.string(), value).transform((entries, context) => {
    const problem = (path: string[], message: string) => context.addIssue({ code: "custom", path, message });
    if (Object.keys(entries).length > MAX_EXTRAS) problem([], `has more than ${MAX_EXTRAS} entries`);
    const named = Object.create(null) as Record<string, string>;
    for (const [written, text] of Object.entries(entries)) {
      const read = name.safeParse(written);
      if (!read.success) problem([written], read.error.issues[0]!.message);
      else if (read.data in named) problem([written], "is there twice");
      else named[read.data] = text;
    }
    return { ...named };
  });

/** Fields of the catalogue file that apply to every request to a supplier. */
export const extrasFields = {
  headers: entriesBy(headerName).optional(),
  query: entriesBy(parameterName).optional(),
  key_header: headerName.optional(),
};

type Written = {
  headers?: Record<string, string> | undefined;
  query?: Record<string, string> | undefined;
  key_header?: string | undefined;
};

/** Returns the field and message of the first mistake in a supplier's extras; null: they are valid. */
export function extrasProblem(
  { headers = {}, query, key_header }: Written,
  { kind, signsIn }: { kind: SupplierKind; signsIn: boolean },
): { path: string[]; message: string } | null {
  const isChat = kind === "chat" || kind === "gateway";
  if (key_header !== undefined && !isChat)
    return { path: ["key_header"], message: "is for suppliers of the kinds chat and gateway" };
  if (kind === "sandbox" && (query !== undefined || Object.keys(headers).length > 0))
    return { path: ["headers"], message: "cannot be sent to the sandbox" };
  const signIn = Object.keys(headers).find((name) => SIGN_IN.has(name) || name === key_header);
  if (signIn !== undefined && signsIn)
    return { path: ["headers", signIn], message: "cannot stand beside the supplier's credentials" };
  return null;
}

/** Placeholder for the upstream model's name in a base URL. */
export const MODEL_SEGMENT = "{model}";

/** Whether an address has no braces other than `{model}` as one whole path segment. */
export const hasUsualBraces = (url: string): boolean => !/[{}]/.test(url.replace(/(?<=[^/]\/)\{model\}(?=\/|$)/, ""));

/** Returns the extras of a supplier entry; undefined: none. Names are sorted, so that equal extras have equal JSON. */
export function extrasOf({ headers = {}, query = {}, key_header: keyHeader }: Written): SupplierExtras | undefined {
  const extras: SupplierExtras = { headers: sorted(headers), query: sorted(query), keyHeader: keyHeader ?? null };
  const isEmpty = Object.keys(headers).length + Object.keys(query).length === 0 && keyHeader === undefined;
  return isEmpty ? undefined : extras;
}

const sorted = (entries: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(entries).sort(([one], [other]) => (one < other ? -1 : 1)));
