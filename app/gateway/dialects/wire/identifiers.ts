import { createHash, randomUUID } from "node:crypto";
import type { ModelProfile } from "~/domain/catalogue/profiles";

/** Characters that both dialects accept in an id or a name. */
const PLAIN = /^[a-zA-Z0-9_-]+$/;

/**
 * Returns an identifier of at most `longest` plain characters for any text. Valid identifiers stay unchanged. Others
 * always get the same replacement, so that a call and its result still match many requests later.
 */
export function fitIdentifier(text: string, longest: number): string {
  if (text.length <= longest && PLAIN.test(text)) return text;
  const mark = createHash("sha256").update(text).digest("hex").slice(0, 8);
  const readable = text.slice(0, longest - 9).replace(/[^a-zA-Z0-9_-]/g, "_");
  return readable === "" ? mark : `${readable}_${mark}`;
}

/** Some suppliers require names that begin with a letter. */
const LETTER = /^[a-zA-Z]/;

type NameForm = ModelProfile["toolNames"];

const fitName = (name: string, longest: number, form: NameForm): string =>
  fitIdentifier(form === "any" || LETTER.test(name) ? name : `tool ${name}`, longest);

/** Translates the names of a request's tools to valid names of the supplier, and back in its answers. */
export class ToolNames {
  readonly #originals: ReadonlyMap<string, string>;
  readonly #longest: number;
  readonly #form: NameForm;

  constructor(
    names: Iterable<string>,
    longest: number,
    { form = "any", originals = new Map<string, string>() } = FRESH,
  ) {
    this.#longest = longest;
    this.#form = form;
    this.#originals = originals;
    for (const name of names)
      for (const fit of [fitName(name, longest, "any"), fitName(name, longest, "letter")])
        if (fit !== name) originals.set(fit, name);
  }

  fit(name: string): string {
    return fitName(name, this.#longest, this.#form);
  }

  /** Returns the same names in the form that a model accepts. */
  for({ toolNames: form }: Pick<ModelProfile, "toolNames">): ToolNames {
    return form === this.#form ? this : new ToolNames([], this.#longest, { form, originals: new Map(this.#originals) });
  }

  original(name: string): string {
    return this.#originals.get(name) ?? name;
  }
}

const FRESH: { form?: NameForm; originals?: Map<string, string> } = {};

/**
 * Ids for the tool calls of one answer. Some suppliers send no ids or duplicates. Replacements derive from the answer's
 * id, so that two answers of a conversation never share one.
 */
export class CallIds {
  readonly #given = new Set<string>();
  readonly #answerId: string;

  constructor(answerId: string) {
    this.#answerId = answerId === "" ? randomUUID() : answerId;
  }

  next(id: string): string {
    let fittedId =
      id === "" ? fitIdentifier(`call_${this.#given.size}_${this.#answerId}`, MAX_ID_LENGTH) : fitCallId(id);
    if (this.#given.has(fittedId))
      fittedId = fitIdentifier(`${id}_${this.#given.size}_${this.#answerId}`, MAX_ID_LENGTH);
    this.#given.add(fittedId);
    return fittedId;
  }
}

/** The lower limit of the two dialects, so that both accept gw's ids unchanged. */
const MAX_ID_LENGTH = 40;

/** Returns a call's id for suppliers that accept exactly nine letters and digits. */
export const fitShortId = (id: string): string =>
  /^[a-zA-Z0-9]{9}$/.test(id) ? id : createHash("sha256").update(id).digest("hex").slice(0, 9);

export const fitCallId = (id: string): string => fitIdentifier(id, MAX_ID_LENGTH);

/** Returns a call's id for suppliers that accept any characters, up to the same length. */
export const fitLongId = (id: string): string => (id.length > MAX_ID_LENGTH ? fitCallId(id) : id);
