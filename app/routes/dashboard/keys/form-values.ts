import { z } from "zod";
import { KEY_SETTINGS } from "~/domain/keys/shared";
import { issue } from "~/errors/message";
import type { FormValues } from "~/ui/forms/portal-form";
import { formatUsd } from "~/values/money";
import { isOneOf } from "~/values/one-of";

/** Initial values of a new key: everything allowed, no limits, a monthly period. */
export const NEW_KEY: FormValues = { budget_period: "monthly", owner: "self", kind: "inference" };

/**
 * Value of a `datetime-local` field in UTC, with seconds unless they are zero, so that saving another field does not
 * change it.
 */
export const momentOf = (at: Date): string => at.toISOString().replace(/(:00)?\.\d+Z$/, "");

/** Exact decimal without trailing zeros: `25`, `0.5`. */
export const plainAmount = (nanoUsd: bigint): string => formatUsd(nanoUsd).replace(/\.?0+$/, "");

/** Form values of checked boxes, one field each. */
export const boxesOf = (prefix: "model:" | "region:", entries: readonly string[]): FormValues =>
  Object.fromEntries(entries.map((entry) => [`${prefix}${entry}`, "on"]));

/** Returns the checked boxes of one kind, and the values typed beside them. */
export function checked(values: FormValues, prefix: "model:" | "region:"): string[] {
  const boxes = Object.keys(values).filter((name) => name.startsWith(prefix));
  const written = (values[prefix === "model:" ? "allowed_models" : "allowed_regions"] ?? "").split(/[\s,]+/);
  return [...new Set([...boxes.map((name) => name.slice(prefix.length)), ...written.filter(Boolean)])];
}

/** Metadata entries with their own form field. */
export const OWN_FIELDS = ["autorouter", "fit_output"] as const;
const hasOwnField = isOneOf(OWN_FIELDS);

/** The other metadata entries as text: `name=value`. */
export const labelsOf = (metadata: Readonly<Record<string, string>>): string[] =>
  Object.entries(metadata).flatMap(([name, value]) => (hasOwnField(name) ? [] : [`${name}=${value}`]));

/** `name=value`, one per line, or an object. */
export const MetadataText = z
  .union([z.string(), z.record(z.string(), z.string())])
  .nullable()
  .transform((input, context) => {
    if (typeof input !== "string") return input;
    const lines = input.split(/\r?\n/).filter((line) => line.trim() !== "");
    if (lines.some((line) => !/^[^=]+=/.test(line))) {
      context.addIssue({ code: "custom", message: issue("problems:nameValue") });
      return z.NEVER;
    }
    return Object.fromEntries(
      lines.map((line) => {
        const [name = "", ...value] = line.split("=");
        return [name.trim(), value.join("=").trim()];
      }),
    );
  })
  .pipe(KEY_SETTINGS.metadata.input);

/** One per line, or separated by spaces or commas, or a list. */
export const OriginsText = z
  .union([z.string(), z.array(z.string())])
  .nullable()
  .transform((input) => (typeof input === "string" ? input.split(/[\s,]+/).filter((origin) => origin !== "") : input))
  .pipe(KEY_SETTINGS.allowed_origins.input);

/** Returns the current values of a form in the browser. */
export function readForm(form: HTMLFormElement): FormValues {
  return Object.fromEntries(
    [...new FormData(form)].filter((field): field is [string, string] => typeof field[1] === "string"),
  );
}
