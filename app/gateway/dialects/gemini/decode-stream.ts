import type { Usage } from "../../canonical/usage";
import { isObject, type JsonObject } from "../wire/events/reading";
import type { SseEvent } from "../wire/events/sse";
import { CallIds } from "../wire/identifiers";
import { parseExactJson } from "../wire/long-texts";
import { type Emit, FINISHED, MORE, type StreamDecoder, Untranslatable, type Verdict } from "../wire/parts";
import { geminiSeal } from "../wire/thoughts/thoughts";
import { failureIn, readGeminiStop } from "./finish-reasons";
import { callOf, candidateOf, pictureOf } from "./parts";
import { readGeminiUsage } from "./usage";

/**
 * Converts the events of `streamGenerateContent?alt=sse` to parts. Each event is an answer with the new parts. The last
 * one contains the finish reason and the whole usage; there is no terminal event after it.
 */
export class GeminiStreamDecoder implements StreamDecoder {
  usage: Usage | null = null;
  promptUsage: Usage | null = null;
  #ids: CallIds | null = null;
  #calls = 0;
  #isThought = false;
  #isEmpty = true;
  #stopped = false;

  read({ data }: SseEvent, emit: Emit): Verdict {
    const wire = parseEvent(data);
    if (wire.error != null) return { kind: "reported", error: wire };
    const known = readGeminiUsage(wire.usageMetadata);
    if (known !== null) this.#keep(known);
    this.#begin(wire, emit);
    const { parts, finish, words } = candidateOf(wire);
    for (const part of parts) this.#part(part, emit);
    const failure = failureIn(finish, { isEmpty: this.#isEmpty, words });
    if (failure !== null) {
      this.usage = known;
      return { kind: "reported", error: failure };
    }
    if (finish !== undefined && !this.#stopped) {
      this.#stopped = true;
      emit({ kind: "stop", stop: readGeminiStop(finish, this.#calls > 0) });
    }
    if (!this.#stopped || known === null) return MORE;
    this.usage = known;
    return FINISHED;
  }

  #keep({ audioOutputTokens: _none, ...known }: Usage): void {
    this.promptUsage = { ...known, outputTokens: 0, reasoningTokens: 0 };
  }

  #begin({ responseId, modelVersion }: JsonObject, emit: Emit): void {
    if (this.#ids !== null) return;
    const id = typeof responseId === "string" ? responseId : "";
    this.#ids = new CallIds(id);
    const model = typeof modelVersion === "string" ? modelVersion : "";
    emit({ kind: "start", id, model, usage: this.promptUsage });
  }

  #part(part: JsonObject, emit: Emit): void {
    const text = typeof part.text === "string" ? part.text : "";
    const signature = geminiSeal(part.thoughtSignature);
    const isThought = part.thought === true;
    if (isThought && text !== "") emit({ kind: "thinking", text });
    // The seal may be on the part after the thought, or on a call if thoughts are hidden.
    if (signature !== null && (isThought || this.#isThought || part.functionCall !== undefined)) {
      if (!isThought && !this.#isThought) emit({ kind: "partEnd" });
      emit({ kind: "signature", signature });
    }
    this.#isThought = isThought;
    if (isThought) return;
    if (text !== "") emit({ kind: "text", text });
    const picture = pictureOf(part);
    if (picture !== null) emit(picture);
    const call = callOf(part);
    this.#isEmpty &&= text === "" && picture === null && call === null;
    if (call === null) return;
    const number = this.#calls;
    this.#calls += 1;
    emit({ kind: "toolCall", call: number, id: this.#ids!.next(call.id), name: call.name });
    emit({ kind: "toolArguments", call: number, text: call.arguments });
    emit({ kind: "partEnd" });
  }
}

function parseEvent(data: string): JsonObject {
  let wire: unknown;
  try {
    wire = parseExactJson(data);
  } catch {
    throw new Untranslatable("the supplier sent an event that is not JSON");
  }
  if (!isObject(wire)) throw new Untranslatable("the supplier sent an event that is not an object");
  return wire;
}
