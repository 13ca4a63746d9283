import { DIALECTS } from "../../canonical/dialects";
import { hintsOf } from "../../canonical/routing-hints";
import { chatDialect } from "../chat";
import { chatTexts } from "../chat/stream-texts";
import type { Dialect } from "../dialect";
import { outputCeilingOf } from "../wire/output-ceiling";
import { type CompletionsSource, readCompletions } from "./read";

/** The text completions format of older clients and editors: a prompt, answered by a chat model. */
export const completionsDialect: Dialect<CompletionsSource> = {
  name: "completions",
  endpoint: DIALECTS.completions.endpoint,
  streamTexts: { ...chatTexts, repeats: true },
  read: readCompletions,
  // The same SDKs read both formats, with the same errors in streams.
  errorEvent: chatDialect.errorEvent,
  promptText: ({ source }) => source.prompt,
  outputCeiling: ({ source }) => outputCeilingOf(source, ["max_tokens"]),
  hints: ({ source }) => hintsOf(source.body),
};
