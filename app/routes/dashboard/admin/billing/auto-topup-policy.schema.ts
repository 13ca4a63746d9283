import { z } from "zod";
import { issue } from "~/errors/message";
import { Flag, Usd } from "~/http/body/fields";

const Bound = Usd.refine((nanoUsd) => nanoUsd > 0n, issue("problems:amount"));

/**
 * Bounds of automatic charges to customers, in US dollars with fees. `version`: the version that the admin has seen, 0
 * for none.
 */
export const AutoTopupPolicyForm = z
  .strictObject({
    approved: Flag.default(false),
    max_charge: Bound,
    max_day: Bound,
    max_month: Bound,
    version: z.coerce.number().int().min(0).max(1_000_000),
  })
  .superRefine(({ max_charge, max_day, max_month }, context) => {
    const message = issue("problems:notLess");
    if (max_day < max_charge) context.addIssue({ code: "custom", path: ["max_day"], message });
    if (max_month < max_day) context.addIssue({ code: "custom", path: ["max_month"], message });
  });
