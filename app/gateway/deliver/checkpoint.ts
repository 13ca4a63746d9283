import { checkpoint } from "~/domain/accounting/index.server";
import type { AdmittedCall } from "../admit/admission";
import type { StreamReply } from "../call/reply";
import type { Usage } from "../canonical/usage";
import { countPrompt, isPlausible } from "../settle/measure";

/** Fewer tokens than a text of so many characters has: what a checkpoint says was used was used. */
const CHARACTERS_PER_TOKEN = 4;

/**
 * Notes how far a stream has come, for the case that this process does not see its end: what the supplier has reported
 * so far, else a cautious estimate. Called now and then; the tokens of the prompt are counted once, in the background.
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
        // The vocabulary could not be read this time: a process without a file handle left.
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

/** A checkpoint is priced at one price for all input: what came from the supplier's cache costs a fraction of it and is left out. */
function uncached(usage: Usage | null): number | null {
  return usage === null || usage.inputTokens === 0 ? null : usage.inputTokens - usage.cachedInputTokens;
}
