import { z } from "zod";
import { MAX_THRESHOLDS } from "~/domain/budgets/shared";
import { issue } from "~/errors/message";
import { Flag, OptionalUsd } from "~/http/body/fields";

/** Percentages of a limit: a list, or a text such as `50, 80, 100`. Ascending, without repetitions. */
const Thresholds = z
  .union([
    z.array(z.int()),
    z
      .string()
      .max(200)
      .regex(/^[\d\s,;%]*$/)
      .transform((text) => (text.match(/\d+/g) ?? []).map(Number)),
  ])
  .transform((percents) => [...new Set(percents)].sort((one, other) => one - other))
  .pipe(z.array(z.int().min(1).max(100)).min(1).max(MAX_THRESHOLDS));
const AlertThresholds = z.unknown().transform((input, context) => {
  const read = Thresholds.safeParse(input);
  if (read.success) return read.data;
  context.addIssue({ code: "custom", message: issue("problems:thresholds", { most: MAX_THRESHOLDS }) });
  return z.NEVER;
});

/** Settings of a person's alerts. A form without the switch turns alerts off. */
export const AlertForm = z.strictObject({
  active: Flag.default(false),
  thresholds: AlertThresholds,
  low_balance: OptionalUsd.transform((nanoUsd) => (nanoUsd === 0n ? null : nanoUsd)).default(null),
});

/** The form that turns alerts on; all settings are optional. */
export const ActivateForm = z.strictObject({
  thresholds: AlertThresholds.optional(),
  low_balance: OptionalUsd.transform((nanoUsd) => (nanoUsd === 0n ? null : nanoUsd)).optional(),
});
