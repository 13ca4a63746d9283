import { z } from "zod";
import { BUDGET_PERIODS } from "~/domain/accounting/shared";
import {
  AllowedModels,
  AllowedOrigins,
  AllowedRegions,
  AUTOROUTER_CHOICES,
  ExpiresAt,
  KEY_KINDS,
  KeyMetadata,
  KeyName,
} from "~/domain/keys/shared";
import { issue } from "~/errors/message";
import { OptionalId, OptionalMoment, OptionalRpm, OptionalUsd } from "~/http/fields";

/**
 * A browser sends one field for each checked box, `model:…` and `region:…`, and an empty `allowed_models` beside them so
 * that no checked box means every model. A program sends lists. Both become lists.
 */
function gatherChecked(fields: unknown): unknown {
  if (typeof fields !== "object" || fields === null) return fields;
  const given = fields as Record<string, unknown>;
  return gathered(gathered(given, "allowed_models", "model:"), "allowed_regions", "region:");
}

function gathered(given: Record<string, unknown>, name: string, prefix: string): Record<string, unknown> {
  const typed = given[name];
  if (typeof typed !== "string") return given;
  const checked = Object.keys(given).filter((field) => field.startsWith(prefix));
  const written = typed.split(/[\s,]+/).filter((entry) => entry !== "");
  const others = Object.entries(given).filter(([field]) => !field.startsWith(prefix));
  return { ...Object.fromEntries(others), [name]: [...checked.map((field) => field.slice(prefix.length)), ...written] };
}

/** `name=value`, one per line, or an object. */
const Metadata = z
  .union([z.string(), z.record(z.string(), z.string())])
  .nullable()
  .transform((given, context) => {
    if (typeof given !== "string") return given;
    const lines = given.split(/\r?\n/).filter((line) => line.trim() !== "");
    if (lines.some((line) => !/^[^=]+=/.test(line))) {
      context.addIssue({ code: "custom", message: issue("problems:nameValue") });
      return z.NEVER;
    }
    return Object.fromEntries(
      lines.map((line) => {
        const [name = "", ...value] = line.split("=");
        return [name.trim(), value.join("=").trim()];
      }),
    );
  })
  .pipe(KeyMetadata);

/** One per line, or separated by blanks or commas, or a list. */
const Origins = z
  .union([z.string(), z.array(z.string())])
  .nullable()
  .transform((given) => (typeof given === "string" ? given.split(/[\s,]+/).filter((origin) => origin !== "") : given))
  .pipe(AllowedOrigins);

const settings = {
  allowed_models: AllowedModels.optional(),
  allowed_regions: AllowedRegions.optional(),
  allowed_origins: Origins.optional(),
  budget_limit: OptionalUsd.optional(),
  budget_period: z.enum(BUDGET_PERIODS).optional(),
  rate_limit_rpm: OptionalRpm.optional(),
  expires_at: OptionalMoment.pipe(ExpiresAt).optional(),
  metadata: Metadata.optional(),
  autorouter: z.enum(["", ...AUTOROUTER_CHOICES]).optional(),
  fit_output: z.enum(["", "true"]).optional(),
  project_id: OptionalId.optional(),
};

const Owner = z.union([z.literal(["self", "nobody"]), z.coerce.number().int().positive().max(2_147_483_647)]);

/** What makes a key. Everything but the name may be left out. */
export const NewKeyForm = z.preprocess(
  gatherChecked,
  z.object({
    name: KeyName,
    kind: z.enum(KEY_KINDS).default("inference"),
    owner: Owner.default("self"),
    department_id: OptionalId.optional(),
    ...settings,
  }),
);
export type NewKeyForm = z.output<typeof NewKeyForm>;

/** What changes the settings of a key: what is left out stays. */
const Update = z.object({ intent: z.literal("update"), name: KeyName.optional(), ...settings });

const MAX_OVERLAP_SECONDS = 30 * 24 * 3600;

const overlapProblem = issue("problems:overlapSeconds");
const Overlap = z.coerce
  .number(overlapProblem)
  .int(overlapProblem)
  .min(0, overlapProblem)
  .max(MAX_OVERLAP_SECONDS, overlapProblem);

/** `overlap` is a number of seconds, or `custom` with the hours in `overlap_hours`. */
const Rotate = z
  .object({
    intent: z.literal("rotate"),
    overlap: z.union([z.literal("custom"), Overlap]).default(0),
    overlap_hours: z.string().optional(),
    overlap_seconds: Overlap.optional(),
  })
  .transform(({ intent, overlap, overlap_hours, overlap_seconds }, context) => {
    if (overlap_seconds !== undefined) return { intent, overlapSeconds: overlap_seconds };
    if (overlap !== "custom") return { intent, overlapSeconds: overlap };
    const hours = Number((overlap_hours ?? "").trim().replace(",", "."));
    const seconds = Math.round(hours * 3600);
    if ((overlap_hours ?? "").trim() !== "" && seconds >= 0 && seconds <= MAX_OVERLAP_SECONDS) {
      return { intent, overlapSeconds: seconds };
    }
    context.addIssue({
      code: "custom",
      path: ["overlap_hours"],
      message: issue("problems:overlapHours", { most: 720 }),
    });
    return z.NEVER;
  });

const Simple = z.object({ intent: z.enum(["suspend", "resume"]) });
const Revoke = z.object({ intent: z.literal("revoke"), confirm: z.string().optional() });

/** Everything that can be done to a key; without `intent`, its settings change. */
export const KeyActionForm = z.preprocess(
  (fields) => {
    const given = gatherChecked(fields);
    return typeof given === "object" && given !== null && !("intent" in given) ? { ...given, intent: "update" } : given;
  },
  z.discriminatedUnion("intent", [Update, Rotate, Simple, Revoke]),
);
export type KeyActionForm = z.output<typeof KeyActionForm>;
