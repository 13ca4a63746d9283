import type { ModelProfile } from "~/domain/catalogue/profiles";
import type { Conversation, OutputFormat, TextPart } from "../../../canonical/conversation";

/** Instruction for models that have no parameter for the output format; they follow this sentence. */
export const JSON_ONLY =
  "Answer with one JSON object and nothing else: no words around it and no code fence. The first character is { and the last is }.";

type FormRules = Pick<ModelProfile, "outputForm" | "outputFormBesideTools" | "strictTools">;

/**
 * Adapts the output format and strict tools of a conversation to the model. An unsupported output format becomes an
 * instruction after the leading system messages.
 */
export function structuredFor(conversation: Conversation, profile: FormRules): Conversation {
  const { tools, turns, outputFormat: format } = conversation;
  const strict = strictTools(tools, profile);
  const structured = strict === tools ? conversation : { ...conversation, tools: strict };
  const outputFormat = takenOf(conversation, profile);
  if (format === null || outputFormat === format) return structured;
  const instruction: TextPart = { kind: "text", text: wordsOf(format) };
  const leading = turns.findIndex(({ role }) => role !== "system");
  const insertAt = leading < 0 ? turns.length : leading;
  const turn = { role: "system" as const, parts: [instruction] };
  return { ...structured, turns: [...turns.slice(0, insertAt), turn, ...turns.slice(insertAt)], outputFormat };
}

/** Returns the field name of the output format if the supplier does not enforce it. */
export const outputInstructions = (conversation: Conversation, profile: FormRules): string[] =>
  takenOf(conversation, profile) === conversation.outputFormat ? [] : ["response_format"];

/** Returns the requested output format or the nearest one that the model supports; null if there is none. */
function takenOf(
  { outputFormat, tools }: Conversation,
  { outputForm, outputFormBesideTools }: FormRules,
): OutputFormat | null {
  if (outputFormat === null || outputForm === "told") return null;
  if (tools.length > 0 && outputFormBesideTools === "told") return null;
  return outputFormat.kind === "schema" && outputForm === "json" ? { kind: "json" } : outputFormat;
}

const wordsOf = (format: OutputFormat): string =>
  format.kind === "json" ? JSON_ONLY : `${JSON_ONLY}\nIt follows this JSON schema:\n${JSON.stringify(format.schema)}`;

/** Returns the tools without `strict` if the model rejects it. */
function strictTools(tools: Conversation["tools"], { strictTools: rule }: FormRules): Conversation["tools"] {
  const isTaken = rule === "taken" || (rule === "uniform" && tools.every(({ strict }) => strict === true));
  if (isTaken || !tools.some(({ strict }) => strict === true)) return tools;
  return tools.map((tool) => ({ ...tool, strict: null }));
}
