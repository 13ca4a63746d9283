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
  hooks: { streamWrite: withoutSecrets },
};

/**
 * Lines leave in batches, ten times a second or with 8 KiB: a write to the terminal or a pipe for each line would cost
 * more than the request that it tells of. What is left is written when the process exits.
 */
const standardOutput = pino.destination({ dest: 1, sync: false, minLength: 8 * 1024, periodicFlush: 100 });

/**
 * The process's log: JSON lines on standard output. Keys of this gateway and credentials of headers are blanked wherever
 * they turn up; bodies do not belong in a log at all.
 */
export const log = pino(logOptions, standardOutput);

/**
 * The log of calls: one line each, of fields chosen one by one, none of them a header. Without the look for headers in
 * every line it costs half as much.
 */
export const callLog = pino({ ...logOptions, redact: [] }, standardOutput);

/** Sets what is worth a line: fatal, error, warn, info, debug, trace or silent. */
export function setLogLevel(level: string): void {
  log.level = level;
  callLog.level = level;
}

/** Blanks gateway keys and credentials in a text. */
export function withoutSecrets(text: string): string {
  return text.includes("gw_") || text.includes("Bearer ") || text.includes("Basic ")
    ? text.replace(SECRETS, HIDDEN)
    : text;
}
