import { z } from "zod";
import { BUDGET_PERIODS } from "~/domain/accounting/shared";
import {
  AllowedModels,
  AllowedOrigins,
  AllowedRegions,
  ExpiresAt,
  KEY_KINDS,
  KEY_STATUSES,
  KeyMetadata,
  KeyName,
  RateLimitRpm,
} from "~/domain/keys/shared";
import { decodeCursor } from "~/http/cursor";
import { NumberText } from "~/http/money-json";
import { parseUsd, withoutExponent } from "~/money";

/** The members of a body that are money: read from the digits the client wrote, never as a float. */
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

const settable = {
  allowed_models: AllowedModels.optional(),
  allowed_regions: AllowedRegions.optional(),
  allowed_origins: AllowedOrigins.optional(),
  budget_limit: BudgetLimit.optional(),
  /** null, as keys without a budget are shown with: not said. */
  budget_period: z.enum(BUDGET_PERIODS).nullable().optional(),
  rate_limit_rpm: RateLimitRpm.optional(),
  metadata: KeyMetadata.optional(),
  expires_at: ExpiresAt.optional(),
};

type Settable = z.output<z.ZodObject<typeof settable>>;

export const CreateKey = z
  .strictObject({ name: KeyName, kind: z.enum(KEY_KINDS).optional(), ...settable })
  // A new key with the limit null has no budget at all, like one without a limit.
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

/** How many entries a page has, from the text of a query. */
export const pageSize = (maximum: number) =>
  z
    .string()
    .regex(/^[1-9]\d{0,8}$/, "must be a whole number from 1")
    .transform(Number)
    .pipe(z.number().max(maximum));

/** A cursor that this list has handed out. */
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

/** The key that a path names. What cannot be an id is looked up as none: the answer is the same as for a foreign one. */
export const keyRefOf = ({ keyId = "" }: Readonly<Record<string, string | undefined>>) => ({
  publicId: /^key_[0-9A-Za-z]+$/.test(keyId) ? keyId : "",
});

function asChange({ budget_limit, budget_period, ...rest }: Settable) {
  return {
    allowedModels: rest.allowed_models,
    allowedRegions: rest.allowed_regions,
    allowedOrigins: rest.allowed_origins,
    rateLimitRpm: rest.rate_limit_rpm,
    metadata: rest.metadata,
    expiresAt: rest.expires_at,
    ...(budget_limit === undefined && budget_period == null
      ? {}
      : { budget: { limitNanoUsd: budget_limit, period: budget_period ?? undefined } }),
  };
}
