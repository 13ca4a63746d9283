import pino from "pino";

const SECRETS = /gw_[0-9A-Za-z]{20,}|\b(?:Bearer|Basic) [\w.~+/=-]{6,}/g;
const HIDDEN = "[hidden]";
const HIDDEN_HEADERS = ["authorization", "cookie", "set-cookie", "x-api-key", "proxy-authorization"];

export const logOptions: pino.LoggerOptions = {
  level: "info",
  base: undefined,
  timestamp: pino.stdTimeFunctions.isoTime,
  formatters: { level: (label) => ({ level: label }) },
  redact: {
    paths: HIDDEN_HEADERS.flatMap((name) => [`["${name}"]`, `*["${name}"]`, `*.*["${name}"]`]),
    censor: HIDDEN,
  },
  serializers: { err: (error: Error) => withoutRows(pino.stdSerializers.err(error)) },
  hooks: { streamWrite: withoutSecrets },
};

const MAX_DEPTH = 8;

/**
 * Removes the `detail` of errors, in which PostgreSQL repeats the rejected row or key, because rows contain addresses
 * and names of people.
 */
function withoutRows(value: unknown, depth = 0): unknown {
  if (typeof value !== "object" || value === null || "toJSON" in value) return value;
  if (depth === MAX_DEPTH) return HIDDEN;
  if (Array.isArray(value)) return value.map((item) => withoutRows(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, name === "detail" ? HIDDEN : withoutRows(inner, depth + 1)]),
  );
}

const BATCH_CHARACTERS = 64 * 1024;
const BATCH_MS = 100;

/**
 * Lines are written in batches, ten times a second or when the buffer is full: a write to the terminal or a pipe per
 * line would cost more than the logged request. Remaining lines are written when the process exits.
 */
const standardOutput = pino.destination({ dest: 1, sync: false, minLength: 8 * 1024, periodicFlush: BATCH_MS });

/**
 * The process's log: JSON lines on standard output. Keys of this gateway and credentials of headers are redacted
 * everywhere; never log bodies.
 */
export const log = pino(logOptions, standardOutput);

/** Whether calls are logged, which have level info. */
export const isCallLogged = (): boolean => log.isLevelEnabled("info");

let gathered: string[] = [];
let characters = 0;
let timer: NodeJS.Timeout | null = null;

/**
 * Writes one complete line of JSON, with its time and line break; it is written together with the lines of `log`,
 * slightly later. For the one line of every call: `log` would serialise an object, and the destination would measure
 * each line again, which takes a tenth of the call's processor time.
 */
export function writeLine(line: string): void {
  gathered.push(line);
  characters += line.length;
  if (characters >= BATCH_CHARACTERS) flushLines();
  else timer ??= setTimeout(flushLines, BATCH_MS).unref();
}

function flushLines(): void {
  if (timer !== null) clearTimeout(timer);
  timer = null;
  if (gathered.length === 0) return;
  const text = gathered.join("");
  gathered = [];
  characters = 0;
  standardOutput.write(withoutSecrets(text));
}

process.once("exit", () => {
  flushLines();
  standardOutput.flushSync();
});

/** Sets the log level: fatal, error, warn, info, debug, trace or silent. */
export function setLogLevel(level: string): void {
  log.level = level;
}

/** Redacts gateway keys and credentials in a text. */
export function withoutSecrets(text: string): string {
  return text.includes("gw_") || text.includes("Bearer ") || text.includes("Basic ")
    ? text.replace(SECRETS, HIDDEN)
    : text;
}
