import { z } from "zod";

/** The export that an address names. */
export const ExportParams = z.object({ jobId: z.string().regex(/^exp_[0-9a-f]{24}$/) });
