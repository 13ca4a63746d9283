import { eventsIn, isCount, type Json } from "./events";

const TERMINAL = ["response.completed", "response.incomplete", "response.failed"];

/**
 * Returns all violations in the bytes of a native agent's stream. Events must have a name that equals their type, items
 * must be opened before they grow and closed once, sequence numbers must increase, and the only terminal event is last.
 * Empty for a valid stream, and for a broken one that ends with `response.failed`.
 */
export function nativeViolations(bytes: Buffer | string): string[] {
  const violations: string[] = [];
  const grammar = new NativeGrammar(violations);
  for (const { name, data } of eventsIn(bytes, violations)) grammar.take(name, data);
  grammar.end();
  return violations;
}

class NativeGrammar {
  readonly #violations: string[];
  #events = 0;
  #terminal: string | null = null;
  #number = -1;
  readonly #open = new Set<unknown>();
  readonly #closed = new Set<unknown>();

  constructor(violations: string[]) {
    this.#violations = violations;
  }

  take(name: string, data: Json): void {
    this.#events += 1;
    const type = data?.type;
    if (typeof type !== "string") {
      this.#wrong("an event without a type");
      return;
    }
    if (name !== "" && name !== type) this.#wrong(`${type} under the name ${name}`);
    if (this.#terminal !== null) this.#wrong(`${type} behind ${this.#terminal}`);
    if (type === "error") this.#wrong("an error event, which agents do not know");
    if (type === "response.created" && this.#events > 1) this.#wrong("response.created that is not first");
    this.#count(data.sequence_number);
    if (type.startsWith("response.output_item")) this.#item(type, data);
    else if (type.endsWith(".delta")) this.#delta(type, data);
    if (TERMINAL.includes(type)) this.#end(type, data.response);
  }

  end(): void {
    if (this.#terminal === null) this.#wrong("no terminal event");
  }

  #wrong(what: string): void {
    this.#violations.push(what);
  }

  #count(number: unknown): void {
    if (number === undefined) return;
    if (!isCount(number) || (number as number) <= this.#number) this.#wrong(`sequence_number ${number} out of turn`);
    else this.#number = number as number;
  }

  #item(type: string, { output_index, item }: Json): void {
    if (typeof item?.type !== "string") this.#wrong(`${type} without an item`);
    if (this.#closed.has(output_index)) this.#wrong(`item ${output_index} twice`);
    if (type === "response.output_item.added") this.#open.add(output_index);
    else {
      this.#open.delete(output_index);
      this.#closed.add(output_index);
    }
  }

  #delta(type: string, { output_index, delta }: Json): void {
    if (typeof delta !== "string") this.#wrong(`${type} without a delta`);
    if (!this.#open.has(output_index)) this.#wrong(`${type} for an item that is not open`);
  }

  #end(type: string, response: Json): void {
    this.#terminal = type;
    if (response?.status !== type.slice("response.".length)) this.#wrong(`${type} with status ${response?.status}`);
    if (type === "response.failed") {
      if (typeof response?.error?.message !== "string" || typeof response?.error?.code !== "string")
        this.#wrong("response.failed without an error");
      return;
    }
    if (this.#open.size > 0) this.#wrong(`${type} while an item is open`);
  }
}
