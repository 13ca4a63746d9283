import type { Answer, StreamPart } from "../../canonical/answer";
import type { Usage } from "../../canonical/usage";
import { writeChatStop } from "../chat/finish-reasons";
import { writeChatUsage } from "../chat/write-answer";
import { type StreamEncoder, Untranslatable } from "../wire/parts";

/** Input for a completion besides its parts. `createdSeconds` is Unix time. */
export type CompletionFrame = {
  createdSeconds: number;
  wantsUsage: boolean;
  /** Return the client's id and model name for the supplier's. */
  idOf(id: string): string;
  modelOf(model: string): string;
};

const NO_PLACE = "the model made a picture, and a text completion has no place for one";

/** Writes an answer as a text completion, without thoughts, which the format cannot express. */
export function writeCompletion({ id, model, parts, stop, usage }: Answer, frame: CompletionFrame): string {
  if (parts.some(({ kind }) => kind === "picture")) throw new Untranslatable(NO_PLACE);
  const text = parts.map((part) => (part.kind === "text" ? part.text : "")).join("");
  return JSON.stringify({
    ...headOf({ id, model }, frame),
    choices: [choice(text, writeChatStop(stop))],
    ...(usage === null ? {} : { usage: writeChatUsage(usage) }),
  });
}

/** Writes a streamed answer as text completion events: one finish reason, then usage if requested, then `[DONE]`. */
export class CompletionStreamEncoder implements StreamEncoder {
  readonly #frame: CompletionFrame;
  #head: object = {};
  #finished = false;

  constructor(frame: CompletionFrame) {
    this.#frame = frame;
  }

  write(part: StreamPart): string {
    switch (part.kind) {
      case "start":
        this.#head = headOf(part, this.#frame);
        return "";
      case "text":
        return this.#event([choice(part.text, null)]);
      case "picture":
        throw new Untranslatable(NO_PLACE);
      case "stop":
        return this.#end(writeChatStop(part.stop));
      default:
        return "";
    }
  }

  finish(usage: Usage | null): string {
    const end = this.#finished ? "" : this.#end("stop");
    const last = this.#frame.wantsUsage && usage !== null ? this.#event([], writeChatUsage(usage)) : "";
    return `${end}${last}data: [DONE]\n\n`;
  }

  #end(reason: string): string {
    this.#finished = true;
    return this.#event([choice("", reason)]);
  }

  #event(choices: readonly object[], usage: object | null = null): string {
    const shown = this.#frame.wantsUsage ? { ...this.#head, choices, usage } : { ...this.#head, choices };
    return `data: ${JSON.stringify(shown)}\n\n`;
  }
}

const headOf = ({ id, model }: { id: string; model: string }, { createdSeconds, idOf, modelOf }: CompletionFrame) => ({
  id: idOf(id),
  object: "text_completion",
  created: createdSeconds,
  model: modelOf(model),
});

const choice = (text: string, finish_reason: string | null) => ({ index: 0, text, logprobs: null, finish_reason });
