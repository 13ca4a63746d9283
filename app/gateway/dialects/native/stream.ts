import { isAboutSignIn, isErrorObject } from "../../canonical/reported-error";
import type { Usage } from "../../canonical/usage";
import type { StreamProblem } from "../dialect";
import { isBilledItem, reportedUsesIn } from "../wire/billed-tools";
import { EventReader } from "../wire/events/event-reader";
import { isObject } from "../wire/events/reading";
import type { SseEvent } from "../wire/events/sse";
import { parseJson } from "../wire/long-texts";
import { atTier } from "../wire/service-tier";
import { failedEvent, type ResponseHead } from "./failed-event";
import { textOfItem } from "./texts";
import { readNativeUsage } from "./usage";

type WireResponse = {
  output?: unknown;
  id?: unknown;
  model?: unknown;
  created_at?: unknown;
  usage?: unknown;
  service_tier?: unknown;
  error?: { code?: unknown; message?: unknown } | null;
};

/** Members of an event that gw reads. */
type WireEvent = {
  type?: unknown;
  delta?: unknown;
  item?: unknown;
  output_index?: unknown;
  response?: WireResponse | null;
};

/** Events without content, which show only that the supplier has started. */
const PREAMBLE = new Set([
  "response.created",
  "response.queued",
  "response.in_progress",
  "response.output_item.added",
  "response.content_part.added",
  "response.reasoning_summary_part.added",
  "response.metadata",
  "codex.rate_limits",
  "keepalive",
]);

const ABOUT_LIMITS = /rate_limit|usage_limit|quota/;
/** Error codes for an error in the request. */
const ABOUT_REQUEST = /^(?:context_length|invalid_|content_|image_|unsupported_|bio_policy|cyber_policy|vector_store_)/;

/** Maximum characters of unparsed events; above it they are parsed and only their text is retained. */
const UNREAD_CHARACTERS = 64 * 1024;

/**
 * Reads a native agent's stream. All bytes pass unchanged, including unknown events. Only the first and the terminal
 * event (`response.completed`, `response.incomplete`, `response.failed`) are parsed at once; the others only if the
 * text is needed. The terminal event waits for the settlement.
 */
export class NativeStreamReader extends EventReader {
  terminal: Buffer = Buffer.alloc(0);
  usage: Usage | null = null;
  readonly #head: ResponseHead = { id: null, model: null, createdAt: null, sequence: -1 };
  /** Whether items are billed tool uses, by output index. */
  readonly #uses = new Map<unknown, boolean>();
  #areUsesTold = false;
  #failed: Buffer | null = null;
  #deltas = "";
  #items = "";
  #unread: string[] = [];
  #unreadCharacters = 0;

  /** Returns the text of all deltas, or of the items if the supplier sent only complete items. */
  outputText(): string {
    this.#readUnread();
    return this.#deltas === "" ? this.#items : this.#deltas;
  }

  get toolUses(): number {
    return this.#areUsesTold ? 0 : [...this.#uses.values()].filter(Boolean).length;
  }

  /** Returns the supplier's own event if it ended the stream with an error, else gw's in the same form. */
  errorEvent(problem: StreamProblem): Buffer {
    const isSuppliers = (problem.gatewayCode ?? problem.code) === "stream_error";
    if (this.#failed !== null && isSuppliers) return this.#failed;
    const { code, message } = this.failure ?? { code: null, message: "" };
    const reported = code !== null && isSuppliers ? { ...problem, code, message: message.slice(0, 500) } : problem;
    return failedEvent(reported, this.#head);
  }

  /** Always false, because only a terminal event ends an answer. */
  protected isComplete(): boolean {
    return false;
  }

  protected take(event: SseEvent): Buffer | null {
    const type = typeOf(event);
    if (type === null) return this.#failUntyped(parsed(event.data));
    this.#head.sequence += 1;
    switch (type) {
      case "response.completed":
      case "response.incomplete":
        return this.#finish(event);
      case "response.failed":
      case "error":
        return this.#fail(event, type);
      case "response.created":
        this.#begin(event);
        return event.bytes;
      default:
        // All events of the format except keep-alives have a dot in their name.
        if (!type.includes(".") && isErrorObject(parsed(event.data), "type"))
          return this.failReported(parsed(event.data));
        if (type.startsWith("response.output_item.") && event.data.includes('_call"')) this.#countUse(event);
        if (!PREAMBLE.has(type)) this.#content(event);
        return event.bytes;
    }
  }

  #failUntyped(wire: unknown): null {
    if (isErrorObject(wire, "type")) return this.failReported(wire);
    return this.failProtocol("the supplier sent an event that is not JSON");
  }

  #begin({ data }: SseEvent): void {
    const { id, model, created_at } = parsed(data)?.response ?? {};
    if (typeof id === "string") this.#head.id = id;
    if (typeof model === "string") this.#head.model = model;
    if (typeof created_at === "number") this.#head.createdAt = created_at;
  }

  #content({ data }: SseEvent): void {
    this.started = true;
    this.#unread.push(data);
    this.#unreadCharacters += data.length;
    if (this.#unreadCharacters > UNREAD_CHARACTERS) this.#readUnread();
  }

  #countUse({ data }: SseEvent): void {
    const wire = parsed(data);
    this.#uses.set(wire?.output_index, isBilledItem(wire?.item));
  }

  #finish(event: SseEvent): null {
    const wire = parsed(event.data);
    if (wire === null) return this.failProtocol("the supplier sent an event that is not JSON");
    this.usage = atTier(readNativeUsage(wire.response?.usage), wire.response?.service_tier);
    this.#areUsesTold = isObject(wire.response?.usage) && reportedUsesIn(wire.response.usage) !== null;
    const output = wire.response?.output;
    if (Array.isArray(output)) for (const [index, item] of output.entries()) this.#uses.set(index, isBilledItem(item));
    if (this.usage === null && this.outputText() === "" && Array.isArray(output))
      this.#items = output.map(textOfItem).join("");
    this.terminal = event.bytes;
    this.state = "finished";
    return null;
  }

  #fail(event: SseEvent, type: string): null {
    const wire = parsed(event.data);
    const error = type === "error" ? wire : wire?.response;
    this.usage = atTier(readNativeUsage(wire?.response?.usage), wire?.response?.service_tier);
    this.failReported(error ?? {});
    const code = this.failure?.code ?? "";
    if (this.failure !== null && isAboutSignIn(this.failure)) {
      this.failure = { code: null, type: null, message: "the supplier refused", protocol: false, status: 401 };
    } else {
      if (type === "response.failed") this.#failed = event.bytes;
      if (this.failure !== null) this.failure = { ...this.failure, status: statusOf(code) };
    }
    return null;
  }

  #readUnread(): void {
    for (const data of this.#unread) {
      const wire = parsed(data);
      if (typeof wire?.delta === "string") this.#deltas += wire.delta;
      else if (wire?.type === "response.output_item.done") this.#items += textOfItem(wire.item);
    }
    this.#unread = [];
    this.#unreadCharacters = 0;
  }
}

function statusOf(code: string): number {
  if (ABOUT_LIMITS.test(code)) return 429;
  return ABOUT_REQUEST.test(code) ? 400 : 500;
}

const TYPE_FIRST = '{"type":"';

/** Returns an event's type: from the start of its data, from the parsed data, or from its name; null if it has none. */
function typeOf({ event, data }: SseEvent): string | null {
  if (data.startsWith(TYPE_FIRST)) return data.slice(TYPE_FIRST.length, data.indexOf('"', TYPE_FIRST.length));
  const type = parsed(data)?.type;
  return typeof type === "string" ? type : event === "" ? null : event;
}

function parsed(data: string): WireEvent | null {
  try {
    const wire = parseJson(data);
    return typeof wire === "object" && wire !== null ? (wire as WireEvent) : null;
  } catch {
    return null;
  }
}
