/** Finds the matches of one rule in folded text. */
export interface Matcher {
  /**
   * The longest match that is certainly found whole, in UTF-16 units. A longer one may be found in part. What comes in a stream is
   * held back by up to twice as much.
   */
  readonly longest: number;
  /** What looking at one character of a possible match costs, next to the cheapest matcher. */
  readonly weight: number;
  /** False: no match begins and ends anywhere in this text, nor in any part of it. */
  mayMatch(text: string): boolean;
  /** The leftmost match at or behind `from`: where it begins, and the place behind its end. What stands before `from` is context. */
  find(text: string, from: number): readonly [number, number] | null;
}
