import { z } from "zod";
import { KEY_KINDS, KeyName } from "~/domain/keys/shared";
import { issue } from "~/errors/message";
import { OptionalId } from "~/http/body/fields";
import { KEY_FORM } from "./PolicyFields";

/**
 * A browser sends one field per checked box, `model:…` and `region:…`, and an empty `allowed_models`, so that no
 * checked box means all models. A program sends lists. This converts both to lists.
 */
function gatherChecked(fields: unknown): unknown {
  if (typeof fields !== "object" || fields === null) return fields;
  const record = fields as Record<string, unknown>;
  return gathered(gathered(record, "allowed_models", "model:"), "allowed_regions", "region:");
}

function gathered(record: Record<string, unknown>, name: string, prefix: string): Record<string, unknown> {
  const typed = record[name];
  if (typeof typed !== "string") return record;
  const checked = Object.keys(record).filter((field) => field.startsWith(prefix));
  const written = typed.split(/[\s,]+/).filter((entry) => entry !== "");
  const others = Object.entries(record).filter(([field]) => !field.startsWith(prefix));
  return { ...Object.fromEntries(others), [name]: [...checked.map((field) => field.slice(prefix.length)), ...written] };
}

const schemas = Object.fromEntries(Object.entries(KEY_FORM).map(([name, { schema }]) => [name, schema])) as {
  [Name in keyof typeof KEY_FORM]: (typeof KEY_FORM)[Name]["schema"];
};
// In the order of the API reference.
const { allowed_models, allowed_regions, allowed_origins, metadata, autorouter, fit_output, project_id, ...limits } = z
  .object(schemas)
  .partial().shape;
const settings = {
  allowed_models,
  allowed_regions,
  allowed_origins,
  ...limits,
  metadata,
  autorouter,
  fit_output,
  project_id,
};

const Owner = z.union([z.literal(["self", "nobody"]), z.coerce.number().int().positive().max(2_147_483_647)]);

/** A new key. All fields except the name are optional. */
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

/** A change of a key's settings; missing fields change nothing. */
const Update = z.object({ intent: z.literal("update"), name: KeyName.optional(), ...settings });

const MAX_OVERLAP_SECONDS = 30 * 24 * 3600;

const overlapProblem = issue("problems:overlapSeconds");
const Overlap = z.coerce
  .number(overlapProblem)
  .int(overlapProblem)
  .min(0, overlapProblem)
  .max(MAX_OVERLAP_SECONDS, overlapProblem);

/** `overlap` is a number of seconds, or `custom` with a number of hours in `overlap_hours`. */
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

/** All actions on a key; without `intent`, a change of its settings. */
export const KeyActionForm = z.preprocess(
  (fields) => {
    const grouped = gatherChecked(fields);
    return typeof grouped === "object" && grouped !== null && !("intent" in grouped)
      ? { ...grouped, intent: "update" }
      : grouped;
  },
  z.discriminatedUnion("intent", [Update, Rotate, Simple, Revoke]),
);
export type KeyActionForm = z.output<typeof KeyActionForm>;
