import { z } from "zod";
import { AUDIENCES, MAX_GIVEN, PromotionName } from "~/domain/promotions/shared";
import { issue } from "~/errors/message";
import { Flag, OptionalId, OptionalMoment, Usd } from "~/http/body/fields";

const NOT_A_COUNT = issue("problems:wholeNumber");

const HowMany = z
  .union(
    [
      z.int(),
      z
        .string()
        .trim()
        .regex(/^[1-9]\d{0,6}$/)
        .transform(Number),
    ],
    NOT_A_COUNT,
  )
  .pipe(z.number().int().min(1).max(MAX_GIVEN));
const OptionalCount = z.union([z.literal("").transform(() => null), z.null(), HowMany], NOT_A_COUNT);
const Amount = Usd.refine((nanoUsd) => nanoUsd > 0n, issue("problems:amount"));

const terms = { name: PromotionName, amount: Amount, limit_total: OptionalCount, expires_at: OptionalMoment };

/** A promotion: amount, audience, limits and end. Repeated requests with the same `request_id` create one promotion. */
export const NewPromotionForm = z
  .strictObject({
    ...terms,
    audience: z.enum(AUDIENCES),
    recipient_id: OptionalId.default(null),
    limit_per_payer: HowMany.default(1),
    limit_total: OptionalCount.default(null),
    expires_at: OptionalMoment.default(null),
    request_id: z.uuid().optional(),
  })
  .refine(({ audience, recipient_id }) => recipient_id !== null || audience === "code" || audience === "new", {
    path: ["recipient_id"],
    message: issue("problems:fillIn"),
  });

/** A change of a promotion; missing fields change nothing. */
export const PromotionChangeForm = z.strictObject({
  name: terms.name.optional(),
  amount: Amount.optional(),
  limit_per_payer: HowMany.optional(),
  limit_total: OptionalCount.optional(),
  expires_at: OptionalMoment.optional(),
  ended: Flag.optional(),
});
