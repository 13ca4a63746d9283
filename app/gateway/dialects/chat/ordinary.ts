/** What suppliers put into every event but the last once usage is asked for. */
export const NO_USAGE_YET = ',"usage":null';

const USAGE = '"usage"';
/** What shows that a tool was used, where it is more than an empty list. */
const TOOLS_AT_THE_SUPPLIER = /"(?:executed_tools|annotations)":\s*\[\s*\{/;
const FINISH = '"finish_reason":';
const LF = 10;
const CLOSING_BRACE = 125;

/**
 * Whether an event's data is one more piece of content and nothing else: no usage to read, no end, no error. Judged by
 * its text, because nine of ten events are such and parsing each is a tenth of a stream's cost. Inside a JSON string a
 * quote is escaped, so these names with bare quotes are members and never content; whatever looks unusual is parsed.
 */
export function isOrdinary(data: string): boolean {
  if (data.charCodeAt(0) !== 123 || data.charCodeAt(data.length - 1) !== CLOSING_BRACE) return false;
  const usage = data.indexOf(USAGE);
  if (usage >= 0 && !(data.startsWith(NO_USAGE_YET, usage - 1) && data.lastIndexOf(USAGE) === usage)) return false;
  if (data.includes('"error"') || TOOLS_AT_THE_SUPPLIER.test(data)) return false;
  const finish = data.indexOf(FINISH);
  return finish < 0 || (data.startsWith("null", finish + FINISH.length) && data.lastIndexOf(FINISH) === finish);
}

/** Where the text of a piece begins: nine of ten events are the same around it. */
const TEXT = /"(?:content|reasoning_content|reasoning|arguments)":"/;

/**
 * Finds ordinary events, by the rule of `isOrdinary`, in the chunks of one stream. An event that differs from an ordinary one only
 * inside a string is ordinary, and to see that takes a comparison; reading all of each is a twentieth of a stream's cost.
 */
export class OrdinaryEvents {
  /** The last event that was judged, before its text and behind it. */
  #head = "";
  #tail = "";

  /**
   * How many bytes at the beginning of a chunk are whole ordinary events of one line each. The chunk begins with an event. `chunk`:
   * its bytes as Latin-1, a character for each byte.
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
   * Whether the line is the last one with another text. No quote stands in that text, so that it holds no member; one that has an
   * escaped quote is left to the rule.
   */
  #isAlike(chunk: string, start: number, lineEnd: number): boolean {
    const text = start + this.#head.length;
    const quote = lineEnd - this.#tail.length;
    // Slices are compared a word at a time, which startsWith() is not.
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
 * The same events without the usage that is not there yet. Give whole ordinary events, as bytes and as Latin-1; a chunk without any
 * is given back.
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
