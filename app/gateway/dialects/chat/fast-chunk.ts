import { hasCallToRead } from "./call-places";

/** Member in every event but the last if the client requested usage. */
export const NO_USAGE_YET = ',"usage":null';

const USAGE = '"usage"';
/** Matches a non-empty list that shows a tool use of the supplier. */
const TOOLS_AT_THE_SUPPLIER = /"(?:executed_tools|annotations)":\s*\[\s*\{/;
const FINISH = '"finish_reason":';
const LF = 10;
const CLOSING_BRACE = 125;

/**
 * Whether an event only adds a piece of content: no usage, no end, no error, no start of a call. Decides by the text of
 * the event: nine of ten events are ordinary, and parsing them all is a tenth of a stream's cost. Quotes inside a JSON
 * string are escaped, so these names with bare quotes are members and never content. Every unusual event is parsed.
 */
export function isOrdinary(data: string): boolean {
  if (data.charCodeAt(0) !== 123 || data.charCodeAt(data.length - 1) !== CLOSING_BRACE) return false;
  const usage = data.indexOf(USAGE);
  if (usage >= 0 && !(data.startsWith(NO_USAGE_YET, usage - 1) && data.lastIndexOf(USAGE) === usage)) return false;
  if (data.includes('"error"') || TOOLS_AT_THE_SUPPLIER.test(data) || hasCallToRead(data)) return false;
  const finish = data.indexOf(FINISH);
  return finish < 0 || (data.startsWith("null", finish + FINISH.length) && data.lastIndexOf(FINISH) === finish);
}

/** Matches the start of an event's text. Nine of ten events differ only in this text. */
const TEXT = /"(?:content|reasoning_content|reasoning|arguments)":"/;

/**
 * Finds ordinary events, by the rule of `isOrdinary`, in the chunks of one stream. An event that differs from an
 * ordinary one only inside a string is ordinary too; a comparison shows that. A full check of each is a twentieth of a
 * stream's cost.
 */
export class OrdinaryEvents {
  /** The last fully checked event: the parts before and after its text. */
  #head = "";
  #tail = "";

  /**
   * Returns the number of bytes at the start of a chunk that are complete ordinary events of one line each. The chunk
   * starts with an event. `chunk`: its bytes as Latin-1, one character per byte.
   */
  length(chunk: string): number {
    const cr = chunk.indexOf("\r");
    let start = 0;
    while (chunk.startsWith("data: {", start)) {
      const lineEnd = chunk.indexOf("\n", start);
      if (lineEnd < 0 || chunk.charCodeAt(lineEnd + 1) !== LF || (cr >= 0 && cr < lineEnd)) break;
      if (!this.#isAlike(chunk, start, lineEnd)) {
        const line = chunk.slice(start, lineEnd);
        if (!isOrdinary(line.slice("data: ".length))) break;
        this.#remember(line);
      }
      start = lineEnd + 2;
    }
    return start;
  }

  /**
   * Whether the line differs from the last checked one only in its text. The text must have no quote, so that it
   * contains no member; lines with an escaped quote get the full check.
   */
  #isAlike(chunk: string, start: number, lineEnd: number): boolean {
    const text = start + this.#head.length;
    const quote = lineEnd - this.#tail.length;
    // The engine compares slices by words, but startsWith() by characters.
    return (
      this.#head !== "" &&
      chunk.slice(start, text) === this.#head &&
      chunk.indexOf('"', text) === quote &&
      chunk.slice(quote, lineEnd) === this.#tail
    );
  }

  #remember(line: string): void {
    const name = TEXT.exec(line);
    if (name === null) return;
    const text = name.index + name[0].length;
    this.#head = line.slice(0, text);
    this.#tail = line.slice(line.indexOf('"', text));
  }
}

/**
 * Removes `"usage":null` from events. `events` and `text` are complete ordinary events, as bytes and as Latin-1.
 * Returns the same buffer if there is none.
 */
export function withoutNoUsage(events: Buffer, text: string): Buffer {
  let at = text.indexOf(NO_USAGE_YET);
  if (at < 0) return events;
  const out = Buffer.allocUnsafe(events.length);
  let length = 0;
  let from = 0;
  while (at >= 0) {
    length += events.copy(out, length, from, at);
    from = at + NO_USAGE_YET.length;
    at = text.indexOf(NO_USAGE_YET, from);
  }
  length += events.copy(out, length, from);
  return out.subarray(0, length);
}
