import type { ModelProfile } from "~/domain/catalogue/profiles";
import { NO_THOUGHT } from "../wire/thoughts/thoughts";

type Block = Readonly<Record<string, unknown>>;
type Message = { readonly role: string; readonly content: string | readonly Block[] };

/** Whether a message with tool calls, written by another model, lacks the thought that this model requires. */
export function lacksThought({ role, content }: Message, { reasoning, takesSealedThoughts }: ModelProfile): boolean {
  if (reasoning.back !== "required" || !takesSealedThoughts || role !== "assistant" || typeof content === "string")
    return false;
  return content.some(({ type }) => type === "tool_use") && !content.some(({ type }) => type === "thinking");
}

/** Returns the message with a placeholder thought and an empty seal. */
export const withThought = <Each extends Message>(message: Each): Each => ({
  ...message,
  content: [{ type: "thinking", thinking: NO_THOUGHT, signature: "" }, ...(message.content as readonly Block[])],
});
