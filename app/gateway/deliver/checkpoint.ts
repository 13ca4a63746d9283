import { checkpoint } from "~/domain/accounting/index.server";
import type { Ticket } from "../admit";
import type { LiveStream } from "../call/live-stream";
import type { Call } from "../call-record";
import type { Ask } from "../canonical/ask";
import type { Usage } from "../canonical/usage";
import type { Dialect } from "../dialects/dialect";
import type { PricedLane } from "../route";
import { countPrompt, isPlausible } from "../settle/measure";

/** Fewer tokens than a text of so many characters has: what a checkpoint says was used was used. */
const CHARACTERS_PER_TOKEN = 4;

/**
 * Notes how far a stream has come, for the case that this process does not see its end: what the supplier has reported
 * so far, else a cautious estimate. Called now and then; the tokens of the prompt are counted once, in the background.
 */
export function checkpointOf(
  { call, ask, ticket, dialect }: { call: Call; ask: Ask; ticket: Ticket; dialect: Dialect },
  { lane, live }: { lane: PricedLane; live: LiveStream },
): () => void {
  if (!ticket.held) return () => undefined;
  const believable = (usage: Usage | null | undefined) =>
    usage != null && isPlausible(usage, ticket.bounds) ? usage : null;
  let promptTokens: number | null = null;
  let counting = false;
  return () => {
    const { promptUsage } = live.reader;
    const usage = believable(live.reader.usage);
    const inputTokens = uncached(usage) ?? uncached(believable(promptUsage)) ?? promptTokens;
    if (inputTokens === null) {
      if (counting) return;
      counting = true;
      void countPrompt(ask, dialect).then(
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
    checkpoint(call.id, inputTokens, outputTokens, lane.price.version);
  };
}

/** A checkpoint is priced at one price for all input: what came from the supplier's cache costs a fraction of it and is left out. */
function uncached(usage: Usage | null): number | null {
  return usage === null || usage.inputTokens === 0 ? null : usage.inputTokens - usage.cachedInputTokens;
}
