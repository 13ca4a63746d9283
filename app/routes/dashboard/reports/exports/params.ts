import { z } from "zod";

/** The export in the path. */
export const ExportParams = z.object({ jobId: z.string().regex(/^exp_[0-9a-f]{24}$/) });
