import type { ByteSink, ByteSource, Exchange, SupplierReply } from "../../canonical/exchange";
import { SupplierFailure } from "../../canonical/supplier-failure";

/** The sandbox's reaction to a request; times in milliseconds. */
export type SandboxAct =
  | { kind: "refuse"; afterMs: number; failure: SupplierFailure }
  | { kind: "whole"; afterMs: number; contentType: string; body: Buffer }
  | { kind: "stream"; afterMs: number; paceMs: number; events: readonly Buffer[]; end: SupplierFailure | null };

/**
 * Performs a reaction like a supplier on the network: sends bytes at their time, waits while paused, and sends nothing
 * after an abort.
 */
export function play(act: Promise<SandboxAct>, callId: string): Exchange {
  return new Playing(act, callId);
}

class Playing implements Exchange, ByteSource {
  readonly reply: Promise<SupplierReply>;
  #act: SandboxAct | null = null;
  #settle!: { resolve(reply: SupplierReply): void; reject(failure: SupplierFailure): void };
  #timer: NodeJS.Timeout | null = null;
  #sink: ByteSink | null = null;
  #next = 0;
  #paused = false;
  #over = false;

  constructor(act: Promise<SandboxAct>, callId: string) {
    this.reply = new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
    });
    void act.then((decided) => this.#begin(decided, callId));
  }

  abort(): void {
    if (this.#over) return;
    this.#over = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    const failure = new SupplierFailure("aborted", "the call was given up", {
      executed: this.#sink === null ? "no" : "yes",
    });
    if (this.#sink === null) this.#settle.reject(failure);
    else this.#sink.fail(failure);
  }

  start(sink: ByteSink): void {
    this.#sink = sink;
    if (this.#over) sink.fail(new SupplierFailure("aborted", "the call was given up", { executed: "yes" }));
    else this.#schedule();
  }

  pause(): void {
    this.#paused = true;
  }

  resume(): void {
    this.#paused = false;
    this.#schedule();
  }

  #begin(act: SandboxAct, callId: string): void {
    if (this.#over) return;
    this.#act = act;
    this.#timer = setTimeout(() => this.#answer(act, callId), act.afterMs);
  }

  #answer(act: SandboxAct, callId: string): void {
    this.#timer = null;
    const headers = { "x-request-id": callId };
    if (act.kind === "stream") {
      const streamed = { ...headers, "content-type": "text/event-stream; charset=utf-8" };
      this.#settle.resolve({ kind: "stream", status: 200, headers: streamed, source: this });
      return;
    }
    this.#over = true;
    if (act.kind === "refuse") this.#settle.reject(act.failure);
    else {
      const allHeaders = { ...headers, "content-type": act.contentType };
      this.#settle.resolve({ kind: "whole", status: 200, headers: allHeaders, body: act.body });
    }
  }

  #schedule(): void {
    if (this.#over || this.#paused || this.#sink === null || this.#timer !== null) return;
    const act = this.#act;
    if (act?.kind === "stream") this.#timer = setTimeout(() => this.#step(act), act.paceMs);
  }

  #step({ events, end }: Extract<SandboxAct, { kind: "stream" }>): void {
    this.#timer = null;
    if (this.#over || this.#paused || this.#sink === null) return;
    const event = events[this.#next];
    if (event !== undefined) {
      this.#next += 1;
      this.#sink.data(event);
      this.#schedule();
      return;
    }
    this.#over = true;
    if (end === null) this.#sink.end();
    else this.#sink.fail(end);
  }
}
