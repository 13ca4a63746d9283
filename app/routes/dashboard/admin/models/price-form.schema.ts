import { z } from "zod";
import { CAPABILITIES, SERVICE_TIERS } from "~/domain/catalogue/shared";
import { issue } from "~/errors/message";
import { Id, OptionalId, OptionalMoment, OptionalUsd } from "~/http/body/fields";
import { ModelName } from "./model-name";
import {
  LONG_PARTS,
  LONG_ROWS,
  longField,
  PRICE_PARTS,
  type PriceField,
  TIER_PARTS,
  tierField,
  tokensField,
} from "./price-fields";

const MAX_NANO_USD = 1_000_000_000_000_000n;
const TOO_MUCH = issue("problems:amount");

/** Undefined: no change is requested; null: the field is empty. */
const Amount = OptionalUsd.refine((nanoUsd) => nanoUsd === null || nanoUsd <= MAX_NANO_USD, TOO_MUCH).optional();
const WHOLE = issue("problems:wholeNumber");
const TokenCount = (standard: number) =>
  z.preprocess(
    (value) => (value === "" || value === undefined ? standard : value),
    z.coerce.number(WHOLE).int(WHOLE).min(1).max(100_000_000),
  );
const Tokens = z
  .preprocess(
    (value) => (value === "" ? null : value),
    z.union([z.null(), z.coerce.number(WHOLE).int(WHOLE).min(1, WHOLE).max(1_000_000_000, WHOLE)], WHOLE),
  )
  .optional();

const amounts = <Name extends string>(names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, Amount])) as Record<Name, typeof Amount>;
const longFields = amounts(LONG_ROWS.flatMap((row) => LONG_PARTS.map((part) => longField(row, part))));
const tierFields = amounts(SERVICE_TIERS.flatMap((tier) => TIER_PARTS.map((part) => tierField(tier, part))));
const Choice = z.preprocess((value) => (value === "" ? undefined : value), z.enum(["yes", "no"]).optional());

/**
 * A supplier's price for a model in US dollars: per million tokens, request, second of audio or million characters;
 * also for long inputs and other service tiers. The facts about the model apply only if it does not exist. `base` is
 * the version from which the form was filled in: with it, empty fields remove that part; without it, they keep it.
 * `seen` is the version that a preview has shown, `none` if there was none: if the price has changed since, the request
 * is a conflict.
 */
export const PriceForm = z
  .strictObject({
    supplier_id: Id,
    model: ModelName,
    upstream_model: z.union([z.literal("").transform(() => undefined), ModelName]).optional(),
    capability: z.enum(CAPABILITIES).default("chat"),
    context_tokens: TokenCount(131_072),
    max_output_tokens: TokenCount(16_384),
    ...amounts(PRICE_PARTS),
    ...longFields,
    ...(Object.fromEntries(LONG_ROWS.map((row) => [tokensField(row), Tokens])) as Record<
      ReturnType<typeof tokensField>,
      typeof Tokens
    >),
    ...tierFields,
    ...({ flex_asked_only: Choice, priority_asked_only: Choice, batch_asked_only: Choice } as const),
    from: OptionalMoment.default(null),
    base: OptionalId.default(null),
    seen: z.union([z.literal("none").transform(() => null), Id], WHOLE).optional(),
  })
  .superRefine((form, context) => {
    const has = (name: PriceField) => form[name] !== undefined && form[name] !== null;
    const need = (...names: PriceField[]) => {
      for (const name of names)
        if (!has(name)) context.addIssue({ code: "custom", path: [name], message: issue("problems:fillIn") });
    };
    if (
      ![
        ...PRICE_PARTS,
        ...(Object.keys(longFields) as PriceField[]),
        ...(Object.keys(tierFields) as PriceField[]),
      ].some(has)
    )
      need("input_per_mtok");
    for (const row of LONG_ROWS)
      if (has(tokensField(row)) || LONG_PARTS.some((part) => has(longField(row, part))))
        need(tokensField(row), longField(row, "input_per_mtok"), longField(row, "output_per_mtok"));
    const lengths = LONG_ROWS.flatMap((row) => form[tokensField(row)] ?? []);
    if (new Set(lengths).size < lengths.length)
      context.addIssue({ code: "custom", path: [tokensField(1)], message: issue("problems:lengthsDiffer") });
    for (const tier of SERVICE_TIERS)
      if (TIER_PARTS.some((part) => has(tierField(tier, part))))
        need(tierField(tier, "input_per_mtok"), tierField(tier, "output_per_mtok"));
  });
export type PriceValues = z.output<typeof PriceForm>;
