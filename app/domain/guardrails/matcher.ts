/** Finds the matches of one rule in folded text. */
export interface Matcher {
  /**
   * Maximum length, in UTF-16 units, of a match that is certainly found as a whole; of a longer one, only a part may be
   * found. A stream is delayed by up to twice this length.
   */
  readonly longest: number;
  /** Cost per character of a possible match, relative to the cheapest matcher. */
  readonly weight: number;
  /** False: neither this text nor any part of it contains a match. */
  mayMatch(text: string): boolean;
  /** Returns start and end (exclusive) of the leftmost match at or after `from`. Text before `from` is context. */
  find(text: string, from: number): readonly [number, number] | null;
}
