import { composeText, type Prompt } from "./compose";
import { instanceOf } from "./instance";

/** How an answer is to be written, as every format says it in a place of its own. */
export type TextFormat = { type?: unknown; schema?: unknown } | null | undefined;

/** The text of an answer in the form that was asked for: an instance of a schema, JSON, or words. */
export function textIn(format: TextFormat, prompt: Prompt, choice = 0): string {
  if (format?.type === "json_schema")
    return JSON.stringify(instanceOf(format.schema ?? {}, prompt.toolResults[0] ?? prompt.text));
  const text = composeText(prompt, choice);
  return format?.type === "json_object" ? JSON.stringify({ answer: text }) : text;
}
