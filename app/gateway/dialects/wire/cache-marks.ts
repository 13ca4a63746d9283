import type { ModelProfile } from "~/domain/catalogue/profiles";
import type { Conversation, Turn } from "../../canonical/conversation";

/** Whether a model accepts cache marks in translated messages. */
export const marksContent = ({ cachePoints }: Pick<ModelProfile, "cachePoints">): boolean =>
  cachePoints === "everywhere" || cachePoints === "content";

/** Maximum marks per request: "A maximum of 4 blocks with cache_control may be provided." */
const MAX_MARKS = 4;

type Marked = { kind?: string; cacheControl?: unknown };

/**
 * Returns the conversation with at most `MAX_MARKS` marks. It retains the first mark, which ends the prefix that all
 * conversations share, and the last ones, from which the next request continues.
 */
export function withFewerMarks(conversation: Conversation): Conversation {
  let count = 0;
  walk(conversation, (marked) => {
    if (marked.cacheControl !== undefined) count += 1;
    return marked;
  });
  if (count <= MAX_MARKS) return conversation;
  let at = 0;
  return walk(conversation, (marked) => {
    if (marked.cacheControl === undefined) return marked;
    at += 1;
    if (at === 1 || at > count - (MAX_MARKS - 1)) return marked;
    const { cacheControl: _tooMany, ...rest } = marked;
    return rest as typeof marked;
  });
}

/** Applies `change` to everything that may have a mark, in the order of the prompt. */
function walk(conversation: Conversation, change: <Each extends Marked>(marked: Each) => Each): Conversation {
  const tools = conversation.tools.map(change);
  const turns = conversation.turns.map((turn) => {
    const parts = turn.parts.map((part) =>
      part.kind === "toolResult" ? change({ ...part, parts: part.parts.map(change) }) : change(part),
    );
    return { ...turn, parts } as unknown as Turn;
  });
  return { ...conversation, tools, turns };
}
