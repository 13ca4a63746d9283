import { NO_USAGE, type Usage } from "../../canonical/usage";
import type { StreamReader, WholeAnswer } from "../dialect";
import { answerObject, notAnAnswer } from "../wire/events/whole-json";
import type { SpeechSource } from "./read";

/** Reads a whole audio answer. @throws SupplierFailure `protocol` for an empty body, JSON or HTML. */
export function readSpeechAnswer(source: Pick<SpeechSource, "characters">, body: Buffer): WholeAnswer {
  if (body.length === 0) throw notAnAnswer("the supplier sent an empty answer");
  if (isText(body)) {
    // A JSON error inside a 200 throws with the supplier's own words.
    answerObject(body);
    throw notAnAnswer("the supplier sent no audio");
  }
  return { body, usage: spoken(source), outputText: () => "" };
}

/** Reads streamed audio: every byte passes, and the end of the connection is the end of the answer. */
export class SpeechReader implements StreamReader {
  readonly usage: Usage;
  readonly terminal = Buffer.alloc(0);
  state: StreamReader["state"] = "open";
  started = false;
  failure: StreamReader["failure"] = null;

  constructor(source: Pick<SpeechSource, "characters">) {
    this.usage = spoken(source);
  }

  push(chunk: Buffer): Buffer | null {
    if (this.started) return chunk;
    if (chunk.length === 0) return null;
    if (isText(chunk)) {
      this.state = "failed";
      this.failure = { code: null, type: null, message: "the supplier sent no audio", protocol: true };
      return null;
    }
    this.started = true;
    return chunk;
  }

  end(): boolean {
    return this.started;
  }

  outputText(): string {
    return "";
  }
}

/** Returns the usage: suppliers report none with audio, and the price depends on the text, which gw has counted. */
const spoken = ({ characters }: Pick<SpeechSource, "characters">): Usage => ({ ...NO_USAGE, characters });

/** Whether an answer starts like JSON or HTML, which no audio file does. */
const isText = (bytes: Buffer) => bytes[0] === 0x7b || bytes[0] === 0x3c;
