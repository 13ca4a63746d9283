import { z } from "zod";
import { issue } from "~/errors/message";
import { parseWrittenUsd } from "~/values/money";

const MAX_ID = 2_147_483_647;
const MAX_RPM = 1_000_000;
const NOT_AN_ID = issue("problems:wholeNumber");

/** The message for an unknown field. */
export const NO_SUCH_FIELD = issue("problems:noSuchField");

/** No value: an empty field of a form, or null in JSON. */
const nothing = z.union([
  z
    .string()
    .regex(/^\s*$/)
    .transform(() => null),
  z.null(),
]);

/** An id in a path, a query or a form. */
export const Id = z
  .union(
    [
      z.int(),
      z
        .string()
        .regex(/^\d{1,10}$/)
        .transform(Number),
    ],
    NOT_AN_ID,
  )
  .pipe(z.number().int().min(1).max(MAX_ID));

/** The same, or no value: an empty choice of a form, or null. */
export const OptionalId = z.union([nothing, Id], NOT_AN_ID);

/** An amount in US dollars as nano-USD, not negative, at most nine decimals; written `12.50`, `$12.50` or `12,50`. */
export const Usd = usd(issue("problems:amount"));

/** The same, or no value: no limit. */
export const OptionalUsd = z.union([nothing, Usd], issue("problems:amountOrEmpty"));

/** Requests per minute, or no value: no limit. */
export const OptionalRpm = z.union(
  [
    nothing,
    z
      .union([
        z.int(),
        z
          .string()
          .trim()
          .regex(/^[1-9]\d{0,6}$/)
          .transform(Number),
      ])
      .pipe(z.number().min(1).max(MAX_RPM)),
  ],
  issue("problems:rpm", { most: MAX_RPM }),
);

/**
 * A time with its offset, or the values of a browser's date and datetime fields, which are read as UTC. A date means
 * the last second of that day. Empty or null: no value.
 */
export const OptionalMoment = z.union(
  [
    nothing,
    z
      .string()
      .trim()
      .transform((text) => {
        if (/^\d{4}-\d\d-\d\d$/.test(text)) return `${text}T23:59:59Z`;
        return /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d)?$/.test(text) ? `${text}${text.length === 16 ? ":00" : ""}Z` : text;
      })
      .pipe(z.iso.datetime({ offset: true })),
  ],
  issue("problems:moment"),
);

/** Yes or no, as a checkbox, a choice or a program sends it. */
export const Flag = z.union(
  [z.boolean(), z.enum(["on", "true", "1", "yes", "off", "false", "0", "no"]).transform((word) => YES.has(word))],
  issue("problems:yesOrNo"),
);
const YES: ReadonlySet<string> = new Set(["on", "true", "1", "yes"]);

/**
 * A filter that an empty choice removes. `mayBeEmpty` in its metadata makes the API description allow the empty value.
 */
export const orNothing = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((value) => (value === "" ? undefined : value), schema.optional()).meta({ mayBeEmpty: true });

/** The text of a search. */
export const SearchText = z
  .string()
  .trim()
  .max(200)
  .refine((text) => !/\p{Cc}/u.test(text), issue("problems:unsearchable"));

function usd(problem: string) {
  return z.union([z.string(), z.number()], problem).transform((amount, context) => {
    const nanoUsd = parseWrittenUsd(String(amount));
    if (nanoUsd !== null && nanoUsd >= 0n) return nanoUsd;
    context.addIssue({ code: "custom", message: problem });
    return z.NEVER;
  });
}
