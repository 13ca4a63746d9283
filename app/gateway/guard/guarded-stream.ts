import { type CompiledRule, hitsOf, TextScan } from "~/domain/guardrails/index.server";
import type { GuardrailHit } from "~/domain/guardrails/shared";
import type { AppError } from "~/errors/app-error";
import { exactAnswer, exactJson } from "~/http/body/json/exact-numbers";
import type { Usage } from "../canonical/usage";
import type { Dialect, StreamProblem, StreamReader } from "../dialects/dialect";
import { isObject } from "../dialects/wire/events/reading";
import { type SseEvent, SseSplitter } from "../dialects/wire/events/sse";
import type { GrowingText, StreamTexts } from "../dialects/wire/events/stream-texts";
import { rejectionBy } from "./input";
import { textsIn } from "./texts";

/**
 * Maximum work for one piece of a stream, for its end, and for the whole stream: tens of milliseconds each, and a few
 * seconds in total.
 */
const PIECE_WORK = 300_000;
const END_WORK = 2_000_000;
const MAX_WORK = 100_000_000;

/** A text that grows, and the function that adds a withheld rest of it. */
type Channel = { scan: TextScan; more: GrowingText["more"] };

/**
 * Guards a stream on its way to the client, in the client's dialect. Each growing text is scanned as one text across
 * its events, and withheld as long as its end could be the beginning of a match. Other texts of events are scanned as
 * wholes; the result is the same, because a scan does not depend on the pieces. After a rule refuses, nothing more is
 * sent and `rejection` has the error.
 */
export class GuardedStream implements StreamReader {
  rejection: AppError | null = null;
  late: Buffer | null = null;
  readonly #inner: StreamReader;
  readonly #texts: StreamTexts;
  readonly #rules: readonly CompiledRule[];
  readonly #dialect: Dialect;
  readonly #splitter = new SseSplitter();
  readonly #channels = new Map<string, Channel>();
  readonly #counts: number[];
  /** Maximum work per character to scan a text without matches. */
  readonly #lookWork: number;
  #work = 0;
  #shown = "";
  /** Sequence number of the next event in a dialect that numbers events; null as long as no event had a number. */
  #sequence: number | null = null;
  /** End of the stream: the withheld rest, and the supplier's terminal event after the guard. */
  #tail: Buffer = NOTHING;
  #terminal: Buffer = NOTHING;

  constructor(inner: StreamReader, rules: readonly CompiledRule[], dialect: Dialect) {
    this.#texts = dialect.streamTexts ?? NO_TEXTS;
    this.#inner = inner;
    this.#rules = rules;
    this.#dialect = dialect;
    this.#counts = rules.map(() => 0);
    this.#lookWork = 4 * rules.reduce((sum, { matchers }) => sum + matchers.length, 0);
  }

  get started(): boolean {
    return this.#inner.started;
  }

  get state(): StreamReader["state"] {
    return this.#inner.state;
  }

  get failure(): StreamReader["failure"] {
    return this.#inner.failure;
  }

  get usage(): Usage | null {
    return this.#inner.usage;
  }

  get promptUsage(): Usage | null {
    return this.#inner.promptUsage ?? null;
  }

  get toolUses(): StreamReader["toolUses"] {
    return this.#inner.toolUses;
  }

  get heldBytes(): number {
    return this.#inner.heldBytes ?? 0;
  }

  get pictures(): StreamReader["pictures"] {
    return this.#inner.pictures;
  }

  get hiddenThoughts(): StreamReader["hiddenThoughts"] {
    return this.#inner.hiddenThoughts;
  }

  get serviceTier(): StreamReader["serviceTier"] {
    return this.#inner.serviceTier;
  }

  get terminal(): Buffer {
    return Buffer.concat([this.#tail, this.#terminal]);
  }

  get hits(): readonly GuardrailHit[] {
    const counts = [...this.#counts];
    for (const { scan } of this.#channels.values())
      for (const [index, count] of scan.counts.entries()) counts[index]! += count;
    return hitsOf(this.#rules, counts, "output");
  }

  push(chunk: Buffer): Buffer | null {
    const bytes = this.#inner.push(chunk);
    if (this.rejection !== null) return null;
    const out = bytes === null ? NOTHING : this.#guarded(this.#splitter.push(bytes));
    if (this.#inner.state === "finished") this.#finish();
    return this.rejection !== null || out.length === 0 ? null : out;
  }

  end(): boolean {
    const isComplete = this.#inner.end();
    if (this.rejection !== null) return isComplete;
    const late = this.#inner.late ?? null;
    if (late !== null) this.late = this.#guarded(this.#splitter.push(late));
    if (isComplete) this.#finish();
    if (this.rejection !== null) this.late = null;
    return isComplete;
  }

  terminalWith(settled: Usage): Buffer {
    const own = this.#inner.terminalWith?.(settled);
    if (own === undefined || this.rejection !== null) return this.terminal;
    const sequence = this.#sequence;
    const guarded = this.#guarded(new SseSplitter().push(own));
    this.#sequence = sequence;
    return Buffer.concat([this.#tail, guarded]);
  }

  /** The supplier's whole output, including what the client does not see. */
  outputText(): string {
    return this.#inner.outputText();
  }

  shownText(): string {
    return this.#shown;
  }

  errorEvent(problem: StreamProblem): Buffer | null {
    // An event of a broken stream may repeat all output; after a refusal none of it may be sent.
    if (this.rejection !== null) return this.#dialect.errorEvent(problem);
    const heldText = this.#endChannels([""]);
    const own = this.#inner.errorEvent?.(problem) ?? this.#dialect.errorEvent(problem);
    if (own === null) return null;
    const guarded = this.#guarded(new SseSplitter().push(own));
    return this.rejection === null ? Buffer.concat([heldText, guarded]) : this.#dialect.errorEvent(problem);
  }

  /** Ends all texts after the supplier's terminal event. */
  #finish(): void {
    const tail = this.#endChannels([""]);
    const sequence = this.#sequence;
    this.#terminal = this.#guarded(new SseSplitter().push(this.#inner.terminal));
    this.#sequence = sequence;
    this.#tail = tail;
  }

  #guarded(events: readonly SseEvent[]): Buffer {
    const out: Buffer[] = [];
    for (const event of events) {
      const bytes = this.#guardedEvent(event);
      if (this.rejection !== null) return NOTHING;
      out.push(bytes);
    }
    return Buffer.concat(out);
  }

  #guardedEvent({ bytes, event, data }: SseEvent): Buffer {
    if (data === "" || data.trimStart().startsWith("[DONE]")) return bytes;
    const wire = parsed(data);
    // An event that cannot be parsed cannot be checked.
    if (wire === null) return NOTHING;
    const { growing, ended } = this.#texts.read(wire);
    const before = wire.type === undefined ? NOTHING : this.#endChannels(ended);
    for (const each of growing) each.replace("");
    const others = textsIn(wire);
    for (const { text, replace } of others) replace(this.#whole(text));
    for (const each of growing) each.replace(this.#grow(each));
    // In chat one event may have a choice's last text and its end.
    const remainders = wire.type === undefined ? this.#rests(ended) : [];
    if (remainders.length > 0 && growing.length > 0) return this.#withRests(wire, remainders);
    return Buffer.concat([before, ...remainders.map((rest) => this.#written("", rest)), this.#written(event, wire)]);
  }

  /** Splits an event that ends choices in two: the text with the withheld rest, and the end. */
  #withRests(wire: Record<string, unknown>, rests: readonly Record<string, unknown>[]): Buffer {
    const choices = wire.choices as Record<string, unknown>[];
    const { usage: _, ...head } = wire;
    const event = { ...head, choices: choices.map((choice) => ({ ...choice, finish_reason: null })) };
    const over = { ...wire, choices: choices.map(withoutText) };
    return Buffer.concat([event, ...rests, over].map((each) => this.#written("", each)));
  }

  /** Scans a whole text of an event. In dialects whose events repeat the text, matches count once. */
  #whole(text: string): string {
    const scan = new TextScan(this.#rules);
    const clean = scan.push(text, 0) + scan.end(END_WORK + text.length * this.#lookWork);
    this.#note(scan, { counts: !this.#texts.repeats, isOver: true });
    return scan.changed ? clean : text;
  }

  #grow({ channel, text, more }: GrowingText): string {
    let open = this.#channels.get(channel);
    if (open === undefined) {
      open = { scan: new TextScan(this.#rules), more };
      this.#channels.set(channel, open);
    }
    open.more = more;
    const before = open.scan.work;
    const clean = open.scan.push(text, PIECE_WORK);
    this.#work += open.scan.work - before;
    this.#note(open.scan, { counts: false, isOver: false });
    this.#shown += clean;
    return clean;
  }

  /** Returns events with the withheld rest of the channels that begin with these prefixes, and ends these channels. */
  #rests(prefixes: readonly string[]): Record<string, unknown>[] {
    const rests: Record<string, unknown>[] = [];
    for (const [name, { scan, more }] of this.#channels) {
      if (!prefixes.some((prefix) => name.startsWith(prefix))) continue;
      this.#channels.delete(name);
      const rest = scan.end(END_WORK);
      this.#note(scan, { counts: true, isOver: true });
      this.#shown += rest;
      if (rest !== "") rests.push(more(rest));
    }
    return rests;
  }

  #endChannels(prefixes: readonly string[]): Buffer {
    const rests = this.#rests(prefixes);
    if (this.rejection !== null) return NOTHING;
    return Buffer.concat(rests.map((rest) => this.#written(typeof rest.type === "string" ? rest.type : "", rest)));
  }

  #note(scan: TextScan, { counts, isOver }: { counts: boolean; isOver: boolean }): void {
    const isRefused = scan.refusedBy !== null;
    if (counts || isRefused) for (const [index, count] of scan.counts.entries()) this.#counts[index]! += count;
    if (isRefused) this.#channels.clear();
    if (isRefused) this.rejection ??= rejectionBy(scan.refusedBy!, "output");
    else if ((isOver && scan.isPending) || this.#work > MAX_WORK) this.rejection ??= rejectionBy("work", "output");
  }

  #written(event: string, wire: Record<string, unknown>): Buffer {
    if (typeof wire.sequence_number === "number") {
      this.#sequence ??= wire.sequence_number;
      wire = { ...wire, sequence_number: this.#sequence };
      this.#sequence += 1;
    }
    return Buffer.from(`${event === "" ? "" : `event: ${event}\n`}data: ${exactJson(JSON.stringify(wire))}\n\n`);
  }
}

const NOTHING = Buffer.alloc(0);
const NO_TEXTS: StreamTexts = { read: () => ({ growing: [], ended: [] }), repeats: true };

const withoutText = (choice: Record<string, unknown>) =>
  "text" in choice ? { ...choice, text: "" } : { ...choice, delta: {} };

function parsed(data: string): Record<string, unknown> | null {
  try {
    const wire: unknown = exactAnswer(JSON.parse(data), data);
    return isObject(wire) ? { ...wire } : null;
  } catch {
    return null;
  }
}
