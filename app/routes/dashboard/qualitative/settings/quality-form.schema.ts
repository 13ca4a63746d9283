import { z } from "zod";
import { Flag, Id } from "~/http/body/fields";

/** Whether an organisation takes part in the quality explorer, and the minimum number of requests per group. */
export const QualityForm = z.strictObject({
  opt_in: Flag.default(false),
  minimum: z.coerce.number().int().min(5).max(10_000),
  org_id: Id.optional(),
});
