import { exactJson } from "~/http/exact-numbers";
import type { Conversation } from "../../canonical/conversation";
import { SupplierFailure } from "../../canonical/supplier-failure";
import type { WholeAnswer } from "../dialect";
import { Untranslatable } from "../wire/parts";
import { malformed, NothingSaid } from "../wire/unsupported";

/** What every supplier of the chat and the messages dialect takes as the name of a tool. */
export const MAX_NAME_LENGTH = 64;

/** The names of all tools of a conversation. */
export function* namesIn({ tools, turns }: Conversation): Iterable<string> {
  for (const { name } of tools) yield name;
  for (const { parts } of turns) for (const part of parts) if (part.kind === "toolCall") yield part.name;
}

/**
 * Writes a request, with numbers as its client wrote them. Arguments of tool calls are JSON of their own and may be nested deeper than can be written again.
 * @throws AppError invalid_request naming `field`, in which the conversation stands.
 */
export function written(field: string, write: () => string): string {
  try {
    return exactJson(write());
  } catch (problem) {
    if (problem instanceof NothingSaid) throw new NothingSaid(`${field}[0].content`);
    if (problem instanceof RangeError) throw malformed(field, "is nested too deeply");
    throw problem;
  }
}

/**
 * Tells an answer in the client's dialect.
 * @throws SupplierFailure for one that is nested too deeply to be written again, or that the dialect has no place for
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
