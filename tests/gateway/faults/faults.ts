/**
 * The settlement of one fault, by the settlement matrix:
 * - refused: the supplier did no work; the hold is released, and one usage row has a charge of zero
 * - unpaid: an answer began but none of it reached the client; the hold is closed at zero, with an error usage row
 * - unknown: it is unknown whether the supplier did work, because there was no answer or an invalid one; the hold stays
 *   in review, without a usage row
 * - exact: the supplier's billed amount is charged, once
 * - counted: a complete answer without credible usage; gw's own count is charged, marked as an estimate
 * - partial: the answer broke off; its received part is charged by gw's own count, and the client gets an error
 * - reported: the same, but the supplier had reported its usage before the break
 */
export type Ending = "refused" | "unpaid" | "unknown" | "exact" | "counted" | "partial" | "reported";

/** The form of a protocol's answers. */
export type Shape = "whole" | "events" | "sound";

export type Fault = {
  /** The stand-in supplier's name of the fault; with `closed` and `tls` no connection succeeds. */
  name: string;
  ending: Ending;
  /** Needs a supplier with short time-outs. */
  hasty?: boolean;
  /** Too long for an everyday run. */
  slow?: boolean;
};

const refused = ["closed", "tls", "400", "401", "403", "404", "422", "429:seconds", "429:date", "429:ms", "429:none"]
  .concat("500", "503", "529")
  .map((name): Fault => ({ name, ending: "refused" }));

/** Faults of all protocols. */
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
  { name: "not-streamed", ending: "exact" },
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

/** Faults of audio. Audio has no end marker: it is complete when the connection closes normally. */
const SOUND: readonly Fault[] = [
  { name: "slices", ending: "exact" },
  { name: "fin", ending: "exact" },
  { name: "cut", ending: "partial" },
  { name: "reset", ending: "partial" },
  { name: "silence-mid", ending: "partial", hasty: true },
];

/** Returns connections that break after a number of bytes, for event streams. */
export const resetsAt = (repeats: number): readonly Fault[] =>
  Array.from({ length: 24 * repeats }, (_, step) => ({
    name: `reset:${100 + step * Math.floor(70 / repeats)}`,
    ending: "partial",
  }));

/** Returns all faults of answers of a shape. */
export const faultsOf = (shape: Shape): readonly Fault[] => [
  ...ALWAYS,
  ...{ whole: WHOLE, events: EVENTS, sound: SOUND }[shape],
];
