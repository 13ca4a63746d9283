import type { ServiceTier } from "~/domain/catalogue/shared";
import type { StreamPart } from "../../canonical/answer";
import type { Usage } from "../../canonical/usage";
import type { StreamProblem } from "../dialect";
import type { SseEvent } from "./events/sse";

export type Emit = (part: StreamPart) => void;

/** The effect of one event on a stream. */
export type Verdict = { kind: "more" } | { kind: "finished" } | { kind: "reported"; error: unknown };

export const MORE: Verdict = { kind: "more" };
export const FINISHED: Verdict = { kind: "finished" };

/** Converts a supplier's events to parts. @throws Untranslatable for events that violate its dialect. */
export interface StreamDecoder {
  read(event: SseEvent, emit: Emit): Verdict;
  /**
   * Emits parts that are certain only after the last event. Called once, before the answer is checked for completeness.
   */
  end?(emit: Emit): void;
  /** Usage of the whole answer, once reported. */
  readonly usage: Usage | null;
  /** Usage of the prompt, if it was reported before the end. */
  readonly promptUsage: Usage | null;
  /** Service tier of the answer, once reported and if a price list can name it. */
  readonly serviceTier?: ServiceTier | undefined;
}

/** Converts parts to a client's events. `finish` returns the end of the stream and may be repeated. */
export interface StreamEncoder {
  /** Answers of the dialect always contain usage, even if the supplier reported none. */
  readonly statesUsage?: true;
  write(part: StreamPart): string;
  finish(usage: Usage | null): string;
  /**
   * Returns the event that ends a broken stream, as it fits the events so far. Absent: the same event fits everywhere.
   */
  fail?(problem: StreamProblem): string;
}

/** Thrown if a supplier's stream violates its dialect and has no translation. */
export class Untranslatable extends Error {}
