import { z } from "zod";
import { issue } from "~/errors/message";
import { Id } from "~/http/body/fields";

const MAX_TEXT = 200_000;
const MAX_TURNS = 40;

const text = z.string().max(MAX_TEXT);

const PROBLEM_OF_HISTORY = issue("playground:problem.history");

const Turns = z.array(z.strictObject({ role: z.enum(["user", "assistant"]), content: z.string() })).max(MAX_TURNS);

/** A field that contains JSON, or is empty. `written`: schema of its text. */
const json = <Schema extends z.ZodType>(schema: Schema, problem: string, written = text) =>
  written.default("").transform((written, context): z.output<Schema> | null => {
    if (written.trim() === "") return null;
    try {
      return schema.parse(JSON.parse(written));
    } catch {
      context.addIssue({ code: "custom", message: problem });
      return z.NEVER;
    }
  });

const Tool = z.strictObject({
  name: z.string().regex(/^[\w-]{1,64}$/),
  description: z.string().optional(),
  parameters: z.record(z.string(), z.unknown()).optional(),
});

/** A number, or the digits of a field. */
const number = (schema: z.ZodNumber, problem: string) =>
  z.union(
    [
      schema,
      z
        .string()
        .trim()
        .regex(/^\d{1,6}([.,]\d{1,3})?$/)
        .transform(asNumber)
        .pipe(schema),
    ],
    problem,
  );

const asNumber = (text: string): number => Number(text.replace(",", "."));

const Model = z.string().min(1, issue("problems:fillIn")).max(200);

const shape = {
  key_id: Id,
  model: Model,
  system: text.default(""),
  message: text.min(1, issue("problems:fillIn")),
  /** Earlier turns, as a list of `{role, content}`. */
  history: json(Turns, PROBLEM_OF_HISTORY, z.string().max(MAX_TEXT, PROBLEM_OF_HISTORY)),
  /** An image as a `data:` URL; the whole form is limited to 1 MiB. */
  image: z
    .string()
    .regex(/^(data:image\/(png|jpeg|gif|webp);base64,[A-Za-z0-9+/]+={0,2})?$/, issue("playground:problem.image"))
    .default(""),
  /** One function that the model may call: `{name, description, parameters}`. */
  tool: json(Tool, issue("playground:problem.tool")),
  max_tokens: number(z.int().min(1).max(100_000), issue("playground:problem.maxTokens")).default(512),
  temperature: z
    .union(
      [z.literal("").transform(() => null), number(z.number().min(0).max(2), issue("playground:problem.temperature"))],
      issue("playground:problem.temperature"),
    )
    .default(null),
};

/** One call of one model, with a streamed answer. */
export const PlaygroundCallForm = z.strictObject(shape);

/** The form of the page: the same call for up to three models. */
export const PlaygroundForm = z.strictObject({
  ...shape,
  model_2: z.string().max(200).default(""),
  model_3: z.string().max(200).default(""),
});
