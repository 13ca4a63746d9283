/**
 * Characters that show nothing: between the letters of a word they change nothing for a reader. Control characters that are no white
 * space are among them, marks of format and of direction, and what fonts ignore.
 */
const NOTHING = String.raw`(?!\p{White_Space})[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]`;
const INVISIBLE = new RegExp(NOTHING, "u");
const INVISIBLES = new RegExp(NOTHING, "gu");
/** ASCII without control characters. */
const ASCII = /^[\t-\r\x20-\x7e]*$/;
/** What stands on the character before it, or shows nothing behind it. */
const MARK = new RegExp(String.raw`^(?:\p{M}|${NOTHING})$`, "u");

/** A text without the characters that show nothing. */
export const withoutInvisible = (text: string): string => text.replace(INVISIBLES, "");

/** More marks on one character than any language has; bounds what is normalised at once. */
const MAX_MARKS = 32;
/** A character and the marks on it, which is as far as characters combine here. */
const CLUSTER = new RegExp(String.raw`.(?:\p{M}|${NOTHING}){0,32}`, "gsu");

/** A piece that reads differently once it is folded: where it stands in the folded text and in the original. */
type Fold = { start: number; end: number; originalStart: number; originalEnd: number };

/**
 * A text as it is searched: compatibility characters as ordinary ones (NFKC), invisible characters left out. It grows at its end
 * and is dropped from its beginning; all places are counted from the beginning of the whole text. How a text is folded does not
 * depend on the pieces in which it comes.
 */
export class FoldedText {
  /** The folded text from `start` on. */
  #text = "";
  start = 0;
  /** The character before `start`: it says whether a word begins there. */
  #before = "";
  #original = "";
  #originalStart = 0;
  #pending = "";
  #folds: Fold[] = [];

  get end(): number {
    return this.start + this.#text.length;
  }

  /** Appends a piece. Its last character waits for what may combine with it. */
  push(piece: string): void {
    if (piece === "") return;
    const all = this.#pending + piece;
    const keep = lastCluster(all);
    this.#pending = all.slice(keep);
    this.#append(all.slice(0, keep));
  }

  /** Nothing follows. */
  finish(): void {
    this.#append(this.#pending);
    this.#pending = "";
  }

  /** The folded text between two places that are not dropped yet. */
  slice(from: number, to: number): string {
    return this.#text.slice(from - this.start, to - this.start);
  }

  /** The character before a place; empty at the beginning of the text. */
  before(place: number): string {
    return place > this.start ? this.#text.charAt(place - this.start - 1) : this.#before;
  }

  /** The original between two places of the folded text, of which whole characters are taken. */
  original(from: number, to: number): string {
    return this.#original.slice(
      this.#originalStartOf(from) - this.#originalStart,
      this.#originalEndOf(to) - this.#originalStart,
    );
  }

  /** The original from where it is not dropped yet, up to the character at a place. */
  originalUntil(place: number): string {
    return this.#original.slice(0, this.#originalStartOf(place) - this.#originalStart);
  }

  /** A place at which no character of the original is divided: this one, or the next smaller one. */
  wholeCharacters(place: number): number {
    const fold = this.#folds[this.#foldsBefore(place) - 1];
    return fold !== undefined && place < fold.end ? fold.start : place;
  }

  /** Forgets what stands before a place, at which no character is divided. */
  drop(place: number): void {
    if (place <= this.start) return;
    const original = this.#originalEndOf(place);
    this.#before = this.before(place);
    this.#text = this.#text.slice(place - this.start);
    this.#original = this.#original.slice(original - this.#originalStart);
    this.#folds = this.#folds.slice(this.#foldsBefore(place));
    this.start = place;
    this.#originalStart = original;
  }

  /** Takes what is left once every character is dropped: what shows nothing. */
  takeRest(): string {
    const rest = this.#original;
    this.#original = "";
    this.#originalStart += rest.length;
    this.#folds = [];
    return rest;
  }

  #append(piece: string): void {
    if (isPlain(piece)) {
      this.#text += piece;
      this.#original += piece;
      return;
    }
    let original = this.#originalStart + this.#original.length;
    let place = this.end;
    let folded = "";
    for (const [cluster] of piece.matchAll(CLUSTER)) {
      const read = isPlain(cluster) ? cluster : withoutInvisible(cluster.normalize("NFKC"));
      const end = place + read.length;
      const originalEnd = original + cluster.length;
      if (read !== cluster) this.#folds.push({ start: place, end, originalStart: original, originalEnd });
      folded += read;
      place = end;
      original = originalEnd;
    }
    this.#text += folded;
    this.#original += piece;
  }

  #originalStartOf(place: number): number {
    const before = this.#foldsBefore(place);
    // What shows nothing and stands on no character belongs to the one behind it.
    const next = this.#folds[before];
    if (next?.start === place) return next.originalStart;
    const fold = this.#folds[before - 1];
    if (fold === undefined) return this.#originalStart + (place - this.start);
    return place < fold.end ? fold.originalStart : fold.originalEnd + (place - fold.end);
  }

  #originalEndOf(place: number): number {
    const fold = this.#folds[this.#foldsBefore(place) - 1];
    if (fold === undefined) return this.#originalStart + (place - this.start);
    return place < fold.end ? fold.originalEnd : fold.originalEnd + (place - fold.end);
  }

  /** How many folds begin before a place. */
  #foldsBefore(place: number): number {
    let low = 0;
    let high = this.#folds.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#folds[middle]!.start < place) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

const isPlain = (text: string): boolean =>
  ASCII.test(text) || (!INVISIBLE.test(text) && text.normalize("NFKC") === text);

/** Where the last cluster of a text begins that itself begins with a cluster. */
function lastCluster(text: string): number {
  let base = text.length;
  let marks = -1;
  do {
    base = characterBefore(text, base);
    marks += 1;
  } while (base > 0 && MARK.test(characterAt(text, base)));
  for (let skip = marks - (marks % (MAX_MARKS + 1)); skip > 0; skip -= 1) base += characterAt(text, base).length;
  return base;
}

const characterAt = (text: string, at: number): string => String.fromCodePoint(text.codePointAt(at)!);

function characterBefore(text: string, at: number): number {
  const isPair = at >= 2 && /^[\udc00-\udfff]$/.test(text[at - 1]!) && /^[\ud800-\udbff]$/.test(text[at - 2]!);
  return at - (isPair ? 2 : 1);
}
