import { z } from "zod";
import { isLine } from "~/domain/accounts/shared";
import { PAYER_KINDS } from "~/domain/billing/shared";
import { issue } from "~/errors/message";
import { Id, Usd } from "~/http/body/fields";

/** Manual credit: payer, amount and reason. Repeated requests with the same `request_id` credit once. */
export const CreditForm = z.object({
  payer_kind: z.enum(PAYER_KINDS),
  payer_id: Id,
  amount: Usd.refine((nanoUsd) => nanoUsd > 0n, issue("problems:amount")),
  reason: z.string().trim().min(1, issue("problems:fillIn")).max(500).refine(isLine, issue("problems:textUnshowable")),
  request_id: z.uuid(),
});
