import { eventsIn, isCount, type Json } from "./events";

const FINISH_REASONS = ["stop", "length", "tool_calls", "content_filter", "function_call"];

/**
 * Returns all violations of the chat dialect in a stream; empty if it is valid. A stream ends either with `[DONE]` or
 * with one error event, and nothing follows. Usage is present only if the request asked for it.
 */
export function chatViolations(bytes: Buffer | string, { asksUsage = false }: { asksUsage?: boolean } = {}): string[] {
  const grammar = new ChatGrammar(asksUsage);
  for (const { data } of eventsIn(bytes, grammar.violations)) grammar.take(data);
  grammar.end();
  return grammar.violations;
}

class ChatGrammar {
  readonly violations: string[] = [];
  readonly #asksUsage: boolean;
  readonly #choices = new Map<number, Choice>();
  #id: unknown = null;
  #usages = 0;
  #isOver = false;

  constructor(asksUsage: boolean) {
    this.#asksUsage = asksUsage;
  }

  take(data: Json): void {
    if (this.#isOver) {
      this.#wrong(`an event behind the end: ${JSON.stringify(data)}`);
      return;
    }
    if (data === "[DONE]") {
      this.#done();
      return;
    }
    if (typeof data !== "object" || data === null) {
      this.#wrong(`data that is not an object: ${data}`);
      return;
    }
    if (data.error != null) {
      this.#error(data.error);
      return;
    }
    this.#chunk(data);
  }

  end(): void {
    if (!this.#isOver) this.#wrong("the stream has no end");
  }

  #wrong(violation: string): void {
    this.violations.push(violation);
  }

  #done(): void {
    this.#isOver = true;
    if (this.#choices.size === 0) this.#wrong("an end without an answer");
    for (const [index, { finished }] of this.#choices)
      if (!finished) this.#wrong(`choice ${index} has no finish reason`);
    if (this.#asksUsage && this.#usages !== 1) this.#wrong(`usage ${this.#usages} times`);
  }

  #error(error: Json): void {
    this.#isOver = true;
    if (typeof error.message !== "string" || typeof error.code !== "string") this.#wrong("an error without its words");
  }

  #chunk(chunk: Json): void {
    if (chunk.object !== "chat.completion.chunk") this.#wrong(`a chunk of the type ${chunk.object}`);
    this.#id ??= chunk.id;
    if (typeof chunk.id !== "string" || chunk.id !== this.#id) this.#wrong("a chunk with another id");
    if (!Array.isArray(chunk.choices)) {
      this.#wrong("a chunk without choices");
      return;
    }
    if (chunk.usage != null) this.#usage(chunk);
    for (const { index, delta, finish_reason } of chunk.choices) {
      const choice = this.#choices.get(index) ?? { finished: false, calls: new Map() };
      this.#choices.set(index, choice);
      if (choice.finished) this.#wrong(`choice ${index} goes on behind its finish reason`);
      for (const call of delta?.tool_calls ?? []) this.#call(choice, call);
      if (finish_reason != null) this.#finish(choice, finish_reason);
    }
  }

  #usage({ usage }: Json): void {
    this.#usages += 1;
    if (!this.#asksUsage) this.#wrong("usage that nobody asked for");
    const { prompt_tokens, completion_tokens, total_tokens } = usage;
    if (!isCount(prompt_tokens) || !isCount(completion_tokens)) {
      this.#wrong("usage without its counts");
      return;
    }
    if (total_tokens !== prompt_tokens + completion_tokens) this.#wrong("usage with a wrong total");
  }

  #call(choice: Choice, call: Json): void {
    const known = choice.calls.get(call.index);
    if (known === undefined) {
      if (call.index !== choice.calls.size) this.#wrong(`tool call ${call.index} where ${choice.calls.size} is next`);
      if (!call.id || !call.function?.name) this.#wrong("a tool call that begins without its id or name");
    }
    choice.calls.set(call.index, (known ?? "") + (call.function?.arguments ?? ""));
  }

  #finish(choice: Choice, reason: string): void {
    choice.finished = true;
    if (!FINISH_REASONS.includes(reason)) this.#wrong(`the finish reason ${reason}`);
    if (reason !== "tool_calls") return;
    if (choice.calls.size === 0) this.#wrong("the finish reason tool_calls without a tool call");
    for (const input of choice.calls.values())
      if (!isJson(input)) this.#wrong(`a tool call with the arguments ${input}`);
  }
}

type Choice = { finished: boolean; calls: Map<number, string> };

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
