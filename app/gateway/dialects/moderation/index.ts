import { DIALECTS } from "../../canonical/dialects";
import { readChatUsage } from "../chat/usage";
import type { Dialect, Translator, WholeAnswer } from "../dialect";
import { answerObject, notAnAnswer } from "../wire/events/whole-json";
import { forwardAsItIs, rejectStream } from "../wire/pass-through";
import { type ModerationSource, readModeration } from "./read";

/** The moderation format: texts or parts in, verdicts with a score for each category out. */
export const moderationDialect: Dialect<ModerationSource> = {
  name: "moderation",
  endpoint: DIALECTS.moderation.endpoint,
  streamTexts: null,
  read: readModeration,
  errorEvent: () => null,
  promptText: (inference) => inference.source.texts.join("\n"),
};

/** Connects a moderation client with a supplier: bodies pass through, except model name and gw's own fields. */
export const moderationToModeration: Translator<ModerationSource> = {
  forward: forwardAsItIs,
  readAnswer: (inference, body) => readModerationAnswer(inference.source, body),
  openStream: rejectStream,
};

/**
 * Reads a moderation answer and checks the number of verdicts. These suppliers report no usage, so gw books its own
 * count; most charge nothing.
 * @throws SupplierFailure `protocol`
 */
function readModerationAnswer({ count }: Pick<ModerationSource, "count">, body: Buffer): WholeAnswer {
  const answer = answerObject(body);
  const { results, usage } = answer;
  const isVerdict = (result: unknown) =>
    typeof result === "object" && result !== null && typeof (result as { flagged?: unknown }).flagged === "boolean";
  if (!Array.isArray(results) || results.length !== count || !results.every(isVerdict)) {
    throw notAnAnswer("the supplier's verdicts cannot be read");
  }
  return { body, usage: readChatUsage(usage), outputText: () => "" };
}
