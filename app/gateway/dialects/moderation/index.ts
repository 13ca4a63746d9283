import { readChatUsage } from "../chat/usage";
import type { Dialect, Translator, WholeAnswer } from "../dialect";
import { forwardAsItIs, neverStreamed } from "../wire/pass-through";
import { answerObject, notAnAnswer } from "../wire/whole-json";
import { type ModerationSource, readModeration } from "./read";

/** The moderation format: texts or parts in, one verdict with a score for each category out. */
export const moderationDialect: Dialect = {
  name: "moderation",
  endpoint: "moderations",
  read: readModeration,
  errorEvent: () => null,
  promptText: (inference) => (inference.source as ModerationSource).texts.join("\n"),
};

/** A moderation client and a supplier with the same format: bodies pass through, but for the model's name and gw's own fields. */
export const moderationToModeration: Translator = {
  forward: forwardAsItIs,
  readAnswer: (inference, body) => readModerationAnswer(inference.source as ModerationSource, body),
  openStream: neverStreamed,
};

/**
 * Understands a moderation answer: as many verdicts as were asked for. Such suppliers report no usage, so that gw's own count
 * stands in the books; most charge nothing for it.
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
