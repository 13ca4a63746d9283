import { jsonFrom } from "./dom";

const QUIET_MS = 150;
const MIN_LETTERS = 2;

let waiting: ReturnType<typeof setTimeout> | undefined;
let current: AbortController | undefined;

/**
 * Sends a search request after a pause in typing; the typed text is appended to `address`. Returns false if the text is
 * too short. Without a usable answer, or after a newer input, `show` is not called.
 */
export function searchAsTyped<Found>(address: string, typed: string, show: (results: Found[]) => void): boolean {
  clearTimeout(waiting);
  current?.abort();
  const text = typed.trim();
  if (text.length < MIN_LETTERS) return false;
  current = new AbortController();
  const { signal } = current;
  waiting = setTimeout(async () => {
    const answer = await jsonFrom<{ results: Found[] }>(`${address}${encodeURIComponent(text)}`, signal);
    if (answer !== null && !signal.aborted) show(answer.results);
  }, QUIET_MS);
  return true;
}
