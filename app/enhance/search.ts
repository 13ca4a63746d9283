import { jsonFrom } from "./dom";

const QUIET_MS = 150;
const MIN_LETTERS = 2;

let waiting: ReturnType<typeof setTimeout> | undefined;
let current: AbortController | undefined;

/**
 * Asks the server for what matches, at an address that ends in front of what is typed, once somebody has stopped typing for a moment. False: that is too little to ask for. Without an
 * answer that can be used, or with one that comes too late, nothing is shown.
 */
export function searchAsTyped<Found>(address: string, typed: string, show: (found: Found[]) => void): boolean {
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
