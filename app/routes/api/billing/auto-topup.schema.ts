import { z } from "zod";
import { issue } from "~/errors/message";
import { Flag, Usd } from "~/http/body/fields";
import { LANGUAGES } from "~/i18n/languages";

/**
 * Auto top-up of the caller's wallet. With `active`, all fields are required: amounts in US dollars, the version of the
 * settings that the caller has seen (0 for none), and consent to the version of the text that was shown. Without
 * `active`, auto top-up stops.
 */
export const AutoTopupForm = z
  .strictObject({
    active: Flag,
    threshold: Usd.optional(),
    amount: Usd.optional(),
    daily_limit: Usd.optional(),
    monthly_limit: Usd.optional(),
    version: z.coerce.number().int().min(0).max(1_000_000).optional(),
    consent: Flag.optional(),
    consent_version: z.string().trim().max(40).optional(),
    consent_language: z.enum(LANGUAGES).optional(),
  })
  .superRefine((form, context) => {
    if (!form.active) return;
    for (const name of ["threshold", "amount", "daily_limit", "monthly_limit", "version"] as const)
      if (form[name] === undefined)
        context.addIssue({ code: "custom", path: [name], message: issue("problems:fillIn") });
    if (form.consent !== true)
      context.addIssue({ code: "custom", path: ["consent"], message: issue("problems:agreeFirst") });
  });
