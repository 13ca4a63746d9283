// Own implementation on purpose: a client's expression is parsed but never executed, and its length is bounded.

const DIGITS = "0123456789";
const LETTERS = "abcdefghijklmnopqrstuvwxyz";
const CAPITALS = LETTERS.toUpperCase();
const MAX_CHARACTERS = 200;

/**
 * Returns a text that a common regular expression accepts: literals, classes, groups, alternatives, quantifiers. Null
 * for look-around and back-references. The expression is never executed, so it cannot stall the process.
 */
export function textMatching(pattern: string): string | null {
  const reader = new PatternReader(pattern);
  try {
    const text = reader.alternatives();
    return reader.finished ? text.slice(0, MAX_CHARACTERS) : null;
  } catch (error) {
    if (error instanceof Unreadable) return null;
    throw error;
  }
}

class Unreadable extends Error {}

class PatternReader {
  readonly #pattern: string;
  #at = 0;
  #depth = 0;

  constructor(pattern: string) {
    this.#pattern = pattern;
  }

  get finished(): boolean {
    return this.#at === this.#pattern.length;
  }

  /** Returns the text of the first alternative; the others are only parsed. */
  alternatives(): string {
    const first = this.#sequence();
    while (this.#peek() === "|") {
      this.#at += 1;
      this.#sequence();
    }
    return first;
  }

  #sequence(): string {
    let text = "";
    while (!this.finished && this.#peek() !== "|" && this.#peek() !== ")") {
      const atom = this.#atom();
      text += atom.repeat(Math.min(this.#least(), MAX_CHARACTERS));
      if (text.length > MAX_CHARACTERS) text = text.slice(0, MAX_CHARACTERS);
    }
    return text;
  }

  #atom(): string {
    const next = this.#take();
    if (next === "^" || next === "$") return "";
    if (next === ".") return "x";
    if (next === "[") return this.#class();
    if (next === "(") return this.#group();
    if (next === "\\") return this.#escape();
    if (next === "*" || next === "+" || next === "?") throw new Unreadable();
    return next;
  }

  #group(): string {
    this.#depth += 1;
    if (this.#depth > 20) throw new Unreadable();
    if (this.#peek() === "?") {
      this.#at += 1;
      const kind = this.#take();
      if (kind === "<" && this.#peek() !== "=" && this.#peek() !== "!") while (this.#take() !== ">");
      else if (kind !== ":") throw new Unreadable();
    }
    const text = this.alternatives();
    if (this.#take() !== ")") throw new Unreadable();
    this.#depth -= 1;
    return text;
  }

  #escape(): string {
    const next = this.#take();
    const known = ESCAPES[next];
    if (known !== undefined) return known;
    if (/[\dpPkux]/.test(next)) throw new Unreadable();
    return next;
  }

  #class(): string {
    const negated = this.#peek() === "^";
    if (negated) this.#at += 1;
    const members = new Set<string>();
    while (this.#peek() !== "]") {
      const low = this.#member();
      if (this.#peek() === "-" && this.#pattern[this.#at + 1] !== "]") {
        this.#at += 1;
        const high = this.#member();
        for (let code = low.charCodeAt(0); code <= high.charCodeAt(0) && members.size < 300; code += 1)
          members.add(String.fromCharCode(code));
      } else members.add(low);
    }
    this.#at += 1;
    const characters = negated
      ? [...`${LETTERS}${DIGITS}${CAPITALS}_- `].find((character) => !members.has(character))
      : [...members][0];
    if (characters === undefined) throw new Unreadable();
    return characters;
  }

  #member(): string {
    const next = this.#take();
    return next === "\\" ? this.#escape() : next;
  }

  /** Returns the minimum repeats that the quantifier after an atom allows. */
  #least(): number {
    const next = this.#peek();
    let minCount = 1;
    if (next === "*" || next === "?") minCount = 0;
    else if (next === "{") {
      const counted = /^\{(\d{1,4})(,\d*)?\}/.exec(this.#pattern.slice(this.#at, this.#at + 16));
      if (!counted) throw new Unreadable();
      minCount = Number(counted[1]);
      this.#at += counted[0].length - 1;
    } else if (next !== "+") return 1;
    this.#at += 1;
    if (this.#peek() === "?") this.#at += 1;
    return minCount;
  }

  #peek(): string | undefined {
    return this.#pattern[this.#at];
  }

  #take(): string {
    const next = this.#pattern[this.#at];
    if (next === undefined) throw new Unreadable();
    this.#at += 1;
    return next;
  }
}

const ESCAPES: Readonly<Record<string, string>> = {
  d: "7",
  D: "x",
  w: "w",
  W: "-",
  s: " ",
  S: "s",
  b: "",
  B: "",
  n: "\n",
  r: "\r",
  t: "\t",
  "0": "\0",
};
