import { z } from "zod";

/** The batch in the path. */
export const BatchParams = z.object({ batchId: z.string().regex(/^batch_[0-9a-f]{32}$/) });
