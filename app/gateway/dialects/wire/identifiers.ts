import { createHash, randomUUID } from "node:crypto";

/** What both dialects take as an id or a name, apart from its length. */
const PLAIN = /^[a-zA-Z0-9_-]+$/;

/**
 * An identifier of at most `longest` plain characters for any text. Fit ones stay as they are; others get the same
 * replacement every time, so that a call and its result still belong together many requests later.
 */
export function fitIdentifier(text: string, longest: number): string {
  if (text.length <= longest && PLAIN.test(text)) return text;
  const mark = createHash("sha256").update(text).digest("hex").slice(0, 8);
  const readable = text.slice(0, longest - 9).replace(/[^a-zA-Z0-9_-]/g, "_");
  return readable === "" ? mark : `${readable}_${mark}`;
}

/** The names of a request's tools, made fit for the other side and made back in its answers. */
export class ToolNames {
  readonly #originals = new Map<string, string>();
  readonly #longest: number;

  constructor(names: Iterable<string>, longest: number) {
    this.#longest = longest;
    for (const name of names) {
      const fit = fitIdentifier(name, longest);
      if (fit !== name) this.#originals.set(fit, name);
    }
  }

  fit(name: string): string {
    return fitIdentifier(name, this.#longest);
  }

  original(name: string): string {
    return this.#originals.get(name) ?? name;
  }
}

/**
 * Ids for the tool calls of one answer. Some suppliers send none, or the same one twice: what is missing or repeated is
 * made up from the answer's own id, so that no two answers of a conversation share one.
 */
export class CallIds {
  readonly #given = new Set<string>();
  readonly #answerId: string;

  constructor(answerId: string) {
    this.#answerId = answerId === "" ? randomUUID() : answerId;
  }

  next(id: string): string {
    let given = id === "" ? fitIdentifier(`call_${this.#given.size}_${this.#answerId}`, MAX_ID_LENGTH) : fitCallId(id);
    if (this.#given.has(given)) given = fitIdentifier(`${id}_${this.#given.size}_${this.#answerId}`, MAX_ID_LENGTH);
    this.#given.add(given);
    return given;
  }
}

/** The shorter of the two dialects' limits: an id made by gw goes through either of them unchanged. */
const MAX_ID_LENGTH = 40;

/** The id of a call for suppliers that take nine letters and digits and nothing else. */
export const fitShortId = (id: string): string =>
  /^[a-zA-Z0-9]{9}$/.test(id) ? id : createHash("sha256").update(id).digest("hex").slice(0, 9);

export const fitCallId = (id: string): string => fitIdentifier(id, MAX_ID_LENGTH);

/** The id of a call for suppliers that take any characters, but not more of them. */
export const fitLongId = (id: string): string => (id.length > MAX_ID_LENGTH ? fitCallId(id) : id);
