import { z } from "zod";
import { ReportName, VISIBILITIES } from "~/domain/reports/shared";
import { OptionalId } from "~/http/fields";

/** A report to save. `question`: the parameters of the builder, as its address has them. */
export const NewReportForm = z.object({
  name: ReportName,
  visibility: z.enum(VISIBILITIES).default("private"),
  question: z.string().max(2_000).default(""),
});

/** `version`: the one that was seen; where it is left out, whichever there is. */
export const RenameReportForm = z.object({ name: ReportName, version: OptionalId.optional() });
