import { isErrorObject } from "../../canonical/reported-error";
import type { Usage } from "../../canonical/usage";
import { isBilledBlock } from "../wire/billed-tools";
import { EventReader } from "../wire/events/event-reader";
import type { SseEvent } from "../wire/events/sse";
import { UnreadEvents } from "../wire/events/unread-events";
import { parseJson } from "../wire/long-texts";
import { nameOf, tellsUses, textOfBlock, type WireBlock, type WireMessage } from "./answer";
import { ordinaryLength } from "./fast-chunk";
import { MessagesUsageMeter } from "./usage";

/** An event of a messages-style supplier. */
export type WireEvent = {
  type?: unknown;
  index?: unknown;
  message?: WireMessage | null;
  content_block?: WireBlock | null;
  delta?: {
    type?: unknown;
    text?: unknown;
    thinking?: unknown;
    partial_json?: unknown;
    signature?: unknown;
    stop_reason?: unknown;
    stop_sequence?: unknown;
  } | null;
  usage?: unknown;
};

const MESSAGE_STOP = Buffer.from('event: message_stop\ndata: {"type":"message_stop"}\n\n');

/**
 * Reads a messages-style stream that passes through: `message_start`, blocks with start, deltas and stop,
 * `message_delta` with the totals, `message_stop`. The first content is a non-empty delta, or the start of a block that
 * is content by itself (a tool call, a sealed thought). Pings pass.
 */
export class MessagesStreamReader extends EventReader {
  readonly terminal = MESSAGE_STOP;
  readonly #meter = new MessagesUsageMeter();
  readonly #unread = new UnreadEvents();
  #text = "";
  #stopped = false;
  #shownUses = 0;
  #areUsesTold = false;

  get usage(): Usage | null {
    return this.#meter.usage;
  }

  get toolUses(): number {
    return this.#areUsesTold ? 0 : this.#shownUses;
  }

  get promptUsage(): Usage | null {
    return this.#meter.promptUsage;
  }

  outputText(): string {
    this.#readUnread();
    return this.#text;
  }

  /** True once the stop reason is known, because only `message_stop` can follow. */
  protected isComplete(): boolean {
    return this.#stopped;
  }

  protected take(event: SseEvent): Buffer | null {
    let wire: WireEvent | null;
    try {
      wire = parseJson(event.data) as WireEvent | null;
    } catch {
      return this.failProtocol("the supplier sent an event that is not JSON");
    }
    if (isErrorObject(wire, "type") || wire?.type === "error" || event.event === "error")
      return this.failReported(wire);
    if (typeof wire?.type !== "string") return this.failProtocol("the supplier sent an event without a type");
    if (wire.type === "message_stop") {
      if (!this.started) return this.failProtocol("the supplier's answer was empty");
      this.state = "finished";
      return null;
    }
    this.#follow(wire);
    // Some suppliers omit the event name, and SDKs of this dialect skip events without one.
    if (event.event === wire.type) return event.bytes;
    return Buffer.from(`event: ${wire.type}\ndata: ${event.data.replaceAll("\n", " ")}\n\n`);
  }

  protected override ordinaryLength(text: string): number {
    return ordinaryLength(text);
  }

  /** Passes ordinary events unchanged to the client; their text is parsed only on demand. */
  protected override passOn(events: Buffer, text: string): Buffer {
    if (this.#unread.keep(text)) this.#readUnread();
    return events;
  }

  #readUnread(): void {
    for (const { data } of this.#unread.take()) this.#grow((JSON.parse(data) as WireEvent).delta ?? {});
  }

  #follow(wire: WireEvent): void {
    this.#readUnread();
    switch (wire.type) {
      case "message_start":
        this.#meter.opening(wire.message?.usage);
        return;
      case "content_block_start":
        this.#startBlock(wire.content_block ?? {});
        return;
      case "content_block_delta":
        this.#grow(wire.delta ?? {});
        return;
      case "message_delta":
        this.#meter.total(wire.usage);
        this.#areUsesTold ||= tellsUses(wire.usage);
        if (wire.delta?.stop_reason != null) {
          this.#stopped = true;
          this.started = true;
        }
        return;
    }
  }

  #startBlock(block: WireBlock): void {
    if (isBilledBlock(block)) this.#shownUses += 1;
    // A tool's name is content. Its input arrives in deltas; the start contains only an empty object.
    if (block.type === "tool_use" || block.type === "server_tool_use") this.#text += nameOf(block);
    else this.#text += textOfBlock(block);
    if ((block.type !== "text" && block.type !== "thinking") || textOfBlock(block) !== "") this.started = true;
  }

  #grow({ text, thinking, partial_json, signature }: NonNullable<WireEvent["delta"]>): void {
    for (const piece of [text, thinking, partial_json]) {
      if (typeof piece !== "string" || piece === "") continue;
      this.#text += piece;
      this.started = true;
    }
    if (signature != null) this.started = true;
  }
}
