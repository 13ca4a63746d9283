import { z } from "zod";
import { CADENCES, EXPORT_FORMATS } from "~/domain/reports/shared";
import { issue } from "~/errors/message";
import { Flag, Id } from "~/http/body/fields";
import { timeZoneNamed } from "~/values/time-range";

/** A new schedule. `cron`: five fields, for the cadence `custom`. */
export const ScheduleForm = z.object({
  report_id: Id,
  cadence: z.enum(CADENCES),
  cron: z.string().max(100).default(""),
  zone: z
    .string()
    .max(64)
    .default("UTC")
    .refine((name) => timeZoneNamed(name) !== null, issue("reports:problem.zone")),
  format: z.enum(EXPORT_FORMATS).default("csv"),
  by_mail: Flag.default(false),
  by_webhook: Flag.default(false),
});
