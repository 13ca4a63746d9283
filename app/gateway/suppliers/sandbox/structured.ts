import { composeText, type Prompt } from "./compose";
import { instanceOf } from "./instance";

/** Requested format of an answer, which each dialect has in another field. */
export type TextFormat = { type?: unknown; schema?: unknown } | null | undefined;

/** Returns the text of an answer in the requested format: an instance of a schema, JSON, or words. */
export function textIn(format: TextFormat, prompt: Prompt, choice = 0): string {
  if (format?.type === "json_schema")
    return JSON.stringify(instanceOf(format.schema ?? {}, prompt.toolResults[0] ?? prompt.text));
  const text = composeText(prompt, choice);
  return format?.type === "json_object" ? JSON.stringify({ answer: text }) : text;
}
