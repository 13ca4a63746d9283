/** What suppliers put into every event but the last once usage is asked for. */
export const NO_USAGE_YET = ',"usage":null';

const USAGE = '"usage"';
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
  if (usage >= 0 && !data.startsWith(NO_USAGE_YET, usage - 1)) return false;
  if (data.includes('"error"')) return false;
  const finish = data.indexOf(FINISH);
  return finish < 0 || (data.startsWith("null", finish + FINISH.length) && data.lastIndexOf(FINISH) === finish);
}

/**
 * How many bytes at the beginning of a chunk are whole events of one line each whose data is ordinary, by the rule of
 * `isOrdinary`. The chunk begins with an event. `chunk`: its bytes as Latin-1, a character for each byte.
 */
export function ordinaryLength(chunk: string): number {
  const odd = earlier(chunk.indexOf('"error"'), chunk.indexOf("\r"));
  let usage = chunk.indexOf(USAGE);
  let finish = chunk.indexOf(FINISH);
  let start = 0;
  while (chunk.startsWith("data: {", start)) {
    const lineEnd = chunk.indexOf("\n", start);
    if (lineEnd < 0 || (odd >= 0 && odd < lineEnd)) break;
    if (chunk.charCodeAt(lineEnd + 1) !== LF || chunk.charCodeAt(lineEnd - 1) !== CLOSING_BRACE) break;
    if (usage >= 0 && usage < lineEnd) {
      if (!chunk.startsWith(NO_USAGE_YET, usage - 1)) break;
      usage = chunk.indexOf(USAGE, usage + USAGE.length);
      if (usage >= 0 && usage < lineEnd) break;
    }
    if (finish >= 0 && finish < lineEnd) {
      if (!chunk.startsWith("null", finish + FINISH.length)) break;
      finish = chunk.indexOf(FINISH, finish + FINISH.length);
      if (finish >= 0 && finish < lineEnd) break;
    }
    start = lineEnd + 2;
  }
  return start;
}

/** The smaller of two places, of which -1 is none. */
const earlier = (one: number, other: number) => (one < 0 ? other : other < 0 ? one : Math.min(one, other));

/** The same events without the usage that is not there yet. Give whole ordinary events; a chunk without any is given back. */
export function withoutNoUsage(events: Buffer): Buffer {
  let at = events.indexOf(NO_USAGE_YET, 0, "latin1");
  if (at < 0) return events;
  const out = Buffer.allocUnsafe(events.length);
  let length = 0;
  let from = 0;
  while (at >= 0) {
    length += events.copy(out, length, from, at);
    from = at + NO_USAGE_YET.length;
    at = events.indexOf(NO_USAGE_YET, from, "latin1");
  }
  length += events.copy(out, length, from);
  return out.subarray(0, length);
}
