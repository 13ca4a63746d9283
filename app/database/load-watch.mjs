// How busy the embedded database is. It works on the one thread of its process, so the share of time that the thread works
// is the share of what the database can do that is used.
import { performance } from "node:perf_hooks";

/** From which share on the database, and nothing else, decides how long people wait. */
const BUSY_SHARE = 0.9;

/** Tells `report` after each period in which the thread worked for `BUSY_SHARE` or more of the time. Ends with `stop`. */
export function watchLoad({ everyMs, report }) {
  let before = performance.eventLoopUtilization();
  const timer = setInterval(() => {
    const share = performance.eventLoopUtilization(before).utilization;
    before = performance.eventLoopUtilization();
    if (share >= BUSY_SHARE) report(share);
  }, everyMs);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}
