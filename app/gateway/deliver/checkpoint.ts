import { checkpoint } from "~/domain/accounting/index.server";
import type { AdmittedCall } from "../admit/admission";
import type { StreamReply } from "../call/reply";
import type { Usage } from "../canonical/usage";
import { countPrompt, isPlausible } from "../settle/measure";

/** More characters than a token has on average, so that a checkpoint never reports more tokens than were used. */
const CHARACTERS_PER_TOKEN = 4;

/**
 * Returns a function that records the progress of a stream, in case this process does not see its end: the supplier's
 * reported usage, else a low estimate. Called every few seconds; counts the prompt's tokens once, in the background.
 */
export function checkpointOf(
  { call, inference, admission, dialect }: Pick<AdmittedCall, "call" | "inference" | "admission" | "dialect">,
  { route, live }: Pick<StreamReply, "route" | "live">,
): () => void {
  if (!admission.held) return () => undefined;
  const believable = (usage: Usage | null | undefined) =>
    usage != null && isPlausible(usage, admission.bounds) ? usage : null;
  let promptTokens: number | null = null;
  let counting = false;
  return () => {
    const { promptUsage } = live.reader;
    const usage = believable(live.reader.usage);
    const inputTokens = uncached(usage) ?? uncached(believable(promptUsage)) ?? promptTokens;
    if (inputTokens === null) {
      if (counting) return;
      counting = true;
      void countPrompt(inference, dialect).then(
        (tokens) => {
          promptTokens = tokens;
        },
        // The tokenizer's vocabulary could not be loaded, for example without a free file handle. The next call tries
        // again.
        () => {
          counting = false;
        },
      );
      return;
    }
    const outputTokens = usage?.outputTokens || Math.floor(live.reader.outputText().length / CHARACTERS_PER_TOKEN);
    checkpoint(call.id, { inputTokens, outputTokens, priceVersion: route.price.version });
  };
}

/**
 * Returns the input tokens without those from the supplier's cache. A checkpoint prices all input equally, but cached
 * input costs a fraction of that.
 */
function uncached(usage: Usage | null): number | null {
  return usage === null || usage.inputTokens === 0 ? null : usage.inputTokens - usage.cachedInputTokens;
}
