import type { ServiceTier } from "~/domain/catalogue/shared";
import type { Usage } from "../../canonical/usage";
import { shownUses, toldUsesIn } from "../wire/billed-tools";
import { EventReader } from "../wire/event-reader";
import { parseJson } from "../wire/long-texts";
import { isObject } from "../wire/reading";
import { atTier, servedTier } from "../wire/service-tier";
import type { SseEvent } from "../wire/sse";
import { UnreadEvents } from "../wire/unread-events";
import { errorOf, isBroken, picturesIn, saysAnything, textOf } from "./answer";
import { isOrdinary, NO_USAGE_YET, OrdinaryEvents, withoutNoUsage } from "./ordinary";
import { isOver } from "./stops";
import { readChatUsage, usageIn, withoutCost } from "./usage";

type Chunk = {
  choices?: { index?: unknown; delta?: Parameters<typeof textOf>[0]; finish_reason?: unknown; error?: unknown }[];
  usage?: unknown;
  x_groq?: unknown;
  service_tier?: unknown;
  error?: unknown;
};

const DONE = Buffer.from("data: [DONE]\n\n");

/** Follows a chat-style stream: chunks as `data:` events, usage in the last one, `[DONE]` at the end. */
export class ChatStreamReader extends EventReader {
  readonly terminal = DONE;
  usage: Usage | null = null;
  serviceTier: ServiceTier | undefined;
  /** The most that one event has shown of each choice: pieces repeat what was executed before. */
  readonly #shownUses = new Map<unknown, number>();
  #areUsesTold = false;
  readonly #showUsage: boolean;
  #text = "";
  #pictures = 0;
  readonly #ordinary = new OrdinaryEvents();
  readonly #unread = new UnreadEvents();
  /** By their index: the choices that have said something, and those that have come to their end. */
  readonly #begun = new Set<unknown>();
  readonly #finished = new Set<unknown>();
  /** A choice went on behind its own end: such a supplier's ends mean nothing. */
  #hasFalseEnds = false;
  /** The last event brought the usage and nothing else. */
  #hasTotals = false;

  constructor(showUsage: boolean) {
    super();
    this.#showUsage = showUsage;
  }

  /** Some suppliers close after the last finish_reason without a [DONE]; the answer is complete all the same. */
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
    if (this.#mayPass && event.event === "" && isOrdinary(event.data)) return this.#passOne(event);
    let chunk: Chunk;
    try {
      chunk = parseJson(event.data) as Chunk;
    } catch {
      return this.failProtocol("the supplier sent an event that is not JSON");
    }
    if (typeof chunk !== "object" || chunk === null || chunk.error != null || event.event === "error")
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
    // Aggregators repeat an empty choice beside the totals, behind the end of every choice.
    const isTotals = chunk.usage != null && hasEnd && !saysMore;
    this.#hasTotals = isTotals;
    if (!("usage" in chunk)) return event.bytes;
    if (!this.#showUsage) return withoutUsage(chunk, isTotals ? 0 : choices.length);
    const usage = withoutCost(chunk.usage);
    if (usage === null) return event.bytes;
    const shown = Object.assign(chunk, isTotals ? { choices: [], usage } : { usage });
    return Buffer.from(`data: ${JSON.stringify(shown)}\n\n`);
  }

  /** Ordinary events go on unread until a choice has come to its end. */
  get #mayPass(): boolean {
    return this.started && this.#finished.size === 0;
  }

  #readUsage(chunk: Chunk): void {
    const usage = usageIn(chunk);
    if (usage == null) return;
    this.usage = atTier(readChatUsage(usage), this.serviceTier) ?? this.usage;
    this.#areUsesTold ||= isObject(usage) && toldUsesIn(usage) !== null;
  }

  /** Takes in what choices carry; whether it was anything at all. */
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

  /** Ordinary events reach the client as they are; their text is read only if somebody asks for it. */
  protected override passOn(events: Buffer, text: string): Buffer {
    if (this.#unread.keep(text)) this.#readUnread();
    return this.#showUsage ? events : withoutNoUsage(events, text);
  }

  /** An ordinary event in any way of writing it, in which a chunk's beginning or end may fall. */
  #passOne(event: SseEvent): Buffer {
    if (this.#unread.keep(event.bytes.toString("latin1"))) this.#readUnread();
    if (this.#showUsage || !event.data.includes(NO_USAGE_YET)) return event.bytes;
    // The data of several lines goes out on as many.
    return Buffer.from(`data: ${event.data.replace(NO_USAGE_YET, "").replaceAll("\n", "\ndata: ")}\n\n`);
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

/** The terminal event, as the SDKs know it: whatever stands behind the mark. */
export const isDone = ({ data }: SseEvent): boolean => data.startsWith("[DONE]");

/** The generated text of an event; none when it is not JSON after all: what nobody can read was not delivered. */
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

/** The client did not ask for usage: the event that only carries it disappears, others lose the field. */
function withoutUsage(chunk: Chunk, choices: number): Buffer | null {
  if (choices === 0 && chunk.usage != null) return null;
  const { usage: _hidden, ...rest } = chunk;
  return Buffer.from(`data: ${JSON.stringify(rest)}\n\n`);
}
