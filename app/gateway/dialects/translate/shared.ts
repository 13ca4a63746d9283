import { exactJson } from "~/http/body/json/exact-numbers";
import type { Conversation } from "../../canonical/conversation";
import { SupplierFailure } from "../../canonical/supplier-failure";
import type { WholeAnswer } from "../dialect";
import { Untranslatable } from "../wire/parts";
import { EmptyConversationError, malformed } from "../wire/unsupported";

/** Maximum length of a tool name that every supplier of the chat and messages dialects accepts. */
export const MAX_NAME_LENGTH = 64;

/** Yields the names of all tools and tool calls of a conversation. */
export function* namesIn({ tools, turns }: Conversation): Iterable<string> {
  for (const { name } of tools) yield name;
  for (const { parts } of turns) for (const part of parts) if (part.kind === "toolCall") yield part.name;
}

/**
 * Writes a request, with the digits of numbers as its client wrote them. Arguments of tool calls are parsed from JSON
 * texts and may be nested too deeply to be serialised again.
 * @throws AppError invalid_request naming `field`, which contains the conversation; null: the errors stay as they are.
 */
export function written(field: string | null, write: () => string): string {
  if (field === null) return write();
  try {
    return exactJson(write());
  } catch (error) {
    if (error instanceof EmptyConversationError) throw new EmptyConversationError(`${field}[0].content`);
    if (error instanceof RangeError) throw malformed(field, "is nested too deeply");
    throw error;
  }
}

/**
 * Writes an answer in the client's dialect.
 * @throws SupplierFailure if it is nested too deeply to be serialised, or if the dialect cannot express it.
 */
export function translated(tell: () => WholeAnswer): WholeAnswer {
  try {
    return tell();
  } catch (cause) {
    if (cause instanceof Untranslatable)
      throw new SupplierFailure("protocol", cause.message, { executed: "yes", cause });
    if (!(cause instanceof RangeError)) throw cause;
    throw new SupplierFailure("protocol", "the supplier's answer is nested too deeply", { executed: "yes", cause });
  }
}
