import { z } from "zod";
import { CAPABILITIES } from "~/domain/catalogue/shared";
import { issue } from "~/errors/message";
import { Id, OptionalMoment, OptionalUsd } from "~/http/fields";
import { ModelName } from "./model-name";

const MAX_NANO_USD = 1_000_000_000_000_000n;
const TOO_MUCH = issue("problems:amount");

const Amount = OptionalUsd.refine((nanoUsd) => nanoUsd === null || nanoUsd <= MAX_NANO_USD, TOO_MUCH).default(null);
const TokenCount = (standard: number) =>
  z.preprocess(
    (value) => (value === "" || value === undefined ? standard : value),
    z.coerce.number(issue("problems:wholeNumber")).int(issue("problems:wholeNumber")).min(1).max(100_000_000),
  );

const AMOUNTS = {
  ...{ input_per_mtok: Amount, output_per_mtok: Amount, cached_input_per_mtok: Amount, cache_write_per_mtok: Amount },
  ...{ per_request: Amount, per_second: Amount, per_mchar: Amount },
};

/**
 * What a supplier charges for a model, in US dollars: for a million tokens, a request, a second of sound, a million characters. What
 * the model is counts only where there is none of that name.
 */
export const PriceForm = z
  .strictObject({
    supplier_id: Id,
    model: ModelName,
    upstream_model: z.union([z.literal("").transform(() => undefined), ModelName]).optional(),
    capability: z.enum(CAPABILITIES).default("chat"),
    context_tokens: TokenCount(131_072),
    max_output_tokens: TokenCount(16_384),
    ...AMOUNTS,
    from: OptionalMoment.default(null),
  })
  .refine((form) => Object.keys(AMOUNTS).some((name) => form[name as keyof typeof AMOUNTS] !== null), {
    error: issue("problems:fillIn"),
    path: ["input_per_mtok"],
  });
export type PriceValues = z.output<typeof PriceForm>;
