import type { ServiceTier } from "~/domain/catalogue/shared";
import type { StreamPart } from "../../canonical/answer";
import type { Usage } from "../../canonical/usage";
import type { StreamProblem } from "../dialect";
import type { SseEvent } from "./sse";

export type Emit = (part: StreamPart) => void;

/** What one event did to a stream. */
export type Verdict = { kind: "more" } | { kind: "finished" } | { kind: "reported"; error: unknown };

export const MORE: Verdict = { kind: "more" };
export const FINISHED: Verdict = { kind: "finished" };

/** Takes a supplier's events apart. @throws Untranslatable for what its dialect does not allow. */
export interface PartReader {
  read(event: SseEvent, emit: Emit): Verdict;
  /** No event comes any more: gives what only that makes certain. Called once, before the answer is judged; absent: nothing. */
  end?(emit: Emit): void;
  /** The whole answer's usage, once reported. */
  readonly usage: Usage | null;
  /** What went in, as far as it was reported before the end. */
  readonly promptUsage: Usage | null;
  /** The tier of service that answers, as soon as it is told and has a name in a price list. */
  readonly serviceTier?: ServiceTier | undefined;
}

/** Puts a client's events together: text for each part, and the text behind the last one, which may be asked for again. */
export interface PartWriter {
  /** The dialect's answers always state their usage, also where the supplier said nothing of it. */
  readonly statesUsage?: true;
  write(part: StreamPart): string;
  finish(usage: Usage | null): string;
  /** The event that ends a stream that broke, as it fits behind what was written; absent: it is the same everywhere. */
  fail?(problem: StreamProblem): string;
}

/** A supplier's stream is not what its dialect allows and cannot be told in the other one. */
export class Untranslatable extends Error {}
