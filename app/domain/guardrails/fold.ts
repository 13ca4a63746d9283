/**
 * Characters without a visible form, which do not change a word for a reader: control characters other than white
 * space, format and direction marks, and characters that fonts ignore.
 */
const NOTHING = String.raw`(?!\p{White_Space})[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]`;
const INVISIBLE = new RegExp(NOTHING, "u");
const INVISIBLES = new RegExp(NOTHING, "gu");
/** ASCII without control characters. */
const ASCII = /^[\t-\r\x20-\x7e]*$/;
/** A character that combines with the one before it, or is invisible. */
const MARK = new RegExp(String.raw`^(?:\p{M}|${NOTHING})$`, "u");

/** Removes the invisible characters of a text. */
export const withoutInvisible = (text: string): string => text.replace(INVISIBLES, "");

/** Maximum marks on one character, more than in any language; bounds the text that is normalised at once. */
const MAX_MARKS = 32;
/** A character with its marks: the unit of normalisation. */
const CLUSTER = new RegExp(String.raw`.(?:\p{M}|${NOTHING}){0,32}`, "gsu");

/** A piece that differs after folding: its position in the folded text and in the original. */
type Fold = { start: number; end: number; originalStart: number; originalEnd: number };

/**
 * The searchable form of a text: compatibility characters are normalised (NFKC), invisible characters removed. Text is
 * appended at the end and dropped from the beginning; all positions count from the beginning of the whole text. The
 * result does not depend on how the text is divided into pieces.
 */
export class FoldedText {
  /** The folded text from `start` on. */
  #text = "";
  start = 0;
  /** The character before `start`, to decide whether a word starts there. */
  #before = "";
  #original = "";
  #originalStart = 0;
  #pending = "";
  #folds: Fold[] = [];

  get end(): number {
    return this.start + this.#text.length;
  }

  /** Appends a piece. Its last character is retained, because the next piece may combine with it. */
  push(piece: string): void {
    if (piece === "") return;
    const all = this.#pending + piece;
    const keep = lastCluster(all);
    this.#pending = all.slice(keep);
    this.#append(all.slice(0, keep));
  }

  /** Ends the text. */
  finish(): void {
    this.#append(this.#pending);
    this.#pending = "";
  }

  /** Returns the folded text between two positions that are not dropped. */
  slice(from: number, to: number): string {
    return this.#text.slice(from - this.start, to - this.start);
  }

  /** Returns the character before a position; empty at the beginning of the text. */
  before(position: number): string {
    return position > this.start ? this.#text.charAt(position - this.start - 1) : this.#before;
  }

  /** Returns the original of a range of the folded text, extended to whole characters. */
  original(from: number, to: number): string {
    return this.#original.slice(
      this.#originalStartOf(from) - this.#originalStart,
      this.#originalEndOf(to) - this.#originalStart,
    );
  }

  /** Returns the undropped original up to the character at a position. */
  originalUntil(position: number): string {
    return this.#original.slice(0, this.#originalStartOf(position) - this.#originalStart);
  }

  /** Returns the nearest position, not after this one, that does not split a character of the original. */
  wholeCharacters(position: number): number {
    const fold = this.#folds[this.#foldsBefore(position) - 1];
    return fold !== undefined && position < fold.end ? fold.start : position;
  }

  /** Drops the text before a position that does not split a character. */
  drop(position: number): void {
    if (position <= this.start) return;
    const original = this.#originalEndOf(position);
    this.#before = this.before(position);
    this.#text = this.#text.slice(position - this.start);
    this.#original = this.#original.slice(original - this.#originalStart);
    this.#folds = this.#folds.slice(this.#foldsBefore(position));
    this.start = position;
    this.#originalStart = original;
  }

  /** Returns and removes the rest after all characters are dropped: invisible characters. */
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
    let position = this.end;
    let folded = "";
    for (const [cluster] of piece.matchAll(CLUSTER)) {
      const read = isPlain(cluster) ? cluster : withoutInvisible(cluster.normalize("NFKC"));
      const end = position + read.length;
      const originalEnd = original + cluster.length;
      if (read !== cluster) this.#folds.push({ start: position, end, originalStart: original, originalEnd });
      folded += read;
      position = end;
      original = originalEnd;
    }
    this.#text += folded;
    this.#original += piece;
  }

  #originalStartOf(position: number): number {
    const before = this.#foldsBefore(position);
    // Leading invisible characters belong to the character after them.
    const next = this.#folds[before];
    if (next?.start === position) return next.originalStart;
    const fold = this.#folds[before - 1];
    if (fold === undefined) return this.#originalStart + (position - this.start);
    return position < fold.end ? fold.originalStart : fold.originalEnd + (position - fold.end);
  }

  #originalEndOf(position: number): number {
    const fold = this.#folds[this.#foldsBefore(position) - 1];
    if (fold === undefined) return this.#originalStart + (position - this.start);
    return position < fold.end ? fold.originalEnd : fold.originalEnd + (position - fold.end);
  }

  /** Returns the number of folds that start before a position. */
  #foldsBefore(position: number): number {
    let low = 0;
    let high = this.#folds.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#folds[middle]!.start < position) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

const isPlain = (text: string): boolean =>
  ASCII.test(text) || (!INVISIBLE.test(text) && text.normalize("NFKC") === text);

/** Returns the start of the last cluster. A character with more than `MAX_MARKS` marks is split into clusters. */
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
