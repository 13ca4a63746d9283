import type { Usage } from "../../canonical/usage";
import { isObject, type JsonObject } from "../wire/events/reading";
import type { SseEvent } from "../wire/events/sse";
import { CallIds } from "../wire/identifiers";
import { parseJson } from "../wire/long-texts";
import { type Emit, FINISHED, MORE, type StreamDecoder, Untranslatable, type Verdict } from "../wire/parts";
import { failureIn, readConverseStop } from "./finish-reasons";
import { pictureOf } from "./picture";
import { ANY_SEAL } from "./read-answer";
import { readConverseUsage } from "./usage";

type OpenCall = { call: number; grew: boolean };

/** Converts the events of ConverseStream to parts. The event name is the type; the data is the body. */
export class ConverseStreamDecoder implements StreamDecoder {
  readonly promptUsage = null;
  usage: Usage | null = null;
  readonly #calls = new Map<unknown, OpenCall>();
  readonly #ids = new CallIds("");
  #callCount = 0;
  #begun = false;
  /** Format of the next picture. */
  #format: unknown = null;
  /** The failure of the answer, reported once the usage is known. */
  #failure: object | null = null;
  readonly #isSealed: boolean;

  constructor({ takesSealedThoughts } = ANY_SEAL) {
    this.#isSealed = takesSealedThoughts;
  }

  read({ event, data }: SseEvent, emit: Emit): Verdict {
    const wire = parseEvent(data);
    if (event === "error") return { kind: "reported", error: wire };
    if (!this.#begun) {
      this.#begun = true;
      emit({ kind: "start", id: "", model: "", usage: null });
    }
    switch (event) {
      case "contentBlockStart":
        this.#startBlock(wire, emit);
        break;
      case "contentBlockDelta":
        this.#grow(wire, emit);
        break;
      case "contentBlockStop":
        this.#stopBlock(wire, emit);
        break;
      case "messageStop":
        this.#failure = failureIn(wire.stopReason);
        if (this.#failure === null) emit({ kind: "stop", stop: readConverseStop(wire.stopReason) });
        break;
      case "metadata":
        this.usage = readConverseUsage(wire.usage);
        return this.#failure === null ? FINISHED : { kind: "reported", error: this.#failure };
    }
    return MORE;
  }

  /** Reads a start event; only tool calls and pictures have one. */
  #startBlock({ contentBlockIndex, start }: JsonObject, emit: Emit): void {
    if (isObject(start) && isObject(start.image)) this.#format = start.image.format;
    if (!isObject(start) || !isObject(start.toolUse)) return;
    const { toolUseId, name } = start.toolUse;
    const call = this.#callCount;
    this.#callCount += 1;
    this.#calls.set(contentBlockIndex, { call, grew: false });
    const id = this.#ids.next(typeof toolUseId === "string" ? toolUseId : "");
    emit({ kind: "toolCall", call, id, name: typeof name === "string" ? name : "" });
  }

  #grow({ contentBlockIndex, delta }: JsonObject, emit: Emit): void {
    if (!isObject(delta)) return;
    const { text, toolUse, reasoningContent, image } = delta;
    if (typeof text === "string" && text !== "") emit({ kind: "text", text });
    if (isObject(image)) for (const picture of pictureOf(this.#format, image.source)) emit(picture);
    if (isObject(toolUse)) this.#growCall(contentBlockIndex, toolUse.input, emit);
    if (!isObject(reasoningContent)) return;
    const { text: thought, signature, redactedContent } = reasoningContent;
    if (typeof thought === "string" && thought !== "") emit({ kind: "thinking", text: thought });
    if (!this.#isSealed) return;
    if (typeof redactedContent === "string") emit({ kind: "signature", signature: redactedContent, isRedacted: true });
    if (typeof signature === "string" && signature !== "") emit({ kind: "signature", signature });
  }

  #growCall(index: unknown, input: unknown, emit: Emit): void {
    const open = this.#calls.get(index);
    if (open === undefined) throw new Untranslatable("the supplier sent a piece of a tool call that it did not start");
    if (typeof input !== "string" || input === "") return;
    open.grew = true;
    emit({ kind: "toolArguments", call: open.call, text: input });
  }

  #stopBlock({ contentBlockIndex }: JsonObject, emit: Emit): void {
    const open = this.#calls.get(contentBlockIndex);
    this.#calls.delete(contentBlockIndex);
    if (open !== undefined && !open.grew) emit({ kind: "toolArguments", call: open.call, text: "{}" });
    emit({ kind: "partEnd" });
  }
}

function parseEvent(data: string): JsonObject {
  let wire: unknown;
  try {
    wire = parseJson(data);
  } catch {
    throw new Untranslatable("the supplier sent an event that is not JSON");
  }
  if (!isObject(wire)) throw new Untranslatable("the supplier sent an event that is not an object");
  return wire;
}
