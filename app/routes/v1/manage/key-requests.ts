import { z } from "zod";
import { BUDGET_PERIODS } from "~/domain/accounting/shared";
import { KEY_KINDS, KEY_STATUSES, KeyName, SETTING_INPUTS, settingsOf } from "~/domain/keys/shared";
import { NumberText } from "~/http/body/json/money-json";
import { decodeCursor } from "~/http/cursor";
import { parseUsd, withoutExponent } from "~/values/money";

/** Money fields of a body: parsed from the digits that the client wrote, never as a float. */
export const AMOUNTS = ["budget_limit"];

const MAX_KEY_ID = 2_147_483_647n;
const MAX_OVERLAP_SECONDS = 30 * 24 * 3600;

/** US dollars as nano-USD; null: no limit. */
export const BudgetLimit = z
  .instanceof(NumberText, { error: "must be a number" })
  .meta({
    type: "number",
    minimum: 0,
    maximum: 9_200_000_000,
    description: "US dollars, at most 9 decimals; null: no limit.",
  })
  .transform(({ text }, context) => {
    const nanoUsd = text.startsWith("-") ? null : parseUsd(withoutExponent(text));
    if (nanoUsd !== null) return nanoUsd;
    context.addIssue({
      code: "custom",
      message: "must be an amount from 0 to 9200000000 with at most 9 decimals",
    });
    return z.NEVER;
  })
  .nullable();

// In the order of the API reference.
const { allowed_models, allowed_regions, allowed_origins, ...others } = SETTING_INPUTS;
const settable = {
  allowed_models,
  allowed_regions,
  allowed_origins,
  budget_limit: BudgetLimit.optional(),
  /** Null, which answers show for keys without a budget, counts as omitted. */
  budget_period: z.enum(BUDGET_PERIODS).nullable().optional(),
  ...others,
};

type Settable = z.output<z.ZodObject<typeof settable>>;

export const CreateKey = z
  .strictObject({ name: KeyName, kind: z.enum(KEY_KINDS).optional(), ...settable })
  // With the limit null a new key has no budget, as without a limit.
  .transform(({ name, kind, budget_limit, ...fields }) => ({
    name,
    kind,
    ...asChange({ budget_limit: budget_limit ?? undefined, ...fields }),
  }));

export const ChangeKey = z
  .strictObject({ name: KeyName.optional(), status: z.enum(["active", "suspended"]).optional(), ...settable })
  .transform(({ name, status, ...fields }) => ({ name, status, ...asChange(fields) }));

export const RotateKey = z
  .strictObject({ overlap_seconds: z.int().min(0).max(MAX_OVERLAP_SECONDS).default(0) })
  .transform(({ overlap_seconds }) => ({ overlapSeconds: overlap_seconds }));

/** Page size from the text of a query. */
export const pageSize = (maximum: number) =>
  z
    .string()
    .regex(/^[1-9]\d{0,8}$/, "must be a whole number from 1")
    .transform(Number)
    .pipe(z.number().max(maximum));

/** A cursor that this list has issued. */
export const cursorOf = (list: string, maximum: bigint) =>
  z.string().transform((text, context) => {
    const id = decodeCursor(list, text, maximum);
    if (id !== null) return id;
    context.addIssue({ code: "custom", message: "is not a cursor of this list" });
    return z.NEVER;
  });

export const ListKeys = z
  .object({
    limit: pageSize(200).default(50),
    cursor: cursorOf("keys", MAX_KEY_ID).optional(),
    status: z.enum(KEY_STATUSES).optional(),
  })
  .transform(({ limit, cursor, status }) => ({
    limit,
    beforeId: cursor === undefined ? null : Number(cursor),
    status: status ?? null,
  }));

/**
 * Reference to the key in the path. An invalid id is looked up as an empty one, so the answer equals that for another
 * organisation's key.
 */
export const keyRefOf = ({ keyId = "" }: Readonly<Record<string, string | undefined>>) => ({
  publicId: /^key_[0-9A-Za-z]+$/.test(keyId) ? keyId : "",
});

function asChange({ budget_limit, budget_period, ...settings }: Settable) {
  return {
    ...settingsOf(settings),
    ...(budget_limit === undefined && budget_period == null
      ? {}
      : { budget: { limitNanoUsd: budget_limit, period: budget_period ?? undefined } }),
  };
}
