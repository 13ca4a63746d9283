import { exactJson } from "~/http/body/json/exact-numbers";
import type { Picture, Stop, StreamPart } from "../../canonical/answer";
import type { Citation } from "../../canonical/conversation";
import type { Usage } from "../../canonical/usage";
import type { StreamProblem } from "../dialect";
import type { StreamEncoder } from "../wire/parts";
import type { CallForm } from "./client-tools";
import { annotation, callItem, FORMS, imageItem, itemId, messageItem, reasoningItem, textPart, toolOf } from "./items";
import {
  customInput,
  incompleteBy,
  type OutputItem,
  type ResponseFrame,
  type ResponseState,
  responseObject,
} from "./response";

/** An item that still grows. `call` is -1 for other items than calls. */
type OpenItem = {
  kind: "text" | "thinking" | "toolCall" | "picture";
  index: number;
  id: string;
  call: number;
  callId: string;
  name: string;
  text: string;
  signature: string | null;
  isRedacted: boolean;
  isRefusal: boolean;
  citations: Citation[];
  form: CallForm;
};

/**
 * Writes a streamed answer as this dialect's events. Items are in the order of their start. Several calls may grow at
 * the same time, but a text or a thought ends when another item begins. Sequence numbers have no gaps.
 */
export class ResponsesStreamEncoder implements StreamEncoder {
  readonly statesUsage = true;
  readonly #frame: ResponseFrame;
  #model = "";
  #sequence = 0;
  #stop: Stop | null = null;
  /** Started items in order; null until an item is done. */
  readonly #output: (OutputItem | null)[] = [];
  readonly #open = new Map<number, OpenItem>();
  /** The text or thought that still grows. */
  #last: OpenItem | null = null;
  #closing: string | null = null;
  #hasRefusal = false;

  constructor(frame: ResponseFrame) {
    this.#frame = frame;
  }

  write(part: StreamPart): string {
    switch (part.kind) {
      case "start":
        return this.#begin(part.model);
      case "text":
        return this.#growText(part.text, part.isRefusal === true);
      case "citation":
        return this.#cite(part.citation);
      case "thinking":
        return this.#growThought(part.text);
      case "picture":
        return this.#closeLast() + this.#showPicture(part);
      case "signature":
        return this.#seal(part.signature, part.isRedacted === true);
      case "toolCall":
        return this.#closeLast() + this.#openCall(part);
      case "toolArguments":
        return this.#growCall(part.call, part.text);
      case "partEnd":
        // Adjacent texts are one message, so a message ends only when another item begins.
        return this.#last?.kind === "text" ? "" : this.#closeLast();
      case "stop":
        this.#stop = part.stop;
        return this.#closeAll();
    }
  }

  /** Returns the terminal event. May be repeated with another usage; the sequence number stays the same. */
  finish(usage: Usage | null): string {
    this.#closing ??= this.#closeAll();
    const incomplete = this.#incomplete();
    const status = incomplete === null ? "completed" : "incomplete";
    const response = this.#response({ status, usage, incomplete });
    return this.#closing + written(`response.${status}`, this.#sequence, `"response":${response}`);
  }

  /**
   * Returns the event that ends a broken stream. The error is also a member beside the response, because the official
   * SDK raises its exception for that. Frameworks on top of it treat any other broken answer as complete.
   */
  fail({ code, type, message, gatewayCode }: StreamProblem): string {
    const errorBody = { code, type, message, gateway_code: gatewayCode };
    const response = this.#response({ status: "failed", usage: null, error: errorBody });
    const error = JSON.stringify(errorBody);
    return written("response.failed", this.#sequence, `"error":${error},"response":${response}`);
  }

  #incomplete() {
    return this.#stop === null ? null : incompleteBy(this.#stop, this.#hasRefusal);
  }

  #begin(model: string): string {
    this.#model = this.#frame.modelOf(model);
    const response = `"response":${this.#response({ status: "in_progress", usage: null })}`;
    return this.#event("response.created", response) + this.#event("response.in_progress", response);
  }

  #response(state: Omit<ResponseState, "model" | "output">): string {
    const output = this.#output.filter((item) => item !== null);
    return JSON.stringify(
      responseObject(this.#frame, { model: this.#model || this.#frame.modelOf(""), output, ...state }),
    );
  }

  #event(type: string, members: string): string {
    const event = written(type, this.#sequence, members);
    this.#sequence += 1;
    return event;
  }

  #enter(item: Pick<OpenItem, "kind"> & Partial<OpenItem>, prefix: string): OpenItem {
    const index = this.#output.length;
    const id = itemId(prefix, { frame: this.#frame, index });
    this.#output.push(null);
    return { ...NEW_ITEM, citations: [], ...item, index, id };
  }

  #added({ index }: OpenItem, item: OutputItem): string {
    return this.#event("response.output_item.added", `"output_index":${index},"item":${JSON.stringify(item)}`);
  }

  #done({ index }: OpenItem, item: OutputItem): string {
    this.#output[index] = item;
    return this.#event("response.output_item.done", `"output_index":${index},"item":${JSON.stringify(item)}`);
  }

  #growText(text: string, isRefusal: boolean): string {
    const isOpen = this.#last?.kind === "text" && this.#last.isRefusal === isRefusal;
    const out = isOpen ? "" : this.#closeLast() + this.#openText(isRefusal);
    const item = this.#last!;
    item.text += text;
    const delta = `${inContent(item)},"delta":${JSON.stringify(text)}`;
    if (isRefusal) return out + this.#event("response.refusal.delta", delta);
    return out + this.#event("response.output_text.delta", `${delta},"logprobs":[]`);
  }

  #openText(isRefusal: boolean): string {
    const item = this.#enter({ kind: "text", isRefusal }, "msg");
    this.#last = item;
    this.#hasRefusal ||= isRefusal;
    const part = JSON.stringify(textPart(item));
    return (
      this.#added(item, messageItem({ ...this.#at(item), said: null, status: "in_progress" })) +
      this.#event("response.content_part.added", `${inContent(item)},"part":${part}`)
    );
  }

  /** Adds a citation to the open text. Drops it after the end of its text, which clients cannot change any more. */
  #cite(citation: Citation): string {
    const item = this.#last;
    if (item?.kind !== "text" || item.isRefusal) return "";
    item.citations.push(citation);
    const members = `"annotation_index":${item.citations.length - 1},"annotation":${JSON.stringify(annotation(citation))}`;
    return this.#event("response.output_text.annotation.added", `${inContent(item)},${members}`);
  }

  #growThought(text: string): string {
    let out = "";
    if (this.#last?.kind !== "thinking") out = this.#closeLast() + this.#openThought();
    const item = this.#last!;
    if (item.text === "")
      out += this.#event("response.reasoning_summary_part.added", `${inSummary(item)},"part":${summaryPart("")}`);
    item.text += text;
    return (
      out + this.#event("response.reasoning_summary_text.delta", `${inSummary(item)},"delta":${JSON.stringify(text)}`)
    );
  }

  #openThought(): string {
    const item = this.#enter({ kind: "thinking" }, "rs");
    this.#last = item;
    return this.#added(item, reasoningItem({ ...this.#at(item), thought: { text: "", signature: null } }));
  }

  /** Adds the seal to the open thought; a seal without a thought becomes a thought without text. */
  #seal(signature: string, isRedacted: boolean): string {
    const out = this.#last?.kind === "thinking" ? "" : this.#closeLast() + this.#openThought();
    this.#last!.signature = (this.#last!.signature ?? "") + signature;
    this.#last!.isRedacted = isRedacted;
    return out;
  }

  #openCall({ call, id: callId, name }: Extract<StreamPart, { kind: "toolCall" }>): string {
    const { form } = toolOf(name, this.#frame);
    const item = this.#enter({ kind: "toolCall", call, callId, name, form }, FORMS[form].prefix);
    this.#open.set(call, item);
    return this.#added(item, this.#callItem(item, "in_progress"));
  }

  #showPicture(picture: Picture): string {
    const item = this.#enter({ kind: "picture" }, "ig");
    const shown = imageItem({ ...this.#at(item), picture });
    return (
      this.#added(item, { ...shown, status: "in_progress", result: null }) +
      this.#event("response.image_generation_call.completed", inOutput(item)) +
      this.#done(item, shown)
    );
  }

  #growCall(call: number, text: string): string {
    const item = this.#open.get(call);
    if (item === undefined) return "";
    item.text += text;
    // The input of other tools is known only when the arguments are complete.
    if (item.form !== "function") return "";
    return this.#event("response.function_call_arguments.delta", `${inOutput(item)},"delta":${JSON.stringify(text)}`);
  }

  #callItem({ index, callId, name, text }: OpenItem, status: "in_progress" | "completed" | "incomplete"): OutputItem {
    return callItem({ frame: this.#frame, index, call: { id: callId, name, arguments: text }, status });
  }

  #closeLast(): string {
    const item = this.#last;
    this.#last = null;
    if (item === null) return "";
    return item.kind === "text" ? this.#closeText(item) : this.#closeThought(item);
  }

  #closeText(item: OpenItem): string {
    const text = JSON.stringify(item.text);
    return (
      (item.isRefusal
        ? this.#event("response.refusal.done", `${inContent(item)},"refusal":${text}`)
        : this.#event("response.output_text.done", `${inContent(item)},"text":${text},"logprobs":[]`)) +
      this.#event("response.content_part.done", `${inContent(item)},"part":${JSON.stringify(textPart(item))}`) +
      this.#done(item, messageItem({ ...this.#at(item), said: item, status: this.#statusAtEnd(item) }))
    );
  }

  #closeThought(item: OpenItem): string {
    let out = "";
    if (item.text !== "") {
      out += this.#event(
        "response.reasoning_summary_text.done",
        `${inSummary(item)},"text":${JSON.stringify(item.text)}`,
      );
      out += this.#event("response.reasoning_summary_part.done", `${inSummary(item)},"part":${summaryPart(item.text)}`);
    }
    const { text, signature, isRedacted } = item;
    const thought = { text, signature, ...(isRedacted ? { isRedacted } : {}) };
    return out + this.#done(item, reasoningItem({ ...this.#at(item), thought }));
  }

  #closeCall(item: OpenItem): string {
    let out = "";
    if (item.form === "custom") {
      const input = JSON.stringify(customInput(item.text));
      out += this.#event("response.custom_tool_call_input.delta", `${inOutput(item)},"delta":${input}`);
      out += this.#event("response.custom_tool_call_input.done", `${inOutput(item)},"input":${input}`);
    } else if (item.form === "function") {
      if (item.text.trim() === "") out += this.#growCall(item.call, "{}");
      const name = JSON.stringify(toolOf(item.name, this.#frame).name);
      const quoted = JSON.stringify(item.text);
      out += this.#event(
        "response.function_call_arguments.done",
        `${inOutput(item)},"name":${name},"arguments":${quoted}`,
      );
    }
    return out + this.#done(item, this.#callItem(item, this.#statusAtEnd(item)));
  }

  #closeAll(): string {
    let out = this.#closeLast();
    for (const item of this.#open.values()) out += this.#closeCall(item);
    this.#open.clear();
    return out;
  }

  /** Returns `incomplete` for the last item of an answer that ended at the output ceiling or was filtered. */
  #statusAtEnd({ index }: OpenItem): "completed" | "incomplete" {
    const isCut = this.#incomplete() !== null && index === this.#output.length - 1;
    return isCut ? "incomplete" : "completed";
  }

  #at = ({ index }: OpenItem) => ({ frame: this.#frame, index });
}

const NEW_ITEM = {
  call: -1,
  callId: "",
  name: "",
  text: "",
  signature: null,
  isRedacted: false,
  isRefusal: false,
  form: "function" as const,
};

const written = (type: string, sequence: number, members: string): string =>
  `event: ${type}\ndata: {"type":"${type}","sequence_number":${sequence},${exactJson(members)}}\n\n`;

const inOutput = ({ id, index }: OpenItem) => `"item_id":"${id}","output_index":${index}`;
const inContent = (item: OpenItem) => `${inOutput(item)},"content_index":0`;
const inSummary = (item: OpenItem) => `${inOutput(item)},"summary_index":0`;
const summaryPart = (text: string) => JSON.stringify({ type: "summary_text", text });
