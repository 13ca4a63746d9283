import type { NativeBody } from "./read";

/** Members whose texts are bytes, ids or seals instead of words. */
const NO_WORDS = new Set(["image_url", "file_data", "file_id", "encrypted_content", "id", "call_id", "type", "status"]);
const MAX_DEPTH = 40;

/** Returns the text of the prompt for an estimate, without the bytes of pictures and files. */
export function promptText({
  instructions,
  input,
  tools,
}: Pick<NativeBody, "instructions" | "tools"> & { input: readonly unknown[] }): string {
  const texts: string[] = [instructions ?? ""];
  for (const part of [input, tools]) collect(part, texts, 0);
  return texts.join("\n");
}

/** Returns the generated content of an output item as one text. */
export function textOfItem(item: unknown): string {
  if (typeof item !== "object" || item === null) return "";
  const { type, name, arguments: argumentText, input, content, summary } = item as Record<string, unknown>;
  const texts: string[] = [];
  if (typeof type === "string" && type.endsWith("_call")) collect([name, argumentText, input], texts, 0);
  collect([content, summary], texts, 0);
  return texts.join("");
}

function collect(value: unknown, texts: string[], depth: number): void {
  if (typeof value === "string") {
    if (value !== "") texts.push(value);
    return;
  }
  if (typeof value !== "object" || value === null || depth > MAX_DEPTH) return;
  for (const [name, member] of Object.entries(value)) {
    if (!NO_WORDS.has(name)) collect(member, texts, depth + 1);
  }
}
