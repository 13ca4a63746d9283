import type { ServiceTier } from "~/domain/catalogue/shared";
import { isErrorObject } from "../../canonical/reported-error";
import type { Usage } from "../../canonical/usage";
import { reportedUsesIn, shownUses } from "../wire/billed-tools";
import { EventReader, SIGN_OF_LIFE } from "../wire/events/event-reader";
import { isObject } from "../wire/events/reading";
import type { SseEvent } from "../wire/events/sse";
import { UnreadEvents } from "../wire/events/unread-events";
import { parseJson } from "../wire/long-texts";
import { atTier, servedTier } from "../wire/service-tier";
import { errorOf, isBroken, picturesIn, saysAnything, textOf } from "./answer";
import { CallPlaces } from "./call-places";
import { isOrdinary, NO_USAGE_YET, OrdinaryEvents, withoutNoUsage } from "./fast-chunk";
import { isKnownReason, isOver, knownReason, withKnownReasons } from "./finish-reasons";
import { readChatUsage, usageIn, withoutCost } from "./usage";

type Chunk = {
  choices?: { index?: unknown; delta?: Parameters<typeof textOf>[0]; finish_reason?: unknown; error?: unknown }[];
  usage?: unknown;
  x_groq?: unknown;
  service_tier?: unknown;
  error?: unknown;
};

const DONE = Buffer.from("data: [DONE]\n\n");

/** Reads a chat-style stream: chunks as `data:` events, usage in the last one, `[DONE]` at the end. */
export class ChatStreamReader extends EventReader {
  readonly terminal = DONE;
  usage: Usage | null = null;
  serviceTier: ServiceTier | undefined;
  /** Maximum tool uses in one event, by choice; later events repeat the earlier uses. */
  readonly #shownUses = new Map<unknown, number>();
  #areUsesTold = false;
  readonly #showUsage: boolean;
  #text = "";
  #pictures = 0;
  readonly #ordinary = new OrdinaryEvents();
  readonly #places = new CallPlaces();
  readonly #unread = new UnreadEvents();
  /** Indexes of the choices with content, and of those that have ended. */
  readonly #begun = new Set<unknown>();
  readonly #finished = new Set<unknown>();
  /** A choice continued after its finish reason, so this supplier's finish reasons are unreliable. */
  #hasFalseEnds = false;
  /** The last event contained only the usage. */
  #hasTotals = false;

  constructor(showUsage: boolean) {
    super();
    this.#showUsage = showUsage;
  }

  /** True without `[DONE]` if all choices have ended; some suppliers close after the last finish_reason. */
  protected isComplete(): boolean {
    if (this.#finished.size === 0 || (this.#hasFalseEnds && !this.#hasTotals)) return false;
    this.#readUnread();
    return [...this.#begun].every((index) => this.#finished.has(index));
  }

  outputText(): string {
    this.#readUnread();
    return this.#text;
  }

  get pictures(): number {
    this.#readUnread();
    return this.#pictures;
  }

  get toolUses(): number {
    return this.#areUsesTold ? 0 : [...this.#shownUses.values()].reduce((sum, uses) => sum + uses, 0);
  }

  protected take(event: SseEvent): Buffer | null {
    if (isDone(event)) {
      this.state = "finished";
      return null;
    }
    // Named events are not part of the format; keep-alive events are dropped.
    if (event.event !== "" && SIGN_OF_LIFE.test(event.event)) return null;
    return this.#takeChunk(this.#places.fit(event));
  }

  #takeChunk(event: SseEvent): Buffer | null {
    if (this.#mayPass && event.event === "" && isOrdinary(event.data)) return this.#passOne(event);
    let chunk: Chunk;
    try {
      chunk = parseJson(event.data) as Chunk;
    } catch {
      return this.failProtocol("the supplier sent an event that is not JSON");
    }
    if (typeof chunk !== "object" || chunk === null || isErrorObject(chunk, "choices") || event.event === "error")
      return this.failReported(chunk);
    this.serviceTier = servedTier(chunk.service_tier) ?? this.serviceTier;
    const choices = Array.isArray(chunk.choices) ? chunk.choices : [];
    const broken = choices.find(isBroken);
    if (broken !== undefined) {
      this.#readUsage(chunk);
      return this.failReported(errorOf(broken));
    }
    const hasEnd = this.#finished.size > 0;
    const saysMore = this.#readChoices(choices);
    this.#readUsage(chunk);
    // Aggregators send an empty choice beside the totals, after the end of every choice.
    const isTotals = chunk.usage != null && hasEnd && !saysMore;
    this.#hasTotals = isTotals;
    const bytes = withReasons(event, choices);
    if (!("usage" in chunk)) return bytes;
    if (!this.#showUsage) return withoutUsage(chunk, isTotals ? 0 : choices.length);
    const usage = withoutCost(chunk.usage);
    if (usage === null) return bytes;
    const shown = Object.assign(chunk, isTotals ? { choices: [], usage } : { usage });
    return Buffer.from(`data: ${JSON.stringify(shown)}\n\n`);
  }

  /**
   * Ordinary events pass unread until a choice has ended, and only if no call has another index than the supplier's.
   */
  get #mayPass(): boolean {
    return this.started && this.#finished.size === 0 && !this.#places.hasMoved;
  }

  #readUsage(chunk: Chunk): void {
    const usage = usageIn(chunk);
    if (usage == null) return;
    this.usage = atTier(readChatUsage(usage), this.serviceTier) ?? this.usage;
    this.#areUsesTold ||= isObject(usage) && reportedUsesIn(usage) !== null;
  }

  /** Reads the choices of a chunk. Returns whether they had any content or an end. */
  #readChoices(choices: NonNullable<Chunk["choices"]>): boolean {
    let saysMore = false;
    for (const choice of choices) {
      this.#countUses(choice);
      const index = choice?.index ?? 0;
      const text = textOf(choice?.delta);
      if (text !== "" || saysAnything(choice?.delta)) {
        this.#readUnread();
        this.#text += text;
        this.#pictures += picturesIn(choice?.delta);
        this.#begun.add(index);
        if (this.#finished.delete(index)) this.#hasFalseEnds = true;
        this.started = true;
        saysMore = true;
      }
      if (!isOver(choice?.finish_reason)) continue;
      this.#finished.add(index);
      this.started = true;
      saysMore = true;
    }
    return saysMore;
  }

  #countUses(choice: NonNullable<Chunk["choices"]>[number] | null): void {
    const uses = shownUses(choice?.delta);
    if (uses === 0) return;
    const index = choice?.index ?? 0;
    this.#shownUses.set(index, Math.max(uses, this.#shownUses.get(index) ?? 0));
  }

  protected override ordinaryLength(text: string): number {
    return this.#mayPass ? this.#ordinary.length(text) : 0;
  }

  /** Passes ordinary events to the client; their text is parsed only on demand. */
  protected override passOn(events: Buffer, text: string): Buffer {
    if (this.#unread.keep(text)) this.#readUnread();
    return this.#showUsage ? events : withoutNoUsage(events, text);
  }

  /** Passes one ordinary event, in any spelling, which may be split across chunks. */
  #passOne(event: SseEvent): Buffer {
    if (this.#unread.keep(event.bytes.toString("latin1"))) this.#readUnread();
    if (this.#showUsage || !event.data.includes(NO_USAGE_YET)) return event.bytes;
    return framed(event.data.replace(NO_USAGE_YET, ""));
  }

  #readUnread(): void {
    for (const { data } of this.#unread.take()) {
      for (const { index, text, pictures } of piecesIn(data)) {
        this.#text += text;
        this.#pictures += pictures;
        this.#begun.add(index);
      }
    }
  }
}

/** Whether an event is the terminal one. Like the SDKs, ignores any text after the mark. */
export const isDone = ({ data }: SseEvent): boolean => data.startsWith("[DONE]") || DONE_OTHERWISE.test(data);
const DONE_OTHERWISE = /^\s*"?\[DONE\]/;

/** Returns the generated text of an event; none if it is not JSON, because unreadable text counts as not delivered. */
function piecesIn(data: string): { index: unknown; text: string; pictures: number }[] {
  try {
    const { choices } = parseJson(data) as Chunk;
    if (!Array.isArray(choices)) return [];
    return choices.map((choice) => {
      const { index = 0, delta } = choice ?? {};
      return { index: index ?? 0, text: textOf(delta), pictures: picturesIn(delta) };
    });
  } catch {
    return [];
  }
}

/** Returns the event with the format's finish reasons, or the same bytes; replaces the reasons in `choices` too. */
function withReasons({ bytes, data }: SseEvent, choices: NonNullable<Chunk["choices"]>): Buffer {
  if (choices.every((choice) => isKnownReason(choice?.finish_reason))) return bytes;
  for (const choice of choices)
    if (typeof choice?.finish_reason === "string") choice.finish_reason = knownReason(choice.finish_reason);
  return framed(withKnownReasons(data));
}

/** Returns an event with data of any number of lines. */
const framed = (data: string): Buffer => Buffer.from(`data: ${data.replaceAll("\n", "\ndata: ")}\n\n`);

/**
 * Removes usage that the client did not request: drops an event that contains only usage, and the field from others.
 */
function withoutUsage(chunk: Chunk, choices: number): Buffer | null {
  if (choices === 0 && chunk.usage != null) return null;
  const { usage: _hidden, ...rest } = chunk;
  return Buffer.from(`data: ${JSON.stringify(rest)}\n\n`);
}
