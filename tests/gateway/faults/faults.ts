/**
 * What the money does for one fault, by the settlement matrix:
 * - refused: no work was done; the hold is freed, and one usage row of zero says so
 * - unpaid: an answer had begun and nobody got any of it; the hold is closed at zero, and the usage row says error
 * - unknown: nobody knows whether work was done, because nothing came or what came is no answer; the hold stays, in
 *   review, and there is no usage row yet
 * - exact: what the supplier has billed is charged, once
 * - counted: a complete answer without a credible report; gw's own count is charged, marked as an estimate
 * - partial: what came before the end is charged by gw's own count, and the client is told of the break
 * - reported: the same, but the supplier had told what it charges
 */
export type Ending = "refused" | "unpaid" | "unknown" | "exact" | "counted" | "partial" | "reported";

/** What kind of answer a protocol brings. */
export type Shape = "whole" | "events" | "sound";

export type Fault = {
  /** As the stand-in supplier knows it; `closed` and `tls` are doors that nobody opens. */
  name: string;
  ending: Ending;
  /** Only at a supplier that is given little time. */
  hasty?: boolean;
  /** Too long for an everyday run. */
  slow?: boolean;
};

const refused = ["closed", "tls", "400", "401", "403", "404", "422", "429:seconds", "429:date", "429:ms", "429:none"]
  .concat("500", "503", "529")
  .map((name): Fault => ({ name, ending: "refused" }));

/** Whatever the protocol. */
const ALWAYS: readonly Fault[] = [
  ...refused,
  { name: "html", ending: "unknown" },
  { name: "html:503", ending: "refused" },
  { name: "empty", ending: "unknown" },
  { name: "redirect", ending: "refused" },
  { name: "error-in-200", ending: "unpaid" },
  { name: "silence", ending: "unpaid", hasty: true },
  { name: "no-answer", ending: "unknown", hasty: true },
  { name: "reset-before", ending: "unknown" },
  { name: "ok", ending: "exact" },
  { name: "drip:2", ending: "exact" },
];

const WHOLE: readonly Fault[] = [
  { name: "malformed", ending: "unknown" },
  { name: "reset", ending: "unpaid" },
  { name: "reset:1", ending: "unpaid" },
  { name: "cut", ending: "unpaid" },
  { name: "fin", ending: "unpaid" },
  { name: "error-first", ending: "unpaid" },
  { name: "slices", ending: "exact" },
  { name: "no-usage", ending: "counted" },
  { name: "insane-negative", ending: "counted" },
  { name: "insane-large", ending: "counted" },
];

const EVENTS: readonly Fault[] = [
  { name: "error-first", ending: "unpaid" },
  { name: "no-content", ending: "unpaid" },
  { name: "not-streamed", ending: "unpaid" },
  { name: "reset:1", ending: "unpaid" },
  { name: "long-line:4194304", ending: "exact" },
  { name: "long-line:100663296", ending: "unpaid", slow: true },
  { name: "slices", ending: "exact" },
  { name: "split-utf8", ending: "exact" },
  { name: "comments", ending: "exact" },
  { name: "newlines:crlf", ending: "exact" },
  { name: "newlines:cr", ending: "exact" },
  { name: "newlines:mixed", ending: "exact" },
  { name: "usage-twice", ending: "exact" },
  { name: "done-twice", ending: "exact" },
  { name: "data-after-done", ending: "exact" },
  { name: "finish-without-done", ending: "exact" },
  { name: "many:20000", ending: "exact" },
  { name: "many:100000", ending: "exact", slow: true },
  { name: "many:1000000", ending: "exact", slow: true },
  { name: "no-usage", ending: "counted" },
  { name: "insane-negative", ending: "counted" },
  { name: "insane-large", ending: "counted" },
  { name: "fin", ending: "partial" },
  { name: "cut", ending: "partial" },
  { name: "reset", ending: "partial" },
  { name: "silence-mid", ending: "partial", hasty: true },
  { name: "error-mid", ending: "partial" },
  { name: "malformed", ending: "partial" },
  { name: "usage-early", ending: "reported" },
];

/** Sound has no end of its own: a connection that closes in order has brought all of it. */
const SOUND: readonly Fault[] = [
  { name: "slices", ending: "exact" },
  { name: "fin", ending: "exact" },
  { name: "cut", ending: "partial" },
  { name: "reset", ending: "partial" },
  { name: "silence-mid", ending: "partial", hasty: true },
];

/** Connections that break behind a number of bytes, for streams of events. */
export const resetsAt = (repeats: number): readonly Fault[] =>
  Array.from({ length: 24 * repeats }, (_, step) => ({
    name: `reset:${100 + step * Math.floor(70 / repeats)}`,
    ending: "partial",
  }));

/** Every fault that a supplier of such answers can have. */
export const faultsOf = (shape: Shape): readonly Fault[] => [
  ...ALWAYS,
  ...{ whole: WHOLE, events: EVENTS, sound: SOUND }[shape],
];
