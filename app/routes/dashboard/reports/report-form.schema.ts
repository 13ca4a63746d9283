import { z } from "zod";
import { ReportName, VISIBILITIES } from "~/domain/reports/shared";
import { OptionalId } from "~/http/body/fields";

/** A report to save. `question`: the query string of the builder. */
export const NewReportForm = z.object({
  name: ReportName,
  visibility: z.enum(VISIBILITIES).default("private"),
  question: z.string().max(2_000).default(""),
});

/** `version`: the version that the caller has seen; without it, any version matches. */
export const RenameReportForm = z.object({ name: ReportName, version: OptionalId.optional() });
